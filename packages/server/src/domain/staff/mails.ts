import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { ControlDatabase } from '../../db/database.ts'
import { countAffected, countRows, deleteRows, findMinimum } from '../../db/queries/rows.ts'
import type { Millis, StaffLinkMailKind, StaffMailTable } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { claimedBy, type Lease, type SendOutcome, unsentValues } from '../mail/claims.ts'
import { KEPT } from '../mail/outbox.ts'
import type { ControlDb, ControlTrx } from './staff.ts'

export type StaffMailRow = StaffMailTable

type NewStaffMail = Pick<StaffMailTable, 'key' | 'kind'> &
  Partial<Pick<StaffMailTable, 'id' | 'staff_id' | 'aid' | 'link_digest'>> & { payload?: object }

/** The kinds of emails with a link, for which somebody waits. */
export const LINK_MAIL_KINDS: readonly StaffLinkMailKind[] = ['invite', 'reset', 'forgot']

const isOpenSql = sql<boolean>`status in ('queued', 'sending')`

const DAY: Millis = 86_400_000
/** How long emails are kept that have been sent, or will not be. */
const KEPT_MS: Millis = 30 * DAY

/** Queues emails, in the transaction of their cause. One whose key is known is not queued again. */
export async function enqueueStaffMails(
  trx: ControlTrx,
  mails: readonly NewStaffMail[],
  now: Millis,
): Promise<void> {
  if (mails.length === 0) return
  await removeOldMails(trx, now)
  const rows = mails.map(({ payload = {}, ...mail }) => ({
    ...{ id: newId(), staff_id: null, aid: null, link_digest: null },
    ...mail,
    payload: JSON.stringify(payload),
    status: 'queued' as const,
    attempts: 0,
    created_at: now,
    due_at: now,
    lease_token: null,
    lease_until: null,
    last_error: null,
    sent_at: null,
  }))
  await trx
    .insertInto('staff_mails')
    .values(rows)
    .onConflict((oc) => oc.column('key').doNothing())
    .execute()
}

async function removeOldMails(trx: ControlTrx, now: Millis): Promise<void> {
  await trx
    .deleteFrom('staff_mails')
    .where('created_at', '<=', now - KEPT_MS)
    .where('status', 'in', ['sent', 'dead', 'kept'])
    .execute()
}

/** The token of the link in an email. It is derived when it is needed, so that it is never stored; only somebody with the
 * master key can compute it. */
export const tokenOfMail = (secret: Buffer, mailId: string): string =>
  createHmac('sha256', secret).update(`staff link ${mailId}`).digest('hex')

/** Claims the email that is due: one with a link first, because somebody waits for it. Each claim counts as an attempt. */
export async function claimStaffMail(
  control: ControlDatabase,
  lease: Lease,
  now: Millis,
): Promise<StaffMailRow | undefined> {
  const isDue = sql<boolean>`${isOpenSql} and due_at <= ${now}
    and (status = 'queued' or lease_until <= ${now})`
  // Read first, so that an idle loop writes nothing.
  const waiting = await control.read
    .selectFrom('staff_mails')
    .select('id')
    .where(isDue)
    .limit(1)
    .execute()
  if (waiting.length === 0) return undefined
  return await control.write(async (trx) => {
    const due = await trx
      .selectFrom('staff_mails')
      .select('id')
      .where(isDue)
      .orderBy(sql`case when kind in ('invite', 'reset', 'forgot') then 0 else 1 end`)
      .orderBy('due_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!due) return undefined
    return await trx
      .updateTable('staff_mails')
      .set(claimedBy(lease))
      .where('id', '=', due.id)
      .returningAll()
      .executeTakeFirst()
  })
}

/** Returns when the next open email is due, even if a sender is working on it. */
export async function findNextStaffMail(db: ControlDb): Promise<Millis | undefined> {
  return await findMinimum(db.selectFrom('staff_mails').where(isOpenSql), 'due_at')
}

/** Records the outcome of a sending. Returns false if the lease has expired, as for the mails to readers. */
export async function recordStaffMailOutcome(
  trx: ControlTrx,
  mail: StaffMailRow,
  lease: Lease,
  outcome: SendOutcome,
  now: Millis,
): Promise<boolean> {
  const settled = await trx
    .updateTable('staff_mails')
    .set({
      ...{ lease_token: null, lease_until: null },
      ...(outcome.status === 'sent'
        ? { status: outcome.status, sent_at: outcome.sent }
        : unsentValues(outcome)),
      ...(outcome.status === 'queued' ? { due_at: outcome.due } : {}),
    })
    .where((eb) => eb.and({ id: mail.id, lease_token: lease.token }))
    .where('lease_until', '>', now)
    .returning('id')
    .execute()
  return settled.length > 0
}

/** Removes an email that nobody is to get any more. */
export async function dropStaffMail(trx: ControlTrx, id: string): Promise<void> {
  await deleteRows(trx, 'staff_mails', { id })
}

/** Marks the emails that no sender has claimed as kept, while no mail server is set. */
export async function keepUnclaimedStaffMails(control: ControlDatabase): Promise<number> {
  const isUnclaimed = sql<boolean>`${isOpenSql} and status = 'queued' and attempts = 0`
  const found = await countRows(control.read.selectFrom('staff_mails').where(isUnclaimed))
  if (found === 0) return 0
  return await control.write(async (trx) => {
    return await countAffected(
      trx.updateTable('staff_mails').set({ status: 'kept' }).where(isUnclaimed),
    )
  })
}

/** Marks all unsent emails as kept, when an operator discards them. */
export async function keepUnsentStaffMails(trx: ControlTrx): Promise<void> {
  await trx.updateTable('staff_mails').set(KEPT).where(isOpenSql).execute()
}

/** Counts the emails that wait, are being sent, or could not be delivered. */
export async function countUnsentStaffMails(
  db: ControlDb,
): Promise<Record<'queued' | 'sending' | 'dead', number>> {
  const rows = await db
    .selectFrom('staff_mails')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('status', 'in', ['queued', 'sending', 'dead'])
    .groupBy('status')
    .execute()
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]))
  return { queued: 0, sending: 0, dead: 0, ...counts }
}

/** Finds the email that failed last; undefined if none of the last 30 days did. */
export async function findLastFailedStaffMail(db: ControlDb): Promise<StaffMailRow | undefined> {
  return await db
    .selectFrom('staff_mails')
    .selectAll()
    .where('status', '=', 'dead')
    .orderBy('due_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function countWaitingStaffMails(db: ControlDb): Promise<number> {
  return await countRows(db.selectFrom('staff_mails').where(isOpenSql))
}
