import type { Db } from '../../../db/database.ts'
import { findApplicationOf } from '../../../db/find-application.ts'
import { showMoney } from '../../apps/currency.ts'
import { applyPaymentFinding } from '../apply-payment.ts'
import { findPayment, type PaymentRow, TAKEN_STATUSES } from '../payments.ts'
import type { LedgerCharge } from '../provider.ts'
import { findPaymentByProviderRef } from '../provider-refs.ts'
import { adoptCheckout } from './checkouts.ts'
import type { ComparisonContext } from './comparison.ts'
import { aboutCharge, type ComparisonOutcome, openFinding, repairedFinding } from './outcome.ts'
import { adoptRenewal, findUnlabeledSubscription } from './renewals.ts'

/** Finds the payment that records a charge. */
export async function findPaymentOfCharge(
  db: Db,
  provider: string,
  { ref, labels }: LedgerCharge,
): Promise<PaymentRow | undefined> {
  const byRef = await findPaymentByProviderRef(db, provider, ref)
  if (byRef || labels.paymentId === undefined) return byRef
  const aid = labels.aid ?? (await findApplicationOf(db, 'payments', labels.paymentId))
  return aid === undefined ? undefined : await findPayment(db, aid, labels.paymentId)
}

/** Compares a successful charge with its payment. */
export async function compareCharge(
  comparison: ComparisonContext,
  charge: LedgerCharge,
  payment: PaymentRow,
): Promise<ComparisonOutcome> {
  const { aid, provider_ref, status, flag, id } = payment
  const isAnother = provider_ref !== null && provider_ref !== charge.ref
  if (isAnother) {
    const message = `${charge.ref} is a second charge for the payment ${id}, which ${provider_ref} has paid`
    const about = { paymentId: id, ...aboutCharge(charge), aid }
    return openFinding({ kind: 'charge_unknown', message, ...about })
  }
  const isUnsettled = status === 'pending' || (status === 'failed' && flag === null)
  if (isUnsettled) return await applyKnownCharge(comparison, charge, payment)
  return TAKEN_STATUSES.includes(status) ? compareAmounts(charge, payment) : undefined
}

async function applyKnownCharge(
  { ctx, provider }: ComparisonContext,
  charge: LedgerCharge,
  { aid, id }: PaymentRow,
): Promise<ComparisonOutcome> {
  const query = { paymentId: undefined, ref: charge.ref, method: undefined }
  const finding = await provider.find.payment(query)
  if (finding?.status !== 'succeeded') return undefined
  await ctx.database.write((trx) => applyPaymentFinding(trx, ctx, { aid, id }, finding))
  const message = `the payment ${id} was charged as ${charge.ref}, and is now recorded as paid`
  return repairedFinding({
    kind: 'charge_recorded',
    message,
    paymentId: id,
    ...aboutCharge(charge),
    aid,
  })
}

function compareAmounts(charge: LedgerCharge, payment: PaymentRow): ComparisonOutcome {
  const { amount, currency } = charge.money
  if (payment.amount === amount && payment.currency === currency) return undefined
  const message =
    `the payment ${payment.id} is recorded as ${showMoney(payment.amount, payment.currency)}, ` +
    `but ${charge.ref} took ${showMoney(amount, currency)}`
  return openFinding({
    kind: 'amount_differs',
    message,
    paymentId: payment.id,
    ...aboutCharge(charge),
    aid: payment.aid,
  })
}

/** Records a charge without a payment here: for a period of a known subscription, or for a checkout. If its purpose
 * is not clear, staff decide. */
export async function adoptCharge(
  comparison: ComparisonContext,
  charge: LedgerCharge,
): Promise<ComparisonOutcome> {
  const { aid, checkoutId, subscriptionId: id } = charge.labels
  if (checkoutId !== undefined) return await adoptCheckout(comparison, charge)
  // Staff of the provider's account can edit labels: one may be missing.
  const subscription =
    id === undefined || aid === undefined
      ? await findUnlabeledSubscription(comparison, charge)
      : { id, aid }
  if (subscription) return await adoptRenewal(comparison, charge, subscription)
  const message = `${charge.ref} was charged by this installation, and nothing here says what for`
  return openFinding({ kind: 'charge_unknown', message, ...aboutCharge(charge) })
}
