import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { MailKind, MailStatus, Millis, OutboxTable } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { newId } from '../ids.ts'
import type { MailPayloads } from './contents.ts'

export type MailRow = OutboxTable

/** `queued` where a server is set, `kept` where none is: such a mail is never sent by surprise. A command
 * does not know what the service has set, and queues; a service without a server keeps such mails at once. */
export type Delivery = Extract<MailStatus, 'queued' | 'kept'>

export type NewMail = {
  [K in MailKind]: {
    key: string
    aid: string
    uid: string
    kind: K
    recipient: string
    payload: MailPayloads[K]
    delivery: Delivery
  }
}[MailKind]

/** In the transaction of the change that calls for the mails: they go out if it commits, only then. */
export async function enqueueMails(
  trx: Trx,
  mails: readonly NewMail[],
  wall: Millis,
): Promise<void> {
  if (mails.length === 0) return
  const rows = mails.map(({ delivery, payload, ...mail }) => ({
    ...mail,
    id: newId(),
    payload: JSON.stringify(payload),
    status: delivery,
    attempts: 0,
    created: wall,
    due: wall,
    lease_token: null,
    lease_until: null,
    last_error: null,
    sent: null,
  }))
  await trx.insertInto('outbox').values(rows).execute()
}

/** Whether the event that a key names has its mail. */
export async function hasMail(db: Db, key: string): Promise<boolean> {
  const found = await db.selectFrom('outbox').select('id').where('key', '=', key).execute()
  return found.length > 0
}

export interface Lease {
  token: string
  until: Millis
}

/** Literals, not parameters: only so does SQLite see that the index of open mails will do. */
export const isOpen = sql<boolean>`status in ('queued', 'sending')`
/** Not the mail of a person who was erased: it is dead, but there is nothing left to do about it. */
export const isGivenUp = sql<boolean>`status = 'dead' and recipient <> ''`

/** Mails that are due, or whose sender's lease has run out, the longest waiting first. */
function selectDue(db: Db, wall: Millis, count: number) {
  return db
    .selectFrom('outbox')
    .select('id')
    .where(isOpen)
    .where('due', '<=', wall)
    .where((eb) => eb.or([eb('status', '=', 'queued'), eb('lease_until', '<=', wall)]))
    .orderBy('due')
    .limit(count)
}

/** Whether it is worth a write to claim. */
export async function areMailsDue(db: Db, wall: Millis): Promise<boolean> {
  return (await selectDue(db, wall, 1).execute()).length > 0
}

/**
 * Takes up to `count` mails for one sender. Each claim counts as an attempt: a sender that dies in the
 * middle has used it up.
 */
export async function claimMails(
  trx: Trx,
  wall: Millis,
  lease: Lease,
  count: number,
): Promise<MailRow[]> {
  // Other senders go on to the next mails instead of waiting for ours.
  const due = await selectDue(trx, wall, count).forUpdate().skipLocked().execute()
  if (due.length === 0) return []
  return await trx
    .updateTable('outbox')
    .set((eb) => ({
      status: 'sending',
      attempts: eb('attempts', '+', 1),
      lease_token: lease.token,
      lease_until: lease.until,
    }))
    .where(
      'id',
      'in',
      due.map((mail) => mail.id),
    )
    .returningAll()
    .execute()
}

export type Outcome =
  | { status: 'sent'; sent: Millis }
  | { status: 'queued'; due: Millis; error: string }
  | { status: 'dead'; error: string }

/** Writes down how a sending ended. False if the lease has run out: then the mail is somebody else's,
 * or about to be, and what we know of it counts no more. */
export async function settleMail(
  trx: Trx,
  mail: MailRow,
  lease: Lease,
  outcome: Outcome,
  wall: Millis,
): Promise<boolean> {
  const settled = await trx
    .updateTable('outbox')
    .set({
      status: outcome.status,
      lease_token: null,
      lease_until: null,
      ...(outcome.status === 'sent' ? { sent: outcome.sent } : { last_error: outcome.error }),
      ...(outcome.status === 'queued' ? { due: outcome.due } : {}),
    })
    .where('id', '=', mail.id)
    .where('lease_token', '=', lease.token)
    .where('lease_until', '>', wall)
    .returning('id')
    .execute()
  return settled.length > 0
}

/** Not yet taken on by any sender. A mail that one has tried to send goes on to be tried. */
const untried = (db: Db) =>
  db
    .selectFrom('outbox')
    .select('id')
    .where(isOpen)
    .where('status', '=', 'queued')
    .where('attempts', '=', 0)

export async function areUntriedMailsQueued(db: Db): Promise<boolean> {
  return (await untried(db).limit(1).execute()).length > 0
}

/** Keeps the mails that no sender has taken on; returns how many. */
export async function keepUntriedMails(trx: Trx): Promise<number> {
  const kept = await trx
    .updateTable('outbox')
    .set({ status: 'kept' })
    .where('id', 'in', untried(trx))
    .returning('id')
    .execute()
  return kept.length
}

/** Keeps every mail that was not sent yet, by hand. */
export async function keepAllUnsent(trx: Trx): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ status: 'kept', lease_token: null, lease_until: null })
    .where(isOpen)
    .execute()
}

export interface MailFilter {
  aid?: string
  status?: MailStatus
  limit?: number
}

/** Newest first. */
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

export async function findMail(db: Db, id: string): Promise<MailRow | undefined> {
  return await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Puts a mail that was not sent (dead, kept, or waiting for its next try) back at the start, by hand.
 * The mail of a person who was erased has nobody to go to. */
export async function retryMail(trx: Trx, id: string, wall: Millis): Promise<MailRow> {
  const row = await trx
    .updateTable('outbox')
    .set({ status: 'queued', attempts: 0, due: wall, last_error: null })
    .where('id', '=', id)
    .where('status', 'in', ['dead', 'kept', 'queued'])
    .where('recipient', '<>', '')
    .returningAll()
    .executeTakeFirst()
  if (!row) throw fail('mail_not_found', 'No such mail that could be sent again.')
  return row
}

/** The same for every mail that was given up, of one application or of all; returns how many. */
export async function retryDeadMails(
  trx: Trx,
  aid: string | undefined,
  wall: Millis,
): Promise<number> {
  let query = trx
    .updateTable('outbox')
    .set({ status: 'queued', attempts: 0, due: wall, last_error: null })
    .where(isGivenUp)
  if (aid !== undefined) query = query.where('aid', '=', aid)
  return (await query.returning('id').execute()).length
}

/** When the mail that has waited longest was called for; undefined if none waits. */
export async function findOldestWaiting(db: Db): Promise<Millis | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select('created')
    .where(isOpen)
    .orderBy('created')
    .limit(1)
    .executeTakeFirst()
  return row?.created
}

/** What is left to do, or was given up: quickly, however many mails were sent. */
export async function countUnsent(db: Db): Promise<Record<'queued' | 'sending' | 'dead', number>> {
  const open = await countByStatus(db, isOpen)
  const givenUp = await countByStatus(db, isGivenUp)
  return { queued: 0, sending: 0, dead: 0, ...open, ...givenUp }
}

/** Reads the whole outbox. */
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
