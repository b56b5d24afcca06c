import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { MailStatus, Millis, OutboxTable, Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { newId } from '../ids.ts'

export type MailRow = OutboxTable

/** All that the grant's mail says; the application's name, sender and template are read when it is
 * sent. */
export interface GrantMail {
  rid: string
  resource: string
  url: string
  message: string
  first_name: string
  ends: Seconds
}

/** `queued` where a server is set, `kept` where none is: such a mail is never sent by surprise. */
export type Delivery = Extract<MailStatus, 'queued' | 'kept'>

export interface NewMail {
  key: string
  aid: string
  uid: string
  kind: OutboxTable['kind']
  recipient: string
  payload: GrantMail
  delivery: Delivery
}

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

export interface Lease {
  token: string
  until: Millis
}

/**
 * Takes up to `count` mails that are due, or whose sender's lease has run out, for one sender. Each
 * claim counts as an attempt: a sender that dies in the middle has used it up.
 */
export async function claimMails(
  trx: Trx,
  wall: Millis,
  lease: Lease,
  count: number,
): Promise<MailRow[]> {
  const due = trx
    .selectFrom('outbox')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'queued'), eb('due', '<=', wall)]),
        eb.and([eb('status', '=', 'sending'), eb('lease_until', '<=', wall)]),
      ]),
    )
    .where('status', 'in', ['queued', 'sending'])
    .orderBy('due')
    .orderBy('id')
    .limit(count)
    // Other senders go on to the next mails instead of waiting for ours.
    .forUpdate()
    .skipLocked()
  return await trx
    .updateTable('outbox')
    .set((eb) => ({
      status: 'sending',
      attempts: eb('attempts', '+', 1),
      lease_token: lease.token,
      lease_until: lease.until,
    }))
    .where('id', 'in', due)
    .returningAll()
    .execute()
}

type Outcome =
  | { status: 'sent'; sent: Millis }
  | { status: 'queued'; due: Millis; error: string }
  | { status: 'dead'; error: string }

/** Writes down how a sending ended, unless the lease ran out and somebody else has the mail now. */
export async function settleMail(
  trx: Trx,
  mail: MailRow,
  lease: Lease,
  outcome: Outcome,
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
    .returning('id')
    .execute()
  return settled.length > 0
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

/** Puts a mail that was not sent (dead, or kept) back at the start, by hand. */
export async function retryMail(trx: Trx, id: string, wall: Millis): Promise<MailRow> {
  const row = await trx
    .updateTable('outbox')
    .set({ status: 'queued', attempts: 0, due: wall, last_error: null })
    .where('id', '=', id)
    .where('status', 'in', ['dead', 'kept', 'queued'])
    .returningAll()
    .executeTakeFirst()
  if (!row) throw fail('mail_not_found', 'No such mail that could be sent again.')
  return row
}

export async function countMails(db: Db): Promise<Record<MailStatus, number>> {
  const rows = await db
    .selectFrom('outbox')
    .select(['status', sql<number>`count(*)`.as('count')])
    .groupBy('status')
    .execute()
  const counts: Record<MailStatus, number> = { queued: 0, sending: 0, sent: 0, dead: 0, kept: 0 }
  for (const row of rows) counts[row.status] = Number(row.count)
  return counts
}
