import type { Db } from '../../db/database.ts'
import { findApplicationOf } from '../../db/find-application.ts'
import { applyPaymentFinding } from './apply-payment.ts'
import { findCheckoutById } from './checkout/checkouts.ts'
import { refreshCheckout } from './checkout/poll-checkouts.ts'
import { type PaymentContext, requireProvider } from './context.ts'
import { findPayment } from './payments.ts'
import type { EventCheckout, EventOwner, EventSubject } from './provider.ts'
import { findPaymentByProviderRef } from './provider-refs.ts'
import { adoptCharge } from './reconcile/charges.ts'
import { isOwnObject, loadComparisonContext } from './reconcile/comparison.ts'
import { recordFindings } from './reconcile/findings.ts'
import type { ComparisonOutcome } from './reconcile/outcome.ts'
import { compareRefund } from './reconcile/refunds.ts'
import { applyRefundFinding, findRefund } from './refunds/refunds.ts'

type CheckoutSubject = Extract<EventSubject, { kind: 'checkout' }>
type PaymentSubject = Extract<EventSubject, { kind: 'payment' }>
type RefundSubject = Extract<EventSubject, { kind: 'refund' }>

/** Handles an event. Whatever the event says, the provider is asked for the current state. */
export async function applyEvent(ctx: PaymentContext, subject: EventSubject): Promise<void> {
  if (subject.kind === 'checkout') await applyCheckoutEvent(ctx, subject)
  else if (subject.kind === 'payment') await applyPaymentEvent(ctx, subject)
  else await applyRefundEvent(ctx, subject)
}

async function applyCheckoutEvent(ctx: PaymentContext, subject: CheckoutSubject): Promise<void> {
  const { checkoutId, isComplete, page } = subject
  const checkout = await findCheckoutById(ctx.database.read, checkoutId)
  if (checkout) await refreshCheckout(ctx, checkout)
  else if (isComplete && page?.paymentRef !== undefined) {
    await adoptLostCharge(ctx, page.paymentRef, page.owner)
  } else if (isComplete && page) await reportLostCheckout(ctx, checkoutId, page)
}

/** Handles a charge without a record here, which a restore may have lost, as the daily reconciliation would.
 * Charges of other installations on the same account are ignored. */
async function adoptLostCharge(ctx: PaymentContext, ref: string, owner: EventOwner): Promise<void> {
  const comparison = await loadComparisonContext(ctx)
  if (!comparison || !isOwnObject(comparison, owner)) return
  const charge = await comparison.ledger.charge(ref)
  if (charge?.status !== 'succeeded' || !isOwnObject(comparison, charge.labels)) return
  const { checkoutId } = charge.labels
  const isKnownCheckout =
    checkoutId !== undefined && (await findCheckoutById(ctx.database.read, checkoutId))
  // A checkout that is known here has its own event, and is polled while it is open.
  if (!isKnownCheckout) await recordOutcome(ctx, await adoptCharge(comparison, charge))
}

async function recordOutcome(ctx: PaymentContext, outcome: ComparisonOutcome): Promise<void> {
  if (!outcome || outcome.isRepaired) return
  const { finding } = outcome
  await ctx.database.write((trx) => recordFindings(trx, [finding], ctx.realTime()))
}

/** Reports a completed checkout that saved a card, for a trial or as a replacement, without a charge. It is no
 * longer known whom it was for. */
async function reportLostCheckout(
  ctx: PaymentContext,
  id: string,
  page: EventCheckout,
): Promise<void> {
  const comparison = await loadComparisonContext(ctx)
  const { installation, aid } = page.owner
  if (installation === undefined || installation !== comparison?.installation) return
  const finding = {
    kind: 'checkout_unknown' as const,
    message: `${page.ref} was completed for the checkout ${id}, which is not known here; nothing was charged`,
    providerRef: page.ref,
    ...(aid === undefined ? {} : { aid }),
    at: page.created,
  }
  await ctx.database.write((trx) => recordFindings(trx, [finding], ctx.realTime()))
}

async function applyPaymentEvent(ctx: PaymentContext, subject: PaymentSubject): Promise<void> {
  const { ref, owner } = subject
  const provider = requireProvider(ctx)
  const { read } = ctx.database
  const payment =
    (await findNamed(read, 'payments', findPayment, subject.paymentId, owner)) ??
    (ref === undefined ? undefined : await findPaymentByProviderRef(read, provider.name, ref))
  if (!payment && ref !== undefined && owner) return await adoptLostCharge(ctx, ref, owner)
  // The payment was made with another provider, or the event names nothing that is known here.
  if (payment?.provider !== provider.name) return
  const { id, provider_ref: known, method } = payment
  const named = known === null ? { paymentId: id, ref } : { paymentId: undefined, ref: known }
  const finding = await provider.find.payment({ ...named, method: method ?? undefined })
  if (finding) await ctx.database.write((trx) => applyPaymentFinding(trx, ctx, payment, finding))
}

/** Objects that older versions created at the provider don't name their application. */
async function findNamed<R>(
  db: Db,
  table: 'payments' | 'refunds',
  find: (db: Db, aid: string, id: string) => Promise<R | undefined>,
  id: string | undefined,
  owner: EventOwner | undefined,
): Promise<R | undefined> {
  if (id === undefined) return undefined
  const aid = owner?.aid ?? (await findApplicationOf(db, table, id))
  return aid === undefined ? undefined : await find(db, aid, id)
}

async function applyRefundEvent(ctx: PaymentContext, subject: RefundSubject): Promise<void> {
  const provider = requireProvider(ctx)
  const { read } = ctx.database
  const refund = await findNamed(read, 'refunds', findRefund, subject.refundId, subject.owner)
  if (!refund) return await adoptForeignRefund(ctx, subject)
  const payment = await findPayment(read, refund.aid, refund.payment_id)
  if (!payment || payment.provider !== provider.name || payment.provider_ref === null) return
  const finding = await provider.find.refund({
    refundId: refund.id,
    paymentRef: payment.provider_ref,
    ref: refund.provider_ref ?? undefined,
  })
  if (finding) await ctx.database.write((trx) => applyRefundFinding(trx, ctx, refund, finding))
}

/** Handles a refund that was made in the provider's own dashboard, or that a restore has lost. */
async function adoptForeignRefund(
  ctx: PaymentContext,
  { ref, paymentRef }: RefundSubject,
): Promise<void> {
  if (ref === undefined || paymentRef === undefined) return
  const comparison = await loadComparisonContext(ctx)
  const provider = comparison?.provider.name ?? ''
  if (!(await findPaymentByProviderRef(ctx.database.read, provider, paymentRef))) return
  const refund = await comparison?.ledger.refund(ref)
  if (comparison && refund) await recordOutcome(ctx, await compareRefund(comparison, refund))
}
