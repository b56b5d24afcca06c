import { listRows } from '../../../db/queries/rows.ts'
import type { Seconds } from '../../../db/tables.ts'
import { clockOffsetOf } from '../../mail/outbox.ts'
import { applyPaymentFinding } from '../apply-payment.ts'
import { clocksOf } from '../context.ts'
import { findPayment, type PaymentRow, TAKEN_STATUSES } from '../payments.ts'
import { findPaymentByProviderRef } from '../provider-refs.ts'
import type { ComparisonContext } from './comparison.ts'
import { type ComparisonOutcome, openFinding, repairedFinding } from './outcome.ts'

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
export async function compareUnlisted(
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

/** Updates a payment to the current state of its dispute. */
export async function compareDispute(
  { ctx, provider }: ComparisonContext,
  paymentRef: string,
): Promise<ComparisonOutcome> {
  const { read } = ctx.database
  const payment = await findPaymentByProviderRef(read, provider.name, paymentRef)
  if (!payment) return undefined
  const query = { paymentId: undefined, ref: paymentRef, method: undefined }
  const finding = await provider.find.payment(query)
  if (finding?.dispute === undefined) return undefined
  await ctx.refreshClock()
  await ctx.database.write((trx) => applyPaymentFinding(trx, ctx, payment, finding))
  const after = await findPayment(read, payment.aid, payment.id)
  if (after?.status === payment.status) return undefined
  const { id, aid, amount, currency } = payment
  const message = `the payment ${id} is now ${after?.status}: its holder's bank has ${finding.dispute} a dispute`
  return repairedFinding({
    kind: 'dispute_recorded',
    message,
    ...{ paymentId: id, providerRef: paymentRef, aid, amount, currency },
  })
}

/** Returns the provider's ids of payments that are in dispute here: the dispute may have been decided. */
export async function listDisputedRefs({ ctx, aids }: ComparisonContext): Promise<string[]> {
  const refs: string[] = []
  for (const aid of aids) {
    const rows = await listRows(ctx.database.read, 'payments', { aid, status: 'disputed' })
    refs.push(...rows.flatMap(({ provider_ref }) => provider_ref ?? []))
  }
  return refs
}
