/** The rules that a history is judged by. */
export type Oracle =
  | 'status'
  | 'invariants'
  | 'ledger'
  | 'reference'
  | 'aliases'
  | 'agreement'
  | 'bytes'
  | 'doctor'

/** What a history has shown to be wrong. Two failures with one `kind` have, most likely, one cause. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly oracle: Oracle
  readonly kind: string

  constructor(oracle: Oracle, kind: string, details = '') {
    super(`${oracle}: ${kind}${details === '' ? '' : `\n${details}`}`)
    this.oracle = oracle
    this.kind = kind
  }
}

/** While one defect is open, its oracle can be left out to look for others: `MODEL_IGNORE=bytes,ledger`. */
const ignored = new Set((process.env.MODEL_IGNORE ?? '').split(','))

export const isIgnored = (oracle: Oracle): boolean => ignored.has(oracle)

/** Fails the history unless it is so. */
export function require(
  isSo: boolean,
  oracle: Oracle,
  kind: string,
  details?: () => unknown,
): void {
  if (isSo || isIgnored(oracle)) return
  const text = details === undefined ? '' : JSON.stringify(details(), null, 2)
  throw new ModelFailure(oracle, kind, text)
}
