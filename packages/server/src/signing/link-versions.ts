/** A version of the keys that sign readers' links. */
export interface LinkKey {
  version: number
  key: Buffer
}

/** Tokens that say nothing were signed with it, as all were before keys could be replaced. */
export const FIRST_VERSION = 1

/** Puts the version before a token, with a character that no token has: `2~…`. */
export const withVersion = (version: number, token: string): string =>
  version === FIRST_VERSION ? token : `${version}~${token}`

const VERSIONED = /^(?:([1-9]\d{0,5})~)?([A-Za-z0-9._-]+)$/

/** Takes the version from a token; undefined if it can't be a token of ours. Each has only one way to be written. */
export function splitVersion(text: string): { version: number; token: string } | undefined {
  const [, given, token] = VERSIONED.exec(text) ?? []
  if (token === undefined || given === String(FIRST_VERSION)) return undefined
  return { version: given === undefined ? FIRST_VERSION : Number(given), token }
}
