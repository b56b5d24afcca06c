import type { Trx } from '../../../db/database.ts'
import { updateRows } from '../../../db/queries/rows.ts'
import type { Millis, Seconds } from '../../../db/tables.ts'
import { recordNotice } from '../../mail/notices.ts'
import {
  backoffAfter,
  clocksOf,
  MAX_REFUSED_PAUSE_MS,
  type PaymentContext,
  refusedBackoffAfter,
} from '../context.ts'
import { getPayment, type PaymentRow, type RefundRow } from '../payments.ts'
import { OrderRefused, type ProviderError, ProviderRefusal } from '../provider-error.ts'
import { isWaitingReported, recordFindings } from '../reconcile/findings.ts'
import { ChargeInDoubt } from '../renewals/earlier-charges.ts'
import type { Claim, OrderTable } from './order-table.ts'

type Order = Pick<
  PaymentRow & RefundRow,
  'aid' | 'id' | 'amount' | 'currency' | 'created' | 'refusals'
> & { payment_id?: string }

/** Schedules the next attempt of an order whose outcome is not known yet, and tells staff if they have to do something or
 * the order has waited long. */
export async function postponeOrder(
  ctx: PaymentContext,
  table: OrderTable,
  claim: Claim,
  error: ProviderError,
): Promise<void> {
  await ctx.database.write(async (trx) => {
    const order = await lockClaimed(trx, table, claim)
    if (!order) return
    const refusals = order.refusals + (error instanceof OrderRefused ? 1 : 0)
    const due = ctx.realTime() + pauseAfter(error, claim, refusals)
    const last_error = error.message.slice(0, 500)
    const key = { aid: order.aid, id: order.id }
    await updateRows(trx, table, key, { due, lease_until: null, last_error, refusals })
    if (error instanceof ChargeInDoubt) return
    const isLong = ageAt(ctx, order, due) > MAX_REFUSED_PAUSE_MS
    if (error instanceof ProviderRefusal || isLong) await reportWaiting(trx, ctx, order, last_error)
  })
}

/** Returns undefined if another process has claimed the order after the lease has ended, or has settled it. */
async function lockClaimed(
  trx: Trx,
  table: OrderTable,
  { aid, id, attempts }: Claim,
): Promise<Order | undefined> {
  const rows: Order[] = await trx
    .selectFrom(table)
    .selectAll()
    .where((eb) => eb.and({ aid, id, status: 'pending', attempts }))
    .forUpdate()
    .execute()
  return rows[0]
}

function pauseAfter(error: ProviderError, { attempts }: Claim, refusals: number): Millis {
  const { retryAfter = 0 } = error
  if (error instanceof OrderRefused) return Math.max(retryAfter, refusedBackoffAfter(refusals))
  // A look or a cancellation was refused, or the key may not do it.
  if (error instanceof ProviderRefusal) return Math.max(retryAfter, refusedBackoffAfter(attempts))
  return Math.max(retryAfter, backoffAfter(attempts))
}

/** How old the order is when it is attempted again. */
const ageAt = (ctx: PaymentContext, { created }: { created: Seconds }, due: Millis): Millis =>
  (ctx.clock() - created) * 1000 + due - ctx.realTime()

/** Tells staff of an order that waits: once by a notice, and by a finding until it is settled. */
async function reportWaiting(
  trx: Trx,
  ctx: PaymentContext,
  { aid, id, amount, currency, payment_id }: Order,
  why: string,
): Promise<void> {
  const clocks = clocksOf(ctx)
  const isRefund = payment_id !== undefined
  const payment = await getPayment(trx, aid, payment_id ?? id)
  if (!(await isWaitingReported(trx, id))) {
    const { rid, subscription_id } = payment
    const money = { amount, currency }
    const subject = { aid, rid, ...money, id: isRefund ? payment.id : (subscription_id as string) }
    if (isRefund) await recordNotice(trx, 'refund_failed', 'refund_waits', subject, clocks)
    else await recordNotice(trx, 'payment_failed', 'renewal_waits', subject, clocks)
  }
  const what = isRefund ? `the refund ${id} of the payment ${payment.id}` : `the renewal ${id}`
  const finding = {
    kind: 'order_waiting' as const,
    message: `${what} waits: ${why}`,
    ...{ aid, orderId: id, paymentId: payment.id, amount, currency },
    at: Math.floor(clocks.realTime / 1000),
  }
  await recordFindings(trx, [finding], clocks.realTime)
}
