import { createHash } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { type Failure, fail } from '../errors.ts'
import { emailKey } from '../users/email.ts'
import type { ControlTrx } from './staff.ts'

/*
 * Wrong passwords are counted by subjects; a subject that is at its maximum is refused until its window ends.
 *
 * - A browser in which the member has signed in before has a subject of its own (`device`).
 * - Any other browser counts for its address, for the account at that address (`place`), and for the account.
 * - A member who is signed in and confirms a password has a subject of its own (`confirmation`).
 *
 * Strangers can use up only the subjects of strangers. So an account can be guessed at no more than 50 times
 * in a window by browsers that it does not know, from one address or through one unnamed proxy no more than 10
 * times between two sign-ins there, and 10 times more by each browser that it knows.
 */

const WINDOW: Millis = 15 * 60_000

/** Wrong passwords in a window, by the first word of the subject. */
const MAX_WRONG = { device: 10, confirmation: 10, address: 50, place: 10, account: 50 } as const
type Kind = keyof typeof MAX_WRONG

/** After the right password there, earlier wrong ones are forgotten. */
const FORGIVEN: ReadonlySet<Kind> = new Set(['device', 'confirmation', 'place'])

/** A digest: people type passwords where an address belongs, and those shall not be kept. */
const digestOfAccount = (email: string) =>
  createHash('sha256').update(emailKey(email)).digest('hex')

export const accountSubject = (email: string) => `account ${digestOfAccount(email)}`

export const confirmationSubject = (staffId: string) => `confirmation ${staffId}`

/** The subjects of a password from a browser that the account does not know. `address` is undefined where all
 * addresses are that of one proxy: then it says nothing. */
export function strangerSubjects(email: string, address: string | undefined): string[] {
  const place = `place ${digestOfAccount(email)} ${address ?? 'anywhere'}`
  // In this order for all: two that count the same must not wait for each other in a circle.
  return [...(address === undefined ? [] : [address]), place, accountSubject(email)]
}

/** Without what proxies and sockets that speak both kinds write around an address. */
const bareAddress = (ip: string) =>
  ip
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** Whoever has one IPv6 address has the 2^64 beside it too. */
export function addressSubject(ip: string): string {
  const bare = bareAddress(ip)
  if (isIP(bare) === 0) return 'address unknown'
  if (!isIPv6(bare)) return `address ${bare}`
  const [head = '', tail = ''] = bare.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return `address ${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

const kindOf = (subject: string) => subject.split(' ', 1)[0] as Kind
const maxOf = (subject: string) => MAX_WRONG[kindOf(subject)]

/**
 * Counts a password as wrong before it is checked, so that two processes count together and two at once are
 * two; one that proves to be right is taken back by `forgiveTries`. Throws 429 if one of the subjects is at its
 * maximum, known or not: then nothing is counted for any of them.
 */
export async function countTries(
  control: ControlDatabase,
  subjects: readonly string[],
  now: Millis,
): Promise<void> {
  await requireRoom(control, subjects, now)
  await control.write(async (trx) => {
    await trx
      .deleteFrom('staff_tries')
      .where('begun_at', '<=', now - WINDOW)
      .execute()
    for (const subject of subjects) {
      const { begun_at, tries } = await countOne(trx, subject, now)
      if (tries > maxOf(subject)) throw tooMany(begun_at, now)
    }
  })
}

/** Refuses by reading alone: a flood of refused tries must not keep others from writing. */
async function requireRoom(
  control: ControlDatabase,
  subjects: readonly string[],
  now: Millis,
): Promise<void> {
  const rows = await control.read
    .selectFrom('staff_tries')
    .selectAll()
    .where('subject', 'in', [...subjects])
    .where('begun_at', '>', now - WINDOW)
    .execute()
  const full = rows.filter(({ subject, tries }) => tries >= maxOf(subject))
  if (full.length > 0) throw tooMany(Math.max(...full.map(({ begun_at }) => begun_at)), now)
}

function tooMany(since: Millis, now: Millis): Failure {
  const seconds = Math.max(1, Math.ceil((since + WINDOW - now) / 1000))
  return fail('too_many_requests', 'There were too many tries. Try again later.', seconds)
}

async function countOne(trx: ControlTrx, subject: string, now: Millis) {
  return await trx
    .insertInto('staff_tries')
    .values({ subject, begun_at: now, tries: 1 })
    .onConflict((oc) =>
      oc.column('subject').doUpdateSet({ tries: sql<number>`staff_tries.tries + 1` }),
    )
    .returning(['begun_at', 'tries'])
    .executeTakeFirstOrThrow()
}

/** The password was right: this try does not count, and what was tried from the same browser or place is
 * forgotten. */
export async function forgiveTries(
  trx: ControlTrx,
  subjects: readonly string[],
  now: Millis,
): Promise<void> {
  for (const subject of subjects) {
    if (!FORGIVEN.has(kindOf(subject))) await uncount(trx, subject, now)
    else await trx.deleteFrom('staff_tries').where('subject', '=', subject).execute()
  }
}

/** Takes back what was counted at this time: nothing was looked at, so that nobody has learned anything. */
export async function takeBackTries(
  trx: ControlTrx,
  subjects: readonly string[],
  now: Millis,
): Promise<void> {
  for (const subject of subjects) await uncount(trx, subject, now)
}

/** Nothing is taken from a window that has begun since. */
async function uncount(trx: ControlTrx, subject: string, now: Millis): Promise<void> {
  await trx
    .updateTable('staff_tries')
    .set({ tries: sql<number>`tries - 1` })
    .where('subject', '=', subject)
    .where('begun_at', '<=', now)
    .execute()
}

/** Forgets all wrong passwords of an account, wherever they came from. */
export async function unlockAccount(trx: ControlTrx, email: string): Promise<void> {
  await trx
    .deleteFrom('staff_tries')
    .where((eb) =>
      eb.or([
        eb('subject', '=', accountSubject(email)),
        eb('subject', 'like', `place ${digestOfAccount(email)} %`),
      ]),
    )
    .execute()
}
