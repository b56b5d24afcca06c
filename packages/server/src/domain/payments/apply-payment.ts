import type { Trx } from '../../db/database.ts'
import type { RowKey } from '../../db/queries/rows.ts'
import type { PaymentFlag } from '../../db/tables.ts'
import type { Clocks } from '../access/grants/input.ts'
import { recordHistory } from '../history/history.ts'
import { endSubscription, lockSubscription } from '../subscriptions/lifecycle.ts'
import { clocksOf, type PaymentContext, WORKER_ACTOR } from './context.ts'
import { settleDisputes } from './disputes.ts'
import { undecidedPause } from './orders/pauses.ts'
import {
  lockPayment,
  lockPaymentWithAccess,
  type PaymentRow,
  paymentHistoryEntry,
  updatePayment,
} from './payments.ts'
import type { PaymentFinding } from './provider.ts'
import { dropWaitingFinding } from './reconcile/findings.ts'
import { requestRefund } from './refunds/orders.ts'
import { recordFailedRenewal, recordPaidRenewal } from './renewals/renewals.ts'

/** Records what the provider says about a payment. A repeated or older event changes nothing. */
export async function applyPaymentFinding(
  trx: Trx,
  ctx: PaymentContext,
  { aid, id }: RowKey,
  finding: PaymentFinding,
): Promise<void> {
  const clocks = clocksOf(ctx)
  let payment = await lockPaymentWithAccess(trx, aid, id)
  if (payment === undefined) return
  if (payment.status === 'pending') payment = await applyOutcome(trx, ctx, payment, finding, clocks)
  else if (isTakenLate(payment, finding)) {
    payment = await recordLatePayment(trx, payment, finding, 'late', clocks)
  }
  if (finding.dispute !== undefined) await settleDisputes(trx, payment, finding.dispute, clocks)
}

/** A flagged payment is left to staff: its amount differs from what was requested. */
const isTakenLate = ({ status, flag }: PaymentRow, finding: PaymentFinding) =>
  status === 'failed' && flag === null && finding.status === 'succeeded'

async function applyOutcome(
  trx: Trx,
  ctx: PaymentContext,
  payment: PaymentRow,
  finding: PaymentFinding,
  clocks: Clocks,
): Promise<PaymentRow> {
  const { now, realTime } = clocks
  if (finding.status === 'pending') {
    const due = realTime + (await undecidedPause(trx, ctx, payment.attempts))
    return await updatePayment(trx, payment, {
      provider_ref: finding.ref ?? null,
      due,
      lease_until: null,
    })
  }
  const amountMatches =
    finding.money.amount === payment.amount && finding.money.currency === payment.currency
  const settled = await updatePayment(trx, payment, {
    status: finding.status === 'succeeded' && amountMatches ? 'succeeded' : 'failed',
    // The amount taken differs from what was requested: nothing opens, and staff have to look at it.
    ...(finding.status === 'succeeded' && !amountMatches ? { flag: 'mismatch' as const } : {}),
    failure: finding.status === 'failed' ? (finding.failure ?? 'declined') : null,
    provider_ref: finding.ref ?? null,
    settled: now,
    ...{ due: null, lease_until: null, last_error: null, deadline: null },
  })
  if (payment.last_error !== null) await dropWaitingFinding(trx, payment.id)
  await applyRenewalOutcome(trx, ctx, settled, clocks)
  return await lockPayment(trx, payment.aid, payment.id)
}

async function applyRenewalOutcome(
  trx: Trx,
  ctx: PaymentContext,
  payment: PaymentRow,
  clocks: Clocks,
): Promise<void> {
  if (payment.subscription_id === null) return
  const subscription = await lockSubscription(trx, payment.aid, payment.subscription_id)
  const renewal = { subscription, payment }
  if (payment.status === 'succeeded') {
    if (subscription.status === 'ended') await flagAndRefund(trx, payment, 'late', clocks)
    else await recordPaidRenewal(trx, ctx, renewal, clocks)
  } else if (subscription.status === 'canceled' && payment.failure === 'ended') {
    // The reader has canceled while the order waited, and nothing was charged.
    await endSubscription(trx, subscription, 'canceled', clocks.now, WORKER_ACTOR)
  } else if (subscription.status !== 'ended') await recordFailedRenewal(trx, ctx, renewal, clocks)
}

/** Records money for something that has ended: it is flagged for staff and refunded. */
async function recordLatePayment(
  trx: Trx,
  payment: PaymentRow,
  finding: PaymentFinding,
  flag: PaymentFlag,
  clocks: Clocks,
): Promise<PaymentRow> {
  const taken = await updatePayment(trx, payment, {
    status: 'succeeded',
    flag,
    failure: null,
    provider_ref: finding.ref ?? null,
    settled: clocks.now,
  })
  await flagAndRefund(trx, taken, flag, clocks)
  return await lockPayment(trx, payment.aid, payment.id)
}

export async function flagAndRefund(
  trx: Trx,
  payment: PaymentRow,
  flag: PaymentFlag,
  clocks: Clocks,
): Promise<void> {
  await updatePayment(trx, payment, { flag })
  await recordHistory(trx, [
    {
      ...paymentHistoryEntry(payment, clocks),
      action: 'payment not wanted',
      after: { payment: payment.id, flag },
    },
  ])
  await requestRefund(
    trx,
    { aid: payment.aid, paymentId: payment.id, actor: WORKER_ACTOR, reason: flag },
    clocks,
  )
}
