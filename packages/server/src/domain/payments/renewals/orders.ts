import type { Trx } from '../../../db/database.ts'
import type { Seconds } from '../../../db/tables.ts'
import { derivedId } from '../../../ids.ts'
import type { Clocks } from '../../access/grants/input.ts'
import { changeSource, findOpenSource } from '../../access/sources.ts'
import { getApplication } from '../../apps/applications.ts'
import { recordHistory } from '../../history/history.ts'
import { addPeriods } from '../../resources/periods.ts'
import { historyEntry } from '../../subscriptions/lifecycle.ts'
import { type SubscriptionRow, updateSubscription } from '../../subscriptions/subscriptions.ts'
import { type PaymentContext, WORKER_ACTOR } from '../context.ts'
import type { RenewalCharge } from '../labels.ts'
import { insertPayment, type PaymentRow, UNDISPUTED } from '../payments.ts'

const DAY: Seconds = 86_400

async function getGraceSeconds(trx: Trx, aid: string): Promise<Seconds> {
  return (await getApplication(trx, aid)).grace_days * DAY
}

/** Returns when the access of an unpaid subscription ends. The access record, the emails and all pages show this time. */
export async function getGraceEnd(
  trx: Trx,
  { aid, current_period_end }: SubscriptionRow,
): Promise<Seconds> {
  return current_period_end + (await getGraceSeconds(trx, aid))
}

/** Derives the id of a period's payment. If our database loses the order, the next order for the same period has
 * the same id, and so the same idempotency key at the provider. */
const paymentIdFor = ({ installation, subscriptionId, periodStart, attempt }: RenewalCharge) =>
  derivedId(periodStart, ['charge', installation, subscriptionId, periodStart, attempt])

export interface Renewal {
  payment: PaymentRow
  subscription: SubscriptionRow
}

/**
 * Stores the order to charge the next period, before the provider is asked; access stays open meanwhile. The period
 * starts where the last one ended, unless we are so late that the reader had lost access: nobody pays for days on
 * which the service was down.
 */
export async function beginRenewal(
  trx: Trx,
  ctx: PaymentContext,
  row: SubscriptionRow,
  installation: string,
  clocks: Clocks,
): Promise<Renewal> {
  const { now } = clocks
  const isLate = isTooLate(row, await getGraceEnd(trx, row), now)
  const periodStart = isLate ? now : row.current_period_end
  const renewal = { installation, subscriptionId: row.id, periodStart, attempt: row.tries }
  const moved = isLate ? { anchor: now, periods: 0, current_period_end: now } : {}
  const canCharge = row.method !== null && row.provider === ctx.provider?.name
  const outcome: Partial<PaymentRow> = canCharge
    ? {}
    : { status: 'failed', failure: 'no_card', settled: now, due: null }
  const payment = {
    ...newRenewalPayment(row, paymentIdFor(renewal), periodStart, clocks),
    ...outcome,
  }
  return await storeRenewal(trx, row, payment, moved, now)
}

/** Does the same for an existing charge whose order was lost in a restore. The period is the one that was charged,
 * however late it is now. */
export async function beginAdoptedRenewal(
  trx: Trx,
  row: SubscriptionRow,
  { paymentId, periodStart }: { paymentId: string; periodStart: Seconds },
  clocks: Clocks,
): Promise<Renewal> {
  const payment = newRenewalPayment(row, paymentId, periodStart, clocks)
  const isMoved = periodStart !== row.current_period_end
  const moved = isMoved ? { anchor: periodStart, periods: 0, current_period_end: periodStart } : {}
  return await storeRenewal(trx, row, payment, moved, clocks.now)
}

function newRenewalPayment(
  row: SubscriptionRow,
  id: string,
  periodStart: Seconds,
  { now, realTime }: Clocks,
): PaymentRow {
  return {
    id,
    aid: row.aid,
    rid: row.rid,
    uid: row.uid,
    access_id: row.access_id,
    subscription_id: row.id,
    checkout_id: null,
    period_start: periodStart,
    period_end: null,
    amount: row.amount,
    refunded: 0,
    currency: row.currency,
    provider: row.provider,
    provider_ref: null,
    method: row.method,
    status: 'pending',
    flag: null,
    failure: null,
    created: now,
    settled: null,
    attempts: 0,
    due: realTime,
    lease_until: null,
    ...UNDISPUTED,
    refusals: 0,
    last_error: null,
    deadline: null,
  }
}

async function storeRenewal(
  trx: Trx,
  row: SubscriptionRow,
  order: PaymentRow,
  moved: Partial<SubscriptionRow>,
  now: Seconds,
): Promise<Renewal> {
  const waiting = { ...moved, next_due: null, next_step: null }
  const subscription = await updateSubscription(trx, row, waiting)
  const begins = order.period_start as Seconds
  const graceEnd = await getGraceEnd(trx, { ...subscription, current_period_end: begins })
  const open = Math.max(graceEnd, now + DAY)
  const payment = { ...order, deadline: order.status === 'pending' ? open : null }
  await insertPayment(trx, payment)
  const ends = await setSourceEnd(trx, subscription, open, now)
  await recordHistory(trx, [
    {
      ...historyEntry(row, now, WORKER_ACTOR),
      action: 'renewal begun',
      after: { payment: payment.id, period_start: begins, ends },
    },
  ])
  return { payment, subscription }
}

/** Whether the access has already ended, or the whole period to be paid is over. */
function isTooLate(row: SubscriptionRow, graceEnd: Seconds, now: Seconds): boolean {
  const wouldEnd = addPeriods(row.anchor, row.period, row.periods + 1)
  return now > graceEnd + DAY || (row.tries === 0 && wouldEnd <= now)
}

/** Sets until when the subscription grants access; returns the end of the access. */
export async function setSourceEnd(
  trx: Trx,
  row: SubscriptionRow,
  ends: Seconds,
  now: Seconds,
): Promise<Seconds> {
  const source = await findOpenSource(trx, row.aid, { subscriptionId: row.id })
  if (!source) throw new Error(`the subscription ${row.id} holds nothing open`)
  return await changeSource(trx, { aid: row.aid, id: row.access_id }, source.id, { ends }, now)
}
