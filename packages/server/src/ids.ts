import { customAlphabet } from 'nanoid'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Names an application. Not a secret. */
export const newAid = customAlphabet(ALPHANUMERIC, 10)

/** Signs an application's requests. 238 bits. */
export const newPrivateKey = customAlphabet(ALPHANUMERIC, 40)

/** Names a user; unguessable, since it can stand in for a missing reference. 119 bits. */
export const newUid = customAlphabet(ALPHANUMERIC, 20)

/** Names any other row. 95 bits. */
export const newId = customAlphabet(ALPHANUMERIC, 16)
