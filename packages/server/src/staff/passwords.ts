import { fail } from '../errors.ts'
import { newSecret } from '../ids.ts'
import { emailKey } from '../users/email.ts'

const SHORTEST = 10
const LONGEST = 200

/** Only where it is used: commands and checks shall not wait for it to be loaded. */
const argon2 = () => import('@node-rs/argon2')

/** Throws what is wrong with a password that somebody wants; `field` is what the form calls it. */
export function requireGoodPassword(field: string, password: string, email: string): void {
  const length = [...password].length
  const problem =
    length < SHORTEST
      ? `must have ${SHORTEST} characters or more`
      : length > LONGEST
        ? `must have ${LONGEST} characters or less`
        : emailKey(password) === emailKey(email)
          ? 'must be another than the e-mail address'
          : undefined
  if (problem !== undefined) throw fail('invalid_parameter', `${field}: ${problem}.`)
}

/** The same text, however it was typed. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'))

export async function hashPassword(password: string): Promise<string> {
  // Argon2id with 19 MiB and two passes, which are the package's own choice.
  return await (await argon2()).hash(bytesOf(password))
}

let decoy: Promise<string> | undefined

/** Takes as long for those who have no password, or do not exist: time must not tell them apart. */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(newSecret())
  const against = hash ?? (await decoy)
  await decoy
  const isRight = await (await argon2()).verify(against, bytesOf(password))
  return isRight && hash !== null
}
