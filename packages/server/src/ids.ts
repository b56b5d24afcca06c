import { createHash } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Names an application. Not a secret. */
export const newAid = customAlphabet(ALPHANUMERIC, 10)

/** Signs an application's requests. 238 bits. */
export const newPrivateKey = customAlphabet(ALPHANUMERIC, 40)

/** Names a user; unguessable, since it can stand in for a missing reference. 119 bits. */
export const newUid = customAlphabet(ALPHANUMERIC, 20)

/** Opens a door for whoever knows it. 256 bits. */
export const newSecret = customAlphabet(ALPHANUMERIC, 43)

/** Names any other row. 95 bits. */
export const newId = customAlphabet(ALPHANUMERIC, 16)

const randomTail = customAlphabet(ALPHANUMERIC, 8)

/** Names a row of a table that grows without end. It begins with the time, so that new rows lie side
 * by side in every index and many at once touch few pages; then 47 random bits. */
export const newOrderedId = (): string => timePrefix(Date.now()) + randomTail()

const PREFIX_LENGTH = 8
const TAIL_VALUES = BigInt(ALPHANUMERIC.length) ** 8n

function timePrefix(millis: number): string {
  return toText(BigInt(millis))
}

/** Eight characters; the most significant comes first. */
function toText(value: bigint): string {
  const base = BigInt(ALPHANUMERIC.length)
  let text = ''
  for (let left = value; text.length < PREFIX_LENGTH; left /= base) {
    text = ALPHANUMERIC.charAt(Number(left % base)) + text
  }
  return text
}

/** Names an order by what it is for: the same parts always give the same id, also after a restore. Like
 * other ordered ids it begins with a time, here that of the thing ordered. */
export const derivedId = (seconds: number, parts: readonly (string | number)[]): string =>
  timePrefix(seconds * 1000) + derivedTail(parts)

/** The same for something that belongs to another row: the two lie side by side in an index. */
export const derivedIdBeside = (id: string, parts: readonly (string | number)[]): string =>
  id.slice(0, PREFIX_LENGTH) + derivedTail([id, ...parts])

function derivedTail(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
  return toText(digest.readBigUInt64BE(0) % TAIL_VALUES)
}
