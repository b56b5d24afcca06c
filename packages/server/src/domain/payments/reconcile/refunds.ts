import type { Trx } from '../../../db/database.ts'
import { findRow, type RowKey } from '../../../db/queries/rows.ts'
import type { Seconds } from '../../../db/tables.ts'
import { derivedIdBeside } from '../../../ids.ts'
import { recordHistory } from '../../history/history.ts'
import { clocksOf, type PaymentContext, WORKER_ACTOR } from '../context.ts'
import {
  listRefunds,
  lockPayment,
  lockPaymentWithAccess,
  type PaymentRow,
  paymentHistoryEntry,
  type RefundRow,
} from '../payments.ts'
import type { LedgerRefund, ListedRecord } from '../provider.ts'
import { findPaymentByProviderRef } from '../provider-refs.ts'
import { amountNotRefunded, refundableAmount, requestRefund } from '../refunds/orders.ts'
import { applyRefundFinding, findRefund } from '../refunds/refunds.ts'
import type { ComparisonContext } from './comparison.ts'
import { type ComparisonOutcome, compareReadable, openFinding, repairedFinding } from './outcome.ts'

/** The actor in the history for changes made by hand at the provider. */
const PROVIDER = 'provider'

/** Compares a refund at the provider with our record. A refund without a record was made in the provider's own
 * dashboard, or lost in a restore, and takes effect here. */
export async function compareRefund(
  comparison: ComparisonContext,
  refund: LedgerRefund,
): Promise<ComparisonOutcome> {
  const payment = await findRefundedPayment(comparison, refund)
  return payment && (await compareRefundOf(comparison, payment, refund))
}

/** Compares a refund that the provider lists, if it is of a payment of ours. */
export async function compareListedRefund(
  comparison: ComparisonContext,
  listed: ListedRecord<LedgerRefund> & { paymentRef: string },
  since: Seconds,
): Promise<ComparisonOutcome> {
  const payment = await findRefundedPayment(comparison, listed)
  if (!payment) return undefined
  const { aid, id: paymentId } = payment
  return await compareReadable({ aid, paymentId, at: listed.created ?? since }, () =>
    compareRefundOf(comparison, payment, listed.read()),
  )
}

const findRefundedPayment = (
  { ctx, provider }: ComparisonContext,
  { paymentRef }: { paymentRef: string },
) => findPaymentByProviderRef(ctx.database.read, provider.name, paymentRef)

async function compareRefundOf(
  { ctx }: ComparisonContext,
  payment: PaymentRow,
  refund: LedgerRefund,
): Promise<ComparisonOutcome> {
  const known = await findRowOfRefund(ctx, payment, refund)
  if (!known && refund.finding.status === 'failed') return undefined
  await ctx.refreshClock()
  const changed = await ctx.database.write((trx) => settle(trx, ctx, payment, known, refund))
  if (changed === 'same') return undefined
  const { ref, money } = refund.finding
  const about = { paymentId: payment.id, providerRef: ref, aid: payment.aid, ...money }
  if (changed === 'too_large') {
    const message = `${ref} paid back more of the payment ${payment.id} than is left of it here`
    return openFinding({ kind: 'refund_unknown', message, ...about, at: refund.created })
  }
  const message = known
    ? `the refund ${known.id} is now recorded as the provider has it (${ref})`
    : `${ref} was made at the provider, and now counts here: a refund of the payment ${payment.id}`
  return repairedFinding({ kind: known ? 'refund_recorded' : 'refund_adopted', message, ...about })
}

async function findRowOfRefund(
  { database: { read } }: PaymentContext,
  { aid, id }: PaymentRow,
  { labels, finding }: LedgerRefund,
): Promise<RefundRow | undefined> {
  const { refundId } = labels
  const byId = refundId === undefined ? undefined : await findRefund(read, aid, refundId)
  if (byId?.payment_id === id) return byId
  return await findRow(read, 'refunds', { aid, payment_id: id, provider_ref: finding.ref })
}

async function settle(
  trx: Trx,
  ctx: PaymentContext,
  { aid, id }: PaymentRow,
  known: RefundRow | undefined,
  refund: LedgerRefund,
): Promise<'same' | 'changed' | 'too_large'> {
  const payment = (await lockPaymentWithAccess(trx, aid, id)) as PaymentRow
  if (known) {
    await applyRefundFinding(trx, ctx, known, refund.finding)
    const after = await findRefund(trx, aid, known.id)
    return after?.status === known.status ? 'same' : 'changed'
  }
  const row = adoptedRow(ctx, payment, refund)
  // An event may have recorded it concurrently.
  if (await findRefund(trx, aid, row.id)) return 'same'
  await failExceedingOrders(trx, ctx, payment, row.amount)
  // It counts also if the bank took the same money in a dispute.
  if (row.amount > (await amountNotRefunded(trx, payment))) return 'too_large'
  await trx.insertInto('refunds').values(row).execute()
  await recordHistory(trx, [
    {
      ...paymentHistoryEntry(payment, clocksOf(ctx), PROVIDER),
      action: 'refund ordered',
      after: { refund: row.id, payment: id, amount: row.amount, currency: row.currency },
    },
  ])
  await applyRefundFinding(trx, ctx, row, refund.finding)
  await orderRest(trx, ctx, { aid, id }, row.id)
  return 'changed'
}

/** Fails our pending orders that ask for more than a refund made at the provider has left of the payment: the provider
 * will refuse them. */
async function failExceedingOrders(
  trx: Trx,
  ctx: PaymentContext,
  payment: PaymentRow,
  made: number,
): Promise<void> {
  const refunds = await listRefunds(trx, payment.aid, [payment.id])
  const done = refunds.filter(({ status }) => status === 'succeeded')
  const left = done.reduce((rest, { amount }) => rest - amount, payment.amount - made)
  for (const { id, status, amount, currency } of refunds) {
    if (status !== 'pending' || amount <= left) continue
    const money = { amount, currency }
    const refused = { status: 'failed', ref: undefined, money, failure: 'refused' } as const
    await applyRefundFinding(trx, ctx, { aid: payment.aid, id }, refused)
  }
}

/** Money that opened nothing is refunded in full. Once staff have refunded a part of it at the provider, our own order
 * asks for too much, and the rest is ordered again. */
async function orderRest(
  trx: Trx,
  ctx: PaymentContext,
  { aid, id: paymentId }: RowKey,
  adoptedId: string,
): Promise<void> {
  const payment = await lockPayment(trx, aid, paymentId)
  const { flag } = payment
  const isUnwanted = flag !== null && flag !== 'mismatch'
  if (!isUnwanted || (await refundableAmount(trx, payment)) === 0) return
  const input = { aid, paymentId, actor: WORKER_ACTOR, reason: flag, cause: `rest ${adoptedId}` }
  await requestRefund(trx, input, clocksOf(ctx))
}

function adoptedRow(
  ctx: PaymentContext,
  payment: PaymentRow,
  { finding, labels }: LedgerRefund,
): RefundRow {
  const { now, realTime } = clocksOf(ctx)
  return {
    id: labels.refundId ?? derivedIdBeside(payment.id, ['provider', finding.ref]),
    aid: payment.aid,
    payment_id: payment.id,
    ...finding.money,
    status: 'pending',
    reason: null,
    reference: labels.reference ?? null,
    actor: PROVIDER,
    created: now,
    settled: null,
    provider_ref: finding.ref,
    attempts: 0,
    due: realTime,
    lease_until: null,
    last_error: null,
    refusals: 0,
  }
}
