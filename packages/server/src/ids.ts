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
export function newOrderedId(): string {
  let head = ''
  for (let left = Date.now(); head.length < 8; left = Math.floor(left / ALPHANUMERIC.length)) {
    head = ALPHANUMERIC.charAt(left % ALPHANUMERIC.length) + head
  }
  return head + randomTail()
}
