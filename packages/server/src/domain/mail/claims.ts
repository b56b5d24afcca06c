import { sql, type UpdateObject } from 'kysely'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import type { MailPriority, Millis, Tables } from '../../db/tables.ts'
import { type DueWork, findEarliest, takeInTurns } from '../apps/turns.ts'
import { isOpenSql, type MailRow } from './outbox.ts'

export interface Lease {
  token: string
  until: Millis
}

/** The values of a mail that a sender claims. Each claim counts as an attempt, even if the sender crashes midway. */
export const claimedBy = ({ token, until }: Lease) => ({
  ...{ status: 'sending' as const, lease_token: token, lease_until: until },
  attempts: sql<number>`attempts + 1`,
})

/** The values of a claimed mail whose attempt doesn't count. */
const UNCOUNTED = { attempts: sql<number>`attempts - 1` }

const PRIORITIES: readonly MailPriority[] = [0, 1, 2]

/** Mails that are due, or whose lease has expired. The priorities are listed so that the index finds the due mails of
 * each without reading those that wait for a retry. */
const dueMails = (realTime: Millis, priorities = PRIORITIES): DueWork => ({
  name: 'mails',
  table: 'outbox',
  isDue: sql`${isOpenSql} and priority in (${sql.join(priorities.map(sql.lit))})
    and due <= ${realTime} and (status = 'queued' or lease_until <= ${realTime})`,
})

const isQueued = sql<boolean>`${isOpenSql} and status = 'queued'`
const isSending = sql<boolean>`${isOpenSql} and status = 'sending'`

/** Returns when the next mail is due, or the next lease expires. */
export async function findNextMail(db: Db): Promise<Millis | undefined> {
  const times = [
    await findEarliest(db, 'outbox', 'due', isQueued),
    await findEarliest(db, 'outbox', 'lease_until', isSending),
  ].filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}

/**
 * Claims up to `count` mails for one sender, from one application after the other. Of each application the most urgent
 * come first, and of those the longest waiting.
 */
export async function claimMails(
  database: EnvironmentDatabase,
  lease: Lease,
  count: number,
  realTime: Millis,
): Promise<MailRow[]> {
  return await takeInTurns(database, dueMails(realTime), count, (aid, share) =>
    database.write((trx) => claimOf(trx, aid, lease, share, realTime)),
  )
}

async function claimOf(
  trx: Trx,
  aid: string,
  lease: Lease,
  count: number,
  realTime: Millis,
): Promise<MailRow[]> {
  const ids: string[] = []
  for (const priority of PRIORITIES) {
    const due = await trx
      .selectFrom('outbox')
      .select('id')
      .where('aid', '=', aid)
      .where(dueMails(realTime, [priority]).isDue)
      .orderBy('due')
      .limit(count - ids.length)
      // Other senders skip the locked rows instead of waiting for them.
      .forUpdate()
      .skipLocked()
      .execute()
    ids.push(...due.map(({ id }) => id))
    if (ids.length === count) break
  }
  if (ids.length === 0) return []
  return await trx
    .updateTable('outbox')
    .set(claimedBy(lease))
    .where('aid', '=', aid)
    .where('id', 'in', padList(ids))
    .returningAll()
    .execute()
}

/** A mail that a sender has claimed. */
export interface ClaimedMail {
  mail: MailRow
  lease: Lease
}

/** Gives claimed mails back that no mail server was asked to take: they are due at `due`, and have lost no attempt. */
export async function releaseMails(
  trx: Trx,
  claimed: readonly ClaimedMail[],
  due: Millis,
): Promise<void> {
  for (const [{ aid, token }, mails] of groupByLease(claimed)) {
    await trx
      .updateTable('outbox')
      .set({ status: 'queued', due, lease_token: null, lease_until: null, ...UNCOUNTED })
      .where((eb) => eb.and({ aid, lease_token: token }))
      .where('id', 'in', padList(idsOf(mails)))
      .execute()
  }
}

export type SendOutcome =
  | { status: 'sent'; sent: Millis }
  | { status: 'queued'; due: Millis; error: string; isUncounted?: boolean }
  | { status: 'dead'; error: string }

/** The values of a mail that was not sent. */
export const unsentValues = (outcome: Exclude<SendOutcome, { status: 'sent' }>) => ({
  status: outcome.status,
  last_error: outcome.error,
  ...(outcome.status === 'queued' && outcome.isUncounted ? UNCOUNTED : {}),
})

/** A claimed mail, and how its sending went. */
export interface SentMail extends ClaimedMail {
  outcome: SendOutcome
}

/** Records the outcomes of mails that were sent at the same time. Returns the ids of those whose lease has not expired.
 * Another sender has or will get the rest, so their outcomes no longer count. */
export async function recordSendOutcomes(
  trx: Trx,
  sent: readonly SentMail[],
  realTime: Millis,
): Promise<Set<string>> {
  const recorded = new Set<string>()
  const accepted = sent.filter(({ outcome }) => outcome.status === 'sent')
  for (const [{ aid, token }, mails] of groupByLease(accepted)) {
    const times = mails.flatMap(({ outcome }) => (outcome.status === 'sent' ? outcome.sent : []))
    const values = { status: 'sent', sent: Math.max(...times) } as const
    for (const id of await settle(trx, { aid, token, ids: idsOf(mails) }, values, realTime)) {
      recorded.add(id)
    }
  }
  for (const { mail, lease, outcome } of sent) {
    if (outcome.status === 'sent') continue
    const due = outcome.status === 'queued' ? { due: outcome.due } : {}
    const which = { aid: mail.aid, token: lease.token, ids: [mail.id] }
    const values = { ...unsentValues(outcome), ...due }
    for (const id of await settle(trx, which, values, realTime)) recorded.add(id)
  }
  return recorded
}

async function settle(
  trx: Trx,
  { aid, token, ids }: { aid: string; token: string; ids: string[] },
  values: UpdateObject<Tables, 'outbox'>,
  realTime: Millis,
): Promise<string[]> {
  const rows = await trx
    .updateTable('outbox')
    .set({ ...values, lease_token: null, lease_until: null })
    .where((eb) => eb.and({ aid, lease_token: token }))
    .where('id', 'in', padList(ids))
    .where('lease_until', '>', realTime)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

const idsOf = (claimed: readonly ClaimedMail[]) => claimed.map(({ mail }) => mail.id)

/** Mails of one application that were claimed together share a lease, and are changed by one statement. */
function groupByLease<T extends ClaimedMail>(claimed: readonly T[]) {
  const groups = new Map<string, [{ aid: string; token: string }, T[]]>()
  for (const one of claimed) {
    const key = { aid: one.mail.aid, token: one.lease.token }
    const name = JSON.stringify(key)
    const group = groups.get(name) ?? [key, []]
    group[1].push(one)
    groups.set(name, group)
  }
  return groups.values()
}
