import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { emailKey } from '../users/email.ts'
import type { ControlTrx } from './staff.ts'

const WINDOW: Millis = 15 * 60_000

/** By what the subject is. */
const MOST = { account: 10, address: 50, challenges: 200 } as const

/** A digest: people type passwords where an address belongs, and those shall not be kept. */
export const accountSubject = (email: string) =>
  `account ${createHash('sha256').update(emailKey(email)).digest('hex')}`

/** Questions to authenticators, each of which is a row for some minutes. */
export const challengeSubject = (ip: string) => addressSubject(ip).replace('address', 'challenges')

/** Whoever has one IPv6 address has the 2^64 beside it too. */
export function addressSubject(ip: string): string {
  if (!isIPv6(ip)) return `address ${ip}`
  const [head = '', tail = ''] = ip.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return `address ${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

const mostOf = (subject: string) => MOST[subject.split(' ', 1)[0] as keyof typeof MOST]

/**
 * Counts a try for each subject before anything is looked at, in the database, so that all processes
 * count together and two at once are two. Throws 429 if it is one too many; known or not is the same.
 */
export async function countTries(
  control: ControlDatabase,
  subjects: readonly string[],
  now: Millis,
): Promise<void> {
  const waits = await control.write(async (trx) => {
    await trx
      .deleteFrom('staff_tries')
      .where('begun_at', '<=', now - WINDOW)
      .execute()
    const found: Millis[] = []
    // In one order: two who count the same subjects must not wait for each other.
    for (const subject of [...subjects].sort()) {
      const { begun_at, tries } = await countOne(trx, subject, now)
      if (tries > mostOf(subject)) found.push(begun_at + WINDOW - now)
    }
    return found
  })
  if (waits.length === 0) return
  const seconds = Math.max(1, Math.ceil(Math.max(...waits) / 1000))
  throw fail('too_many_requests', 'There were too many tries. Try again later.', seconds)
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
export async function forgiveTries(
  trx: ControlTrx,
  subjects: { account?: string; address?: string },
): Promise<void> {
  if (subjects.account !== undefined) {
    await trx.deleteFrom('staff_tries').where('subject', '=', subjects.account).execute()
  }
  if (subjects.address === undefined) return
  await trx
    .updateTable('staff_tries')
    .set({ tries: sql<number>`tries - 1` })
    .where('subject', '=', subjects.address)
    .execute()
}
