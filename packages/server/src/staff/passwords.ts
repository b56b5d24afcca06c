import { fail } from '../errors.ts'
import { newSecret } from '../ids.ts'
import { emailKey } from '../users/email.ts'

const SHORTEST = 10
const LONGEST = 200
const FEWEST_DIFFERENT = 5

/** What is tried first, of those that are long enough; without what people put before and after it. */
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
          : new Set(password).size < FEWEST_DIFFERENT
            ? `must have ${FEWEST_DIFFERENT} different characters or more`
            : isCommon(password)
              ? 'is one of those that are tried first: take a few words that have nothing to do with each other'
              : undefined
  if (problem !== undefined) throw fail('invalid_parameter', `${field}: ${problem}.`)
}

/** Each takes a thread, of which there are four, and files are read by the same. */
const AT_ONCE = 2
const MOST_WAITING = 50
let inside = 0

/** Who asks for a hash: somebody we know by a cookie, a session or a link, or a stranger. */
export type Asker = 'known' | 'stranger'
const waiting: Record<Asker, (() => void)[]> = { known: [], stranger: [] }

/** A crowd at the sign-in must not keep readers from their files: it waits, and beyond that is sent away. A
 * crowd of strangers must not keep the staff out either: those we know go first. */
async function inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
  const queue = waiting[asker]
  if (inside < AT_ONCE) inside++
  else if (queue.length >= MOST_WAITING) throw fail('overloaded')
  else await new Promise<void>((resolve) => queue.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.known.shift() ?? waiting.stranger.shift()
    if (next) next()
    else inside--
  }
}

/** The same text, however it was typed. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'))

export async function hashPassword(password: string): Promise<string> {
  // Argon2id with 19 MiB and two passes, which are the package's own choice.
  const { hash } = await argon2()
  return await inTurn('known', () => hash(bytesOf(password)))
}

let decoy: Promise<string> | undefined

/** Takes as long for those who have no password, or do not exist: time must not tell them apart. */
export async function isPassword(
  hash: string | null,
  password: string,
  asker: Asker = 'stranger',
): Promise<boolean> {
  decoy ??= hashPassword(newSecret()).catch((error: unknown) => {
    decoy = undefined
    throw error
  })
  const against = hash ?? (await decoy)
  await decoy
  const { verify } = await argon2()
  const isRight = await inTurn(asker, () => verify(against, bytesOf(password)))
  return isRight && hash !== null
}
