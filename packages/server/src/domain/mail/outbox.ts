import { type RawBuilder, sql } from 'kysely'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { countAffected, findMinimum, findRow, insertRows } from '../../db/queries/rows.ts'
import type {
  MailKind,
  MailPriority,
  MailStatus,
  Millis,
  OutboxTable,
  Seconds,
} from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { listDueApplications } from '../apps/turns.ts'
import type { MailPayloads } from './payloads.ts'

export type MailRow = OutboxTable

/** `queued` if a mail server is configured, otherwise `kept`, so that setting one up later sends no old
 * mails. CLI commands don't know the service's settings and always queue; a service without a mail server
 * then marks the mails as kept. */
export type Delivery = Extract<MailStatus, 'queued' | 'kept'>

export type NewMail = {
  [K in MailKind]: {
    key: string
    aid: string
    uid: string
    kind: K
    recipient: string
    /** The link number of the user, read together with the recipient. */
    linkNumber: number
    payload: MailPayloads[K]
    delivery: Delivery
    /** Set if it is one of many, as in an import: other mails are then sent before it. */
    bulk?: boolean | undefined
  }
}[MailKind]

const BULK_PRIORITY: MailPriority = 2

/** The priority of a mail that is not one of many. Sites may also grant access to thousands one by one. */
export const priorityOf = (kind: MailKind): MailPriority => (kind === 'grant' ? 1 : 0)

/** How far the environment's clock is ahead of real time. Never behind: the two are read one after the other. */
export const clockOffsetOf = ({ now, realTime }: { now: Seconds; realTime: Millis }): Seconds =>
  Math.max(0, now - Math.floor(realTime / 1000))

/** Runs in the transaction of the change that causes the mails, so they are sent only if it commits. */
export async function enqueueMails(
  trx: Trx,
  mails: readonly NewMail[],
  { now, realTime }: { now: Seconds; realTime: Millis },
): Promise<void> {
  if (mails.length === 0) return
  const rows = mails.map(({ delivery, payload, bulk, linkNumber, ...mail }) => ({
    ...mail,
    link_number: linkNumber,
    priority: bulk ? BULK_PRIORITY : priorityOf(mail.kind),
    id: newId(),
    payload: JSON.stringify(payload),
    status: delivery,
    attempts: 0,
    created: realTime,
    due: realTime,
    lease_token: null,
    lease_until: null,
    last_error: null,
    sent: null,
    clock_offset: clockOffsetOf({ now, realTime }),
  }))
  await insertRows(trx, 'outbox', rows)
}

/** Whether the event with this key already has a mail. */
export async function hasMail(db: Db, aid: string, key: string): Promise<boolean> {
  return (await findRow(db, 'outbox', { aid, key })) !== undefined
}

/** Whether the mail about an event has been sent, or will be. */
export async function isMailed(db: Db, aid: string, key: string): Promise<boolean> {
  const mail = await findRow(db, 'outbox', { aid, key })
  return mail !== undefined && mail.status !== 'kept' && mail.status !== 'dead'
}

/** SQL literals instead of parameters, because SQLite otherwise can't see that the partial index applies. */
export const isOpenSql = sql<boolean>`status in ('queued', 'sending')`
/** Excludes mails of erased people, which are dead as well but need no action. */
export const isFailedSql = sql<boolean>`status = 'dead' and recipient <> ''`

/** Mails no sender has claimed yet. A mail with failed attempts continues to be retried. */
const UNCLAIMED = {
  table: 'outbox',
  isDue: sql<boolean>`${isOpenSql} and status = 'queued' and attempts = 0`,
} as const

/** Marks all mails that no sender has claimed as kept. Returns how many. */
export async function markUnclaimedAsKept(database: EnvironmentDatabase): Promise<number> {
  let kept = 0
  for (const aid of await listDueApplications(database.read, UNCLAIMED)) {
    kept += await database.write(async (trx) => {
      const unclaimed = trx.updateTable('outbox').where('aid', '=', aid).where(UNCLAIMED.isDue)
      return await countAffected(unclaimed.set({ status: 'kept' }))
    })
  }
  return kept
}

/** The values of a mail that is kept instead of sent. */
export const KEPT = { status: 'kept', lease_token: null, lease_until: null } as const

/** Marks all unsent mails as `kept`: stored for staff to see, and never sent. An operator has discarded them. */
export async function markUnsentAsKept(trx: Trx): Promise<void> {
  await trx.updateTable('outbox').set(KEPT).where(isOpenSql).execute()
}

export interface MailFilter {
  aid?: string
  status?: MailStatus
  limit?: number
}

/** Lists the newest mails first. */
export async function listMails(db: Db, filter: MailFilter): Promise<MailRow[]> {
  let query = db.selectFrom('outbox').selectAll()
  if (filter.aid !== undefined) query = query.where('aid', '=', filter.aid)
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  return await query
    .orderBy('created', 'desc')
    .orderBy('id')
    .limit(filter.limit ?? 100)
    .execute()
}

export async function findMail(db: Db, aid: string, id: string): Promise<MailRow | undefined> {
  return await findRow(db, 'outbox', { aid, id })
}

/** Requeues an unsent mail (dead, kept, or waiting for a retry) with all its attempts. Mails of erased people
 * have no recipient left and are refused. */
export async function retryMail(
  trx: Trx,
  aid: string,
  id: string,
  realTime: Millis,
): Promise<MailRow> {
  const row = await trx
    .updateTable('outbox')
    .set((eb) => ({
      ...{ status: 'queued' as const, attempts: 0, due: realTime, last_error: null },
      // Somebody asked for this one.
      priority: eb
        .case()
        .when('kind', '=', 'grant')
        .then(priorityOf('grant'))
        .else(eb.ref('priority'))
        .end(),
    }))
    .where((eb) => eb.and({ aid, id }))
    .where('status', 'in', ['dead', 'kept', 'queued'])
    .where('recipient', '<>', '')
    .returningAll()
    .executeTakeFirst()
  if (!row) throw fail('mail_not_found', 'No such email that can be sent again.')
  return row
}

/** Requeues all failed mails of an application. Returns how many. */
export async function retryDeadMails(trx: Trx, aid: string, realTime: Millis): Promise<number> {
  const queued = { status: 'queued', attempts: 0, due: realTime, last_error: null } as const
  const failed = trx.updateTable('outbox').set(queued).where('aid', '=', aid).where(isFailedSql)
  return await countAffected(failed)
}

/** Returns when the oldest waiting mail was created, or undefined if none is waiting. */
export async function findOldestWaiting(db: Db): Promise<Millis | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select('created')
    .where(isOpenSql)
    .orderBy('created')
    .limit(1)
    .executeTakeFirst()
  return row?.created
}

/** Counts waiting and failed mails, using only indexes, so it stays fast however many were sent. */
export async function countUnsent(db: Db): Promise<Record<'queued' | 'sending' | 'dead', number>> {
  const open = await countByStatus(db, isOpenSql)
  const givenUp = await countByStatus(db, isFailedSql)
  return { queued: 0, sending: 0, dead: 0, ...open, ...givenUp }
}

/** When the mail that has waited longest was due; undefined if none waits. */
export async function findOldestDue(db: Db): Promise<Millis | undefined> {
  return await findMinimum(db.selectFrom('outbox').where(isOpenSql), 'due')
}

/** Scans the whole outbox, unlike `countUnsent`. */
export async function countMails(db: Db): Promise<Record<MailStatus, number>> {
  const done = await countByStatus(db, sql<boolean>`status in ('sent', 'kept')`)
  return { sent: 0, kept: 0, ...done, ...(await countUnsent(db)) }
}

async function countByStatus(
  db: Db,
  which: RawBuilder<boolean>,
): Promise<Partial<Record<MailStatus, number>>> {
  const rows = await db
    .selectFrom('outbox')
    .select(['status', sql<number>`count(*)`.as('count')])
    .where(which)
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]))
}
