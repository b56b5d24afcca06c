import type { Clocks } from '../../access/grants/input.ts'
import { aidInCheckoutId } from '../checkout/checkout-ids.ts'
import { type CheckoutRow, findCheckoutById, newCheckoutRow } from '../checkout/checkouts.ts'
import { refreshCheckout } from '../checkout/poll-checkouts.ts'
import { clocksOf } from '../context.ts'
import type { LedgerCharge, LedgerCheckout } from '../provider.ts'
import type { ComparisonContext } from './comparison.ts'
import { aboutCharge, type ComparisonOutcome, openFinding, repairedFinding } from './outcome.ts'

/** Completes the checkout that a charge was part of. A checkout that a restore has lost is first rebuilt from the
 * labels of its charge. */
export async function adoptCheckout(
  comparison: ComparisonContext,
  charge: LedgerCharge,
): Promise<ComparisonOutcome> {
  const { ctx } = comparison
  const id = charge.labels.checkoutId as string
  const known = await findCheckoutById(ctx.database.read, id)
  const ask = (why: string) =>
    openFinding({
      kind: 'charge_unknown',
      message: `${charge.ref} was paid at the checkout ${id}, ${why}`,
      ...aboutCharge(charge),
    })
  const checkout = known ?? (await restoreCheckout(comparison, charge))
  if (!checkout) return ask('which is not known here and can’t be rebuilt')
  const { status, payment_id: paymentId } = await refreshCheckout(ctx, checkout)
  if (status !== 'paid') return ask(`which is ${status} here`)
  const message = known
    ? `the checkout ${id} was paid by ${charge.ref}, and is now complete`
    : `the checkout ${id} was lost and is rebuilt: ${charge.ref} had paid for it`
  const kind = known ? 'checkout_completed' : 'checkout_rebuilt'
  return repairedFinding({ kind, message, paymentId, ...aboutCharge(charge) })
}

/** Returns undefined if too little is known about the checkout, or its application does not exist here. */
async function restoreCheckout(
  { ctx, provider, ledger, aids }: ComparisonContext,
  charge: LedgerCharge,
): Promise<CheckoutRow | undefined> {
  const page = await ledger.checkoutOf(charge.ref)
  const row = page && rebuildCheckout(provider.name, charge, page, clocksOf(ctx))
  if (!row || !aids.has(row.aid)) return undefined
  await ctx.database.write((trx) =>
    trx
      .insertInto('checkouts')
      .values(row)
      // An event may have rebuilt it concurrently.
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  return row
}

/** Rebuilds a lost checkout from its charge; undefined if the charge does not say who bought what, or names two
 * applications. */
export function rebuildCheckout(
  provider: string,
  { money, labels }: LedgerCharge,
  page: LedgerCheckout,
  { now, realTime }: Clocks,
): CheckoutRow | undefined {
  const { aid, rid, checkoutId, paymentId, terms, userRef } = labels
  const isNamed = userRef !== undefined || page.email !== undefined
  if (!aid || !rid || !checkoutId || !paymentId || !terms || !isNamed) return undefined
  if ((aidInCheckoutId(checkoutId) ?? aid) !== aid) return undefined
  const { isVouched, ...sold } = terms
  return {
    ...newCheckoutRow(aid, rid, provider, now),
    ...money,
    ...sold,
    id: checkoutId,
    payment_id: paymentId,
    provider_ref: page.ref,
    due: realTime,
    user_ref: userRef ?? null,
    vouched_email: isVouched ? (page.email ?? null) : null,
    typed_email: isVouched ? null : (page.email ?? null),
  }
}
