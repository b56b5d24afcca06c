import { createHash } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { type Failure, fail } from '../errors.ts'
import { emailKey } from '../users/email.ts'
import type { ControlTrx } from './staff.ts'

const WINDOW: Millis = 15 * 60_000

/** By what the subject is. */
const MOST = { account: 10, address: 50, challenges: 200 } as const

/** A digest: people type passwords where an address belongs, and those shall not be kept. */
export const accountSubject = (email: string) =>
  `account ${createHash('sha256').update(emailKey(email)).digest('hex')}`

/** Questions to authenticators, each of which is a row for some minutes: they are bounded even where all
 * visitors look like one. */
export const challengeSubject = (address = 'address unknown') =>
  address.replace('address', 'challenges')

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

const mostOf = (subject: string) => MOST[subject.split(' ', 1)[0] as keyof typeof MOST]

/** What is counted of one try. */
export interface Tried {
  /** Undefined where all addresses are that of one proxy, and would be locked out together. */
  address: string | undefined
  account?: string
}

/**
 * Counts a try before anything is looked at, in the database, so that all processes count together and two
 * at once are two. Throws 429 if it is one too many; known or not is the same. Whoever comes from an address
 * that has tried too often is refused by reading alone, and locks nobody's account any more.
 */
export async function countTries(
  control: ControlDatabase,
  { address, account }: Tried,
  now: Millis,
): Promise<void> {
  if (address !== undefined) {
    const known = await control.read
      .selectFrom('staff_tries')
      .select(['begun_at', 'tries'])
      .where('subject', '=', address)
      .where('begun_at', '>', now - WINDOW)
      .executeTakeFirst()
    if (known && known.tries >= mostOf(address)) throw tooMany(known.begun_at, now)
  }
  const lockedSince = await control.write(async (trx) => {
    await trx
      .deleteFrom('staff_tries')
      .where('begun_at', '<=', now - WINDOW)
      .execute()
    // The account comes last, and in this order for all: two who count the same must not wait in a circle.
    for (const subject of [address, account]) {
      if (subject === undefined) continue
      const { begun_at, tries } = await countOne(trx, subject, now)
      if (tries > mostOf(subject)) return begun_at
    }
    return undefined
  })
  if (lockedSince !== undefined) throw tooMany(lockedSince, now)
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

/** It was the right person: what was tried for the account is forgotten, and this one does not count. */
export async function forgiveTries(trx: ControlTrx, { address, account }: Tried): Promise<void> {
  // The address first, as they are counted.
  if (address !== undefined) await uncounting(trx, address).execute()
  if (account !== undefined) {
    await trx.deleteFrom('staff_tries').where('subject', '=', account).execute()
  }
}

/** Takes back what was counted at this time: nothing was looked at, so that nobody has learned anything.
 * What was tried before goes on to count, and nothing is taken from a window that has begun since. */
export async function takeBackTries(
  trx: ControlTrx,
  { address, account }: Tried,
  now: Millis,
): Promise<void> {
  for (const subject of [address, account]) {
    if (subject !== undefined) {
      await uncounting(trx, subject).where('begun_at', '<=', now).execute()
    }
  }
}

const uncounting = (trx: ControlTrx, subject: string) =>
  trx
    .updateTable('staff_tries')
    .set({ tries: sql<number>`tries - 1` })
    .where('subject', '=', subject)
