import type { Db, Trx } from '../../../db/database.ts'
import { findRow, type RowKey } from '../../../db/queries/rows.ts'
import type { Clocks } from '../../access/grants/input.ts'
import { recordHistory } from '../../history/history.ts'
import { recordNotice } from '../../mail/notices.ts'
import { enqueuePaymentMail } from '../../subscriptions/mails.ts'
import { clocksOf, type PaymentContext } from '../context.ts'
import { endAccessFromPayment } from '../paid-access.ts'
import {
  isGivenBack,
  lockPaymentWithAccess,
  type PaymentRow,
  paymentHistoryEntry,
  type RefundRow,
  statusByReturns,
  updatePayment,
} from '../payments.ts'
import type { RefundFinding } from '../provider.ts'
import { dropWaitingFinding } from '../reconcile/findings.ts'

export async function findRefund(db: Db, aid: string, id: string): Promise<RefundRow | undefined> {
  return await findRow(db, 'refunds', { aid, id })
}

/** Records what the provider says about a refund; repeating it changes nothing. */
export async function applyRefundFinding(
  trx: Trx,
  ctx: PaymentContext,
  { aid, id }: RowKey,
  finding: RefundFinding,
): Promise<void> {
  if (finding.status === 'pending') return
  const clocks = clocksOf(ctx)
  const asked = await findRefund(trx, aid, id)
  const payment = asked && (await lockPaymentWithAccess(trx, aid, asked.payment_id))
  const found = payment && (await findRefund(trx, aid, id))
  if (!found) return
  const isSame = finding.ref === found.provider_ref
  if (found.status === 'succeeded' && finding.status === 'failed' && isSame) {
    await recordBouncedRefund(trx, payment, found, clocks)
    return
  }
  const amountMatches =
    finding.money.amount === found.amount && finding.money.currency === found.currency
  const succeeded = finding.status === 'succeeded' && amountMatches
  const settled = await trx
    .updateTable('refunds')
    .set({
      status: succeeded ? 'succeeded' : 'failed',
      provider_ref: finding.ref ?? null,
      settled: clocks.now,
      due: null,
      lease_until: null,
      last_error: null,
      ...(succeeded ? {} : { reason: amountMatches ? (finding.failure ?? 'refused') : 'mismatch' }),
    })
    .where((eb) => eb.and({ aid, id, status: 'pending' }))
    .returningAll()
    .executeTakeFirst()
  if (!settled) return
  if (found.last_error !== null) await dropWaitingFinding(trx, id)
  if (settled.status === 'succeeded')
    await recordSuccessfulRefund(trx, ctx, payment, settled, clocks)
  else {
    await recordRefundHistory(trx, payment, settled, clocks)
    await recordRefundNotice(trx, 'refused', payment, settled, clocks)
  }
}

/** Staff look at the payment, so the notice names it and not the refund. */
const recordRefundNotice = (
  trx: Trx,
  event: 'refused' | 'bounced',
  { aid, id, rid, currency }: PaymentRow,
  { amount }: RefundRow,
  clocks: Clocks,
) => recordNotice(trx, 'refund_failed', event, { aid, id, rid, amount, currency }, clocks)

/** A bank can return a refund days later, and the seller has the money again. What the refund ended stays ended. */
async function recordBouncedRefund(
  trx: Trx,
  payment: PaymentRow,
  refund: RefundRow,
  clocks: Clocks,
): Promise<void> {
  const bounced = await trx
    .updateTable('refunds')
    .set({ status: 'failed', reason: 'bounced' })
    .where((eb) => eb.and({ aid: refund.aid, id: refund.id }))
    .returningAll()
    .executeTakeFirstOrThrow()
  const refunded = payment.refunded - refund.amount
  await updatePayment(trx, payment, withRefunded(payment, refunded))
  await recordRefundHistory(trx, payment, bounced, clocks)
  await recordRefundNotice(trx, 'bounced', payment, bounced, clocks)
}

async function recordSuccessfulRefund(
  trx: Trx,
  ctx: PaymentContext,
  payment: PaymentRow,
  refund: RefundRow,
  clocks: Clocks,
): Promise<void> {
  const refunded = payment.refunded + refund.amount
  const changed = await updatePayment(trx, payment, withRefunded(payment, refunded))
  const mailKey = await enqueuePaymentMail(
    trx,
    {
      kind: 'refunded',
      key: `refunded:${refund.id}`,
      about: { ...payment, amount: refund.amount },
      payload: { payment: payment.id, reason: refund.reason },
    },
    clocks,
    ctx.delivery,
  )
  await recordRefundHistory(trx, payment, refund, clocks, mailKey)
  if (isGivenBack(changed)) await endAccessFromPayment(trx, changed, 'refunded', clocks)
}

/** Returns the columns that say how much was refunded. A payment in dispute stays so until that is decided. */
function withRefunded(
  payment: PaymentRow,
  refunded: number,
): Pick<PaymentRow, 'refunded' | 'status'> {
  const { status } = payment
  return {
    refunded,
    status: status === 'disputed' ? status : statusByReturns({ ...payment, refunded }),
  }
}

async function recordRefundHistory(
  trx: Trx,
  payment: PaymentRow,
  { id, amount, status, reason }: RefundRow,
  clocks: Clocks,
  mailKey?: string,
): Promise<void> {
  await recordHistory(trx, [
    {
      ...paymentHistoryEntry(payment, clocks),
      action: `refund ${status}`,
      after: { refund: id, payment: payment.id, amount, currency: payment.currency, reason },
      mailKey,
    },
  ])
}
