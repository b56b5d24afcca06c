import type { Trx } from '../../db/database.ts'
import { lockRow } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import type { Clocks } from '../access/grants/input.ts'
import { changeSource, findOpenSource, lockAccess } from '../access/sources.ts'
import { recordHistory } from '../history/history.ts'
import { type Delivery, hasMail } from '../mail/outbox.ts'
import { enqueuePaymentMail, type MailEvent, trialNoticeKey } from './mails.ts'
import {
  getSubscription,
  type SubscriptionRow,
  trialNoticeTime,
  updateSubscription,
} from './subscriptions.ts'

export interface SubscriptionChange {
  aid: string
  id: string
  actor: string
}

/** Locks the access record first, as every change of access does, and then the subscription. */
export async function lockSubscription(
  trx: Trx,
  aid: string,
  id: string,
): Promise<SubscriptionRow> {
  const { access_id } = await getSubscription(trx, aid, id)
  await lockAccess(trx, aid, access_id)
  const row = await lockRow(trx, 'subscriptions', { aid, id })
  // A merge may have moved the subscription to another access record before we got the lock.
  if (row.access_id !== access_id) await lockAccess(trx, aid, row.access_id)
  return row
}

/** Stops renewals. Access continues until the end of the paid period. */
export async function cancelSubscription(
  trx: Trx,
  who: SubscriptionChange,
  clocks: Clocks,
  delivery: Delivery,
): Promise<SubscriptionRow> {
  const { now } = clocks
  const row = await lockSubscription(trx, who.aid, who.id)
  if (row.status === 'ended') throw fail('subscription_not_found')
  if (row.status === 'canceled') return row
  const canceled = await updateSubscription(trx, row, {
    status: 'canceled',
    canceled: now,
    // While a charge is pending, its outcome decides how long the access lasts.
    ...(isCharging(row) ? {} : { next_due: row.current_period_end, next_step: 'end' }),
  })
  const event: MailEvent<'canceled'> = {
    kind: 'canceled',
    // One mail per period, however often the subscription is canceled and resumed.
    key: `canceled:${row.id}:${row.current_period_end}`,
    about: row,
    payload: { subscription: row.id, ends: Math.max(row.current_period_end, now) },
  }
  const isMailed = await hasMail(trx, row.aid, event.key)
  const mailKey = isMailed ? undefined : await enqueuePaymentMail(trx, event, clocks, delivery)
  await recordHistory(trx, [
    {
      ...historyEntry(row, now, who.actor),
      action: 'subscription canceled',
      before: { status: row.status },
      after: { status: 'canceled', ends: row.current_period_end },
      mailKey,
    },
  ])
  // Nothing paid is left: in the grace period, access was only kept open for the payment.
  const isOver = !isCharging(row) && row.current_period_end <= now
  return isOver ? await endSubscription(trx, canceled, 'canceled', now, who.actor) : canceled
}

/** Whether a renewal is ordered and its outcome is not known. Nothing else is scheduled meanwhile. */
export const isCharging = (row: SubscriptionRow): boolean =>
  row.next_due === null && row.status !== 'ended'

/** Renewals continue as if the subscription had not been canceled. */
export async function resumeSubscription(
  trx: Trx,
  who: SubscriptionChange,
  now: Seconds,
): Promise<SubscriptionRow> {
  const row = await lockSubscription(trx, who.aid, who.id)
  const isOver = row.status === 'canceled' && !isCharging(row) && row.current_period_end <= now
  if (row.status === 'ended' || isOver) throw fail('subscription_not_found')
  if (row.status !== 'canceled') return row
  const isTrial = row.trial_ends !== null && now < row.trial_ends
  const resumed = await updateSubscription(trx, row, {
    status: isTrial ? 'trialing' : 'active',
    canceled: null,
    ...(isCharging(row) ? {} : await nextStep(trx, row, isTrial, now)),
  })
  await recordHistory(trx, [
    {
      ...historyEntry(row, now, who.actor),
      action: 'subscription resumed',
      before: { status: row.status },
      after: { status: resumed.status },
    },
  ])
  return resumed
}

/** A trial that was canceled before its notice was sent still gets the notice. */
async function nextStep(
  trx: Trx,
  row: SubscriptionRow,
  isTrial: boolean,
  now: Seconds,
): Promise<Pick<SubscriptionRow, 'next_due' | 'next_step'>> {
  const { current_period_end, created } = row
  if (!isTrial || (await hasMail(trx, row.aid, trialNoticeKey(row)))) {
    return { next_due: current_period_end, next_step: 'renew' }
  }
  const notice = trialNoticeTime(current_period_end, created)
  return { next_due: Math.max(now, notice), next_step: 'trial_notice' }
}

/** Ends a subscription immediately and closes its source. The caller holds the locks. */
export async function endSubscription(
  trx: Trx,
  row: SubscriptionRow,
  why: string,
  now: Seconds,
  actor: string,
): Promise<SubscriptionRow> {
  if (row.status === 'ended') return row
  const ended = await updateSubscription(trx, row, {
    status: 'ended',
    ended: now,
    next_due: null,
    next_step: null,
  })
  const access = { aid: row.aid, id: row.access_id }
  const source = await findOpenSource(trx, row.aid, { subscriptionId: row.id })
  const ends =
    source && (await changeSource(trx, access, source.id, { closed: closeTime(source, now) }, now))
  await recordHistory(trx, [
    {
      ...historyEntry(row, now, actor),
      action: 'subscription ended',
      before: { status: row.status },
      after: { status: 'ended', why, ...(ends === undefined ? {} : { ends }) },
    },
  ])
  return ended
}

/** The row may come from a machine whose clock is ahead of ours; its end must not precede its creation. */
export const closeTime = (row: { created: Seconds }, now: Seconds): Seconds =>
  Math.max(row.created, now)

export const historyEntry = (row: SubscriptionRow, now: Seconds, actor: string) => ({
  aid: row.aid,
  uid: row.uid,
  rid: row.rid,
  accessId: row.access_id,
  at: now,
  actor,
  told: { subscription: row.id },
})
