import { Failure, fail, invalid } from '../../errors.ts'
import { problems } from '../../fields.ts'
import { newSecret } from '../../ids.ts'
import { normalizeText } from '../../unicode.ts'
import { emailKey } from '../users/email.ts'

const SHORTEST = 10
const LONGEST = 200
const FEWEST_DIFFERENT = 5

/** Loaded on first use, so that commands and health checks don't wait for it. */
const argon2 = () => import('@node-rs/argon2')

export interface NewPassword {
  /** The password's name in the form. */
  field: string
  password: string
  email: string
  /** What somebody who knows the member or the installation would try: names, and the words of its address. */
  context: readonly string[]
}

/** Throws if a new password is not acceptable. */
export async function requireGoodPassword(input: NewPassword): Promise<void> {
  const problem = formProblemOf(input) ?? (await findGuessableProblem(input))
  if (problem !== undefined) throw invalid(input.field, problem)
}

async function findGuessableProblem({ password, email, context }: NewPassword) {
  const { findGuess } = await import('./common-passwords.ts')
  const guess = findGuess(password, [...context, email.slice(0, email.lastIndexOf('@'))])
  if (guess === undefined) return undefined
  return guess === 'common'
    ? 'this password is one of those that attackers try first. Try three or four random words.'
    : `must not be “${guess}” with a few digits or symbols, which is easy to guess. Try three or four random words.`
}

function formProblemOf({ password, email }: NewPassword): string | undefined {
  const length = [...password].length
  return length < SHORTEST
    ? problems.tooShort(SHORTEST)
    : length > LONGEST
      ? problems.tooLong(LONGEST)
      : emailKey(password) === emailKey(email)
        ? 'must differ from the email address'
        : new Set(password).size < FEWEST_DIFFERENT
          ? `must have at least ${FEWEST_DIFFERENT} different characters`
          : undefined
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
const bytesOf = (password: string) => Buffer.from(normalizeText(password))

export async function hashPassword(password: string): Promise<string> {
  // The package's defaults: Argon2id with 19 MiB and two passes.
  const { hash } = await argon2()
  return await withHashSlot('known', () => hash(bytesOf(password)))
}

let decoy: Promise<string> | undefined

/** A hash that no password is behind, made as hashes are made now. */
function getDecoy(): Promise<string> {
  decoy ??= hashPassword(newSecret()).catch((error: unknown) => {
    decoy = undefined
    throw error
  })
  return decoy
}

/** Takes equally long for accounts that don't exist or have no password, so that timing does not reveal them. */
export async function isCorrectPassword(
  hash: string | null,
  password: string,
  asker: CallerTrust = 'stranger',
): Promise<boolean> {
  const against = hash ?? (await getDecoy())
  await getDecoy()
  const { verify } = await argon2()
  const isRight = await withHashSlot(asker, () => verify(against, bytesOf(password)))
  return isRight && hash !== null
}

/** The algorithm, version and costs of a hash, which come before its salt: `$argon2id$v=19$m=19456,t=2,p=1`. */
const parametersOf = (hash: string) => hash.split('$').slice(0, 4).join('$')

/** Hashes a right password anew if its stored hash was made with other parameters than hashes are made with now. An
 * overload is no reason not to let somebody in, so the next sign-in tries again. */
export async function renewedHash(
  hash: string | null,
  password: string,
): Promise<string | undefined> {
  if (hash === null || parametersOf(hash) === parametersOf(await getDecoy())) return undefined
  try {
    return await hashPassword(password)
  } catch (error) {
    if (error instanceof Failure && error.code === 'overloaded') return undefined
    throw error
  }
}
