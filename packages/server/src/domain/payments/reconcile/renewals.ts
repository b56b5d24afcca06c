import type { Trx } from '../../../db/database.ts'
import type { RowKey } from '../../../db/queries/rows.ts'
import { clockOffsetOf } from '../../mail/outbox.ts'
import { addPeriods } from '../../resources/periods.ts'
import { isCharging, lockSubscription } from '../../subscriptions/lifecycle.ts'
import { findSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions.ts'
import { applyPaymentFinding } from '../apply-payment.ts'
import { clocksOf } from '../context.ts'
import type { LedgerCharge, PaymentFinding } from '../provider.ts'
import { findPaymentByProviderRef } from '../provider-refs.ts'
import { isUnlabeledRenewal } from '../renewals/earlier-charges.ts'
import { beginAdoptedRenewal } from '../renewals/orders.ts'
import type { ComparisonContext } from './comparison.ts'
import { aboutCharge, type ComparisonOutcome, openFinding, repairedFinding } from './outcome.ts'

const DAY = 86_400

/** Finds the subscription that an unlabeled charge of an older version renewed: the one whose customer was charged,
 * if the amount is its price and the time is in the period that is due. */
export async function findUnlabeledSubscription(
  { ctx, provider }: ComparisonContext,
  charge: LedgerCharge,
): Promise<RowKey | undefined> {
  const { aid } = charge.labels
  const customer = charge.method?.split(':')[0]
  if (aid === undefined || customer === undefined) return undefined
  const rows = await ctx.database.read
    .selectFrom('subscriptions')
    .selectAll()
    .where((eb) => eb.and({ aid, provider: provider.name }))
    .where('method', '>', `${customer}:`)
    .where('method', '<', `${customer};`)
    .where('status', '<>', 'ended')
    .execute()
  const ahead = clockOffsetOf(clocksOf(ctx))
  const fitting = rows.filter(
    (row) => isUnlabeledRenewal(charge, row) && isInNextPeriod(row, charge.created + ahead),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

const isInNextPeriod = ({ current_period_end: starts, period }: SubscriptionRow, at: number) =>
  at >= starts - DAY && at < addPeriods(starts, period)

/** Records a charge as the payment for a period, with everything that follows from a renewal. */
export async function adoptRenewal(
  { ctx, provider }: ComparisonContext,
  charge: LedgerCharge,
  { id, aid }: RowKey,
): Promise<ComparisonOutcome> {
  const ask = (why: string) =>
    openFinding({
      kind: 'charge_unknown',
      message: `${charge.ref} was charged for the subscription ${id}, ${why}`,
      ...aboutCharge(charge),
    })
  if (!(await findSubscription(ctx.database.read, aid, id))) return ask('which is not known here')
  const query = { paymentId: undefined, ref: charge.ref, method: undefined }
  const finding = await provider.find.payment(query)
  if (finding?.status !== 'succeeded') return undefined
  await ctx.refreshClock()
  const paymentId = await ctx.database.write(async (trx) => {
    const row = await lockSubscription(trx, aid, id)
    const order = await orderFor(trx, provider.name, row, charge, clocksOf(ctx))
    if (order) await applyPaymentFinding(trx, ctx, order, finding as PaymentFinding)
    return order?.id
  })
  if (paymentId === undefined) return ask('for a period that is paid already, or after its end')
  const message = `${charge.ref} had paid for a period of the subscription ${id}, and is now recorded`
  return repairedFinding({ kind: 'renewal_adopted', message, paymentId, ...aboutCharge(charge) })
}

/** Returns the order that the charge settles: the pending one, or a new one for the next period, if one fits. */
async function orderFor(
  trx: Trx,
  provider: string,
  row: SubscriptionRow,
  { ref, labels }: LedgerCharge,
  clocks: ReturnType<typeof clocksOf>,
): Promise<RowKey | undefined> {
  const known = await findPaymentByProviderRef(trx, provider, ref)
  if (known) return known
  if (row.status === 'ended') return undefined
  if (isCharging(row)) return await findPendingPayment(trx, row)
  const periodStart = labels.periodStart ?? row.current_period_end
  if (periodStart < row.current_period_end) return undefined
  const begun = await beginAdoptedRenewal(
    trx,
    row,
    { paymentId: labels.paymentId as string, periodStart },
    clocks,
  )
  return begun.payment
}

async function findPendingPayment(
  trx: Trx,
  { aid, id }: SubscriptionRow,
): Promise<RowKey | undefined> {
  return await trx
    .selectFrom('payments')
    .select(['aid', 'id'])
    .where((eb) => eb.and({ aid, subscription_id: id, status: 'pending' }))
    .executeTakeFirst()
}
