import { createHash, randomBytes } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Makes the id of an application. It is not a secret. */
export const newAid = customAlphabet(ALPHANUMERIC, 10)

/** Makes a private key, with which an application signs its requests. 238 random bits. */
export const newPrivateKey = customAlphabet(ALPHANUMERIC, 40)

const uidHead = customAlphabet(ALPHANUMERIC, 3)
const uidTail = customAlphabet(ALPHANUMERIC, 17)

/** How many uids begin alike, and for how long at most. */
const UIDS_PER_HEAD = 1_000
const HEAD_MS = 60_000

let head = { text: '', uses: UIDS_PER_HEAD, made: 0 }

/** Makes the id of a user. It can't be guessed, because requests may name a user by it: 101 random bits follow a random
 * head, which is the same for those made one after the other. So new rows are adjacent in every index by uid. */
export function newUid(): string {
  const now = performance.now()
  if (head.uses === UIDS_PER_HEAD || now - head.made > HEAD_MS) {
    head = { text: uidHead(), uses: 0, made: now }
  }
  head.uses++
  return head.text + uidTail()
}

/** Makes a secret, such as a session token, that grants something to anyone who knows it. 256 random bits. */
export const newSecret = customAlphabet(ALPHANUMERIC, 43)

/** Makes the secret part of a checkout's id. 131 random bits. */
export const newCheckoutSecret = customAlphabet(ALPHANUMERIC, 22)

/** Makes the id of a row that needs none of the special ids here. 95 random bits: no two are ever equal. */
export const newId = customAlphabet(ALPHANUMERIC, 16)

const randomTail = customAlphabet(ALPHANUMERIC, 8)

/** Makes the id of a row in a table that grows without bound. It starts with the time, so that new rows are adjacent in
 * every index and a batch of them touches few pages; 47 random bits follow. */
export const newOrderedId = (): string => toText(Date.now()) + randomTail()

let lastSorted = { millis: 0, tail: 0n }

/** Makes such an id that is also higher than those that this process made before, within the same millisecond too. */
export function newSortedId(): string {
  const millis = Date.now()
  // The upper half is left for the ids that follow within the millisecond.
  const tail =
    millis === lastSorted.millis
      ? lastSorted.tail + 1n
      : randomBytes(8).readBigUInt64BE() % (TAIL_VALUES / 2n)
  lastSorted = { millis, tail }
  return toText(millis) + toText(Number(tail))
}

const PREFIX_LENGTH = 8
/** The number of digits that ids are written with. */
const BASE = ALPHANUMERIC.length
const TAIL_VALUES = BigInt(BASE) ** 8n

/** Encodes a whole number with as many characters, most significant first. */
export function toText(value: number, length = PREFIX_LENGTH): string {
  let text = ''
  for (let left = value; text.length < length; left = Math.floor(left / BASE)) {
    text = ALPHANUMERIC.charAt(left % BASE) + text
  }
  return text
}

/** Decodes what `toText` has written. */
export const toNumber = (text: string): number =>
  [...text].reduce((value, digit) => value * BASE + ALPHANUMERIC.indexOf(digit), 0)

/** Makes the id of an order from what the order is for: the same parts always give the same id, even after a restore.
 * Like other ordered ids it starts with a time, here that of the thing ordered. */
export const derivedId = (seconds: number, parts: readonly (string | number)[]): string =>
  toText(seconds * 1000) + derivedTail(parts)

/** Makes such an id for a row that belongs to another row. It starts like the id of that row, so that the two are
 * adjacent in an index. */
export const derivedIdBeside = (id: string, parts: readonly (string | number)[]): string =>
  id.slice(0, PREFIX_LENGTH) + derivedTail([id, ...parts])

function derivedTail(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
  return toText(Number(digest.readBigUInt64BE(0) % TAIL_VALUES))
}
