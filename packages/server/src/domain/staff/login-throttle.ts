import { createHash } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { ControlDatabase } from '../../db/database.ts'
import { deleteRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { type Failure, fail } from '../../errors.ts'
import { emailKey } from '../users/email.ts'
import type { ControlTrx } from './staff.ts'

/*
 * Wrong passwords are counted per subject. A subject at its maximum is refused until its window ends.
 *
 * - A browser in which the member has signed in before has its own subject (`device`).
 * - Any other browser counts for its IP address, for the account at that address (`place`), and for the
 *   account.
 * - A signed-in member who confirms the password has a separate subject (`confirmation`).
 * - Asking for a password link counts for the account (`forgotten`) and for the address (`asker`), and for nothing that a
 *   sign-in counts for.
 *
 * Strangers can exhaust only the subjects of strangers. In one window an account gets at most 50 guesses
 * from unknown browsers, at most 10 of them from one address or through one unconfigured proxy (counted anew
 * after a sign-in there), and 10 more from each known browser.
 */

const WINDOW: Millis = 15 * 60_000

/** Maximum wrong passwords per window, by the first word of the subject. */
const MAX_WRONG = {
  device: 10,
  confirmation: 10,
  address: 50,
  place: 10,
  account: 50,
  forgotten: 3,
  asker: 20,
} as const
type Kind = keyof typeof MAX_WRONG

/** Subjects whose count is reset by the right password. */
const FORGIVEN: ReadonlySet<Kind> = new Set(['device', 'confirmation', 'place'])

/** A digest, because people enter passwords in the email field, and those must not be stored. */
export const digestOfAccount = (email: string) =>
  createHash('sha256').update(emailKey(email)).digest('hex')

export const accountSubject = (email: string) => `account ${digestOfAccount(email)}`

export const confirmationSubject = (staffId: string) => `confirmation ${staffId}`

/** The subjects for a browser the account does not know. `address` is undefined if all clients share one,
 * behind a proxy. */
export function strangerSubjects(email: string, address: string | undefined): string[] {
  const place = `place ${digestOfAccount(email)} ${address ?? 'anywhere'}`
  // The same order for all, so that concurrent transactions can't deadlock.
  return [...(address === undefined ? [] : [address]), place, accountSubject(email)]
}

/** The subjects for somebody who asks for a password link. Where all clients share one address, only the account's limit
 * applies. */
export function forgottenSubjects(email: string, address: string | undefined): string[] {
  const account = `forgotten ${digestOfAccount(email)}`
  return address === undefined ? [account] : [address.replace(/^address/, 'asker'), account]
}

/** Strips brackets, ports and the IPv4-mapped prefix, which proxies and dual-stack sockets add. */
const bareAddress = (ip: string) =>
  ip
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** Counts IPv6 by /64, because a client usually has a whole /64 to itself. */
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
 * Counts a password as wrong before it is checked, so that concurrent attempts and other processes are
 * included; `forgiveAttempts` undoes this if it was right. Throws 429 if a subject is at its maximum, whether
 * or not the account exists, and then counts nothing.
 */
export async function countAttempts(
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

/** Refuses without writing, so that a flood of attempts can't keep others from writing. */
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
  return fail('too_many_requests', 'Too many attempts. Try again later.', seconds)
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

/** The password was right: this attempt does not count, and earlier ones from the same browser or place are
 * forgotten. */
export async function forgiveAttempts(
  trx: ControlTrx,
  subjects: readonly string[],
  now: Millis,
): Promise<void> {
  for (const subject of subjects) {
    if (!FORGIVEN.has(kindOf(subject))) await uncount(trx, subject, now)
    else await deleteRows(trx, 'staff_tries', { subject })
  }
}

/** Undoes the count of attempts whose password was never checked. */
export async function uncountAttempts(
  trx: ControlTrx,
  subjects: readonly string[],
  now: Millis,
): Promise<void> {
  for (const subject of subjects) await uncount(trx, subject, now)
}

/** A window that began later keeps its count. */
async function uncount(trx: ControlTrx, subject: string, now: Millis): Promise<void> {
  await trx
    .updateTable('staff_tries')
    .set({ tries: sql<number>`tries - 1` })
    .where('subject', '=', subject)
    .where('begun_at', '<=', now)
    .execute()
}

/** Forgets the wrong passwords from unknown browsers at any address. Known browsers keep their counts. */
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
