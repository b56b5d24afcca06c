import type { Db } from '../../../db/database.ts'
import { listRows } from '../../../db/queries/rows.ts'
import type { Seconds } from '../../../db/tables.ts'
import { showMoney } from '../../apps/currency.ts'
import { clockOffsetOf } from '../../mail/outbox.ts'
import { applyPaymentFinding } from '../apply-payment.ts'
import { clocksOf } from '../context.ts'
import { findPayment, type PaymentRow, TAKEN_STATUSES } from '../payments.ts'
import { findPaymentByProviderRef } from '../provider-refs.ts'
import type { ComparisonContext } from './comparison.ts'
import { type ComparisonOutcome, compareReadable, openFinding, repairedFinding } from './outcome.ts'

/** Lists our payments that the provider should have recorded since then. */
export async function* listTakenPayments(
  comparison: ComparisonContext,
  since: Seconds,
): AsyncGenerator<PaymentRow> {
  for (const aid of comparison.aids) yield* listTakenPaymentsOf(comparison, aid, since)
}

async function* listTakenPaymentsOf(
  { ctx, provider }: ComparisonContext,
  aid: string,
  since: Seconds,
): AsyncGenerator<PaymentRow> {
  const ahead = clockOffsetOf(clocksOf(ctx))
  let after = ''
  for (;;) {
    const rows = await ctx.database.read
      .selectFrom('payments')
      .selectAll()
      .where((eb) => eb.and({ aid, provider: provider.name }))
      .where('status', 'in', TAKEN_STATUSES)
      .where('created', '>=', since + ahead)
      .where('id', '>', after)
      .orderBy('id')
      .limit(500)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/** Asks the provider by id for a payment that was not among the listed charges. */
export const compareUnlisted = (
  comparison: ComparisonContext,
  payment: PaymentRow,
  at: Seconds,
): Promise<ComparisonOutcome> =>
  compareReadable({ aid: payment.aid, paymentId: payment.id, at }, () =>
    lookUpUnlisted(comparison, payment, at),
  )

async function lookUpUnlisted(
  { provider }: ComparisonContext,
  payment: PaymentRow,
  at: Seconds,
): Promise<ComparisonOutcome> {
  const { id, provider_ref: ref, aid, amount, currency } = payment
  const providerRef = ref ?? undefined
  const query = { paymentId: undefined, ref: providerRef, method: undefined }
  const finding = await provider.find.payment(query)
  if (finding?.status === 'succeeded') return undefined
  const message =
    finding === undefined
      ? `the payment ${id} counts as paid, but the provider knows no charge ${ref ?? ''}`.trimEnd()
      : `the payment ${id} counts as paid, but the charge ${ref} is ${finding.status}`
  const about = { paymentId: id, aid, amount, currency, providerRef }
  return openFinding({ kind: 'charge_missing', message, ...about, at })
}

/** Updates a payment to the current state of its disputes. */
export async function compareDisputes(
  comparison: ComparisonContext,
  paymentRef: string,
  at: Seconds,
): Promise<ComparisonOutcome> {
  const { ctx, provider } = comparison
  const payment = await findPaymentByProviderRef(ctx.database.read, provider.name, paymentRef)
  if (!payment) return undefined
  return await compareReadable({ aid: payment.aid, paymentId: payment.id, at }, () =>
    updateDisputes(comparison, payment, paymentRef),
  )
}

async function updateDisputes(
  { ctx, provider }: ComparisonContext,
  payment: PaymentRow,
  paymentRef: string,
): Promise<ComparisonOutcome> {
  const query = { paymentId: undefined, ref: paymentRef, method: undefined }
  const finding = await provider.find.payment(query)
  if (finding?.dispute === undefined) return undefined
  await ctx.refreshClock()
  await ctx.database.write((trx) => applyPaymentFinding(trx, ctx, payment, finding))
  const after = await findPayment(ctx.database.read, payment.aid, payment.id)
  if (!after || isSameDispute(after, payment)) return undefined
  const { id, aid, amount, currency } = payment
  const lost = after.lost_amount === 0 ? '' : `, and ${showMoney(after.lost_amount, currency)} lost`
  const message = `the disputes of the payment ${id} have changed: it is now ${after.status}${lost}`
  return repairedFinding({
    kind: 'dispute_recorded',
    message,
    ...{ paymentId: id, providerRef: paymentRef, aid, amount, currency },
  })
}

const isSameDispute = (a: PaymentRow, b: PaymentRow): boolean =>
  a.status === b.status &&
  a.lost_amount === b.lost_amount &&
  a.disputed_amount === b.disputed_amount &&
  a.refundable_in_dispute === b.refundable_in_dispute

/** How long a lost dispute is compared again: the decision may be appealed, and its event may get lost. */
const APPEALABLE_S: Seconds = 120 * 86_400

/** Returns the provider's ids of payments that are in dispute here, or of which one was lost not long ago: since then, it may have
 * been decided or appealed. */
export async function listDisputedRefs({ ctx, aids }: ComparisonContext): Promise<string[]> {
  const refs: string[] = []
  const since = clocksOf(ctx).now - APPEALABLE_S
  for (const aid of aids) {
    const rows = [
      ...(await listRows(ctx.database.read, 'payments', { aid, status: 'disputed' })),
      ...(await listLostSince(ctx.database.read, aid, since)),
    ]
    refs.push(...rows.flatMap(({ provider_ref }) => provider_ref ?? []))
  }
  return refs
}

const listLostSince = (db: Db, aid: string, since: Seconds): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('aid', '=', aid)
    .where('lost', 'is not', null)
    .where('lost', '>=', since)
    .execute()
