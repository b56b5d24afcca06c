import { createHash } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Identifies an application. Not a secret. */
export const newAid = customAlphabet(ALPHANUMERIC, 10)

/** Signs an application's requests. 238 bits. */
export const newPrivateKey = customAlphabet(ALPHANUMERIC, 40)

/** Identifies a user. Unguessable, because it can be used in place of a missing user_ref. 119 bits. */
export const newUid = customAlphabet(ALPHANUMERIC, 20)

/** A secret that grants access to anyone who knows it. 256 bits. */
export const newSecret = customAlphabet(ALPHANUMERIC, 43)

/** Identifies any other row. 95 bits. */
export const newId = customAlphabet(ALPHANUMERIC, 16)

const randomTail = customAlphabet(ALPHANUMERIC, 8)

/** Identifies a row of a table that grows without bound. It starts with the time, so that new rows are adjacent in
 * every index and a batch of them touches few pages; 47 random bits follow. */
export const newOrderedId = (): string => timePrefix(Date.now()) + randomTail()

const PREFIX_LENGTH = 8
const TAIL_VALUES = BigInt(ALPHANUMERIC.length) ** 8n

function timePrefix(millis: number): string {
  return toText(BigInt(millis))
}

/** Encodes as eight characters, most significant first. */
function toText(value: bigint): string {
  const base = BigInt(ALPHANUMERIC.length)
  let text = ''
  for (let left = value; text.length < PREFIX_LENGTH; left /= base) {
    text = ALPHANUMERIC.charAt(Number(left % base)) + text
  }
  return text
}

/** Identifies an order by its purpose: the same parts always give the same id, even after a restore. Like other ordered
 * ids it starts with a time, here that of the thing ordered. */
export const derivedId = (seconds: number, parts: readonly (string | number)[]): string =>
  timePrefix(seconds * 1000) + derivedTail(parts)

/** The same for a row that belongs to another one: the two are adjacent in an index. */
export const derivedIdBeside = (id: string, parts: readonly (string | number)[]): string =>
  id.slice(0, PREFIX_LENGTH) + derivedTail([id, ...parts])

function derivedTail(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
  return toText(digest.readBigUInt64BE(0) % TAIL_VALUES)
}
