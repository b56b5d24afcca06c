import { fail, invalid } from '../../errors.ts'
import { problems } from '../../fields.ts'
import { newSecret } from '../../ids.ts'
import { emailKey } from '../users/email.ts'

const SHORTEST = 10
const LONGEST = 200
const FEWEST_DIFFERENT = 5

/** Passwords attackers try first, without the digits and symbols people add before and after. */
const COMMON = new Set(
  'password passwort passw0rd p@ssword administrator qwertyuiop qwertz qwerty asdfghjkl letmein welcome iloveyou changeme superman sunshine princess football baseball monkey dragon master shadow trustno gatehouse'.split(
    ' ',
  ),
)
const DIGITS = '1234567890'.repeat(LONGEST / 10 + 1)

function isCommon(password: string): boolean {
  const text = password.toLowerCase()
  const half = text.slice(0, text.length / 2)
  const once = half + half === text ? half : text
  return DIGITS.includes(once) || COMMON.has(once.replace(/^[^a-z@]+|[^a-z]+$/g, ''))
}

/** Loaded on first use, so that commands and health checks don't wait for it. */
const argon2 = () => import('@node-rs/argon2')

/** Throws if a new password is not acceptable. `field` is its name in the form. */
export function requireGoodPassword(field: string, password: string, email: string): void {
  const length = [...password].length
  const problem =
    length < SHORTEST
      ? problems.tooShort(SHORTEST)
      : length > LONGEST
        ? problems.tooLong(LONGEST)
        : emailKey(password) === emailKey(email)
          ? 'must differ from the email address'
          : new Set(password).size < FEWEST_DIFFERENT
            ? `must have at least ${FEWEST_DIFFERENT} different characters`
            : isCommon(password)
              ? 'this password is too common. Try three or four random words.'
              : undefined
  if (problem !== undefined) throw invalid(field, problem)
}

/** Each hash occupies one of libuv's four threads, which file reads need too. */
const AT_ONCE = 2
const MAX_WAITING = 50
let inside = 0

/** `known`: the caller has shown a cookie, a session or a link that we made. `stranger`: anybody else. */
export type CallerTrust = 'known' | 'stranger'
const waiting: Record<CallerTrust, (() => void)[]> = { known: [], stranger: [] }

/** Limits concurrent hashes, so that many sign-ins can't slow down downloads; calls beyond the queue are
 * refused. Known callers go first, so that strangers can't keep the staff out. */
async function withHashSlot<T>(asker: CallerTrust, work: () => Promise<T>): Promise<T> {
  const queue = waiting[asker]
  if (inside < AT_ONCE) inside++
  else if (queue.length >= MAX_WAITING) throw fail('overloaded')
  else await new Promise<void>((resolve) => queue.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.known.shift() ?? waiting.stranger.shift()
    if (next) next()
    else inside--
  }
}

/** Normalizes the text, so that the same password matches however it was typed. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'))

export async function hashPassword(password: string): Promise<string> {
  // The package's defaults: Argon2id with 19 MiB and two passes.
  const { hash } = await argon2()
  return await withHashSlot('known', () => hash(bytesOf(password)))
}

let decoy: Promise<string> | undefined

/** Takes equally long for accounts that don't exist or have no password, so that timing does not reveal them. */
export async function isCorrectPassword(
  hash: string | null,
  password: string,
  asker: CallerTrust = 'stranger',
): Promise<boolean> {
  decoy ??= hashPassword(newSecret()).catch((error: unknown) => {
    decoy = undefined
    throw error
  })
  const against = hash ?? (await decoy)
  await decoy
  const { verify } = await argon2()
  const isRight = await withHashSlot(asker, () => verify(against, bytesOf(password)))
  return isRight && hash !== null
}
