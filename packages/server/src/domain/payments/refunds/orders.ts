import { createHash } from 'node:crypto'
import type { Db, Trx } from '../../../db/database.ts'
import { fail, invalid } from '../../../errors.ts'
import { derivedIdBeside } from '../../../ids.ts'
import type { Clocks } from '../../access/grants/input.ts'
import { recordHistory } from '../../history/history.ts'
import {
  isUpToBank,
  listRefunds,
  lockPayment,
  type PaymentRow,
  paymentHistoryEntry,
  type RefundRow,
} from '../payments.ts'

export interface RefundInput {
  aid: string
  paymentId: string
  /** Defaults to what is left of the payment. */
  amount?: number
  actor: string
  reason?: string
  /** The caller's idempotency key: requests with the same reference are one refund. Required for a partial refund. */
  reference?: string
  /** The occasion of the refund, if there is no reference. Together with the payment it determines the order's id. */
  cause?: string
  /** Whether to refuse a payment that is up to the bank instead of recording a failed refund. */
  isStrict?: true
}

/**
 * Stores a refund order before the provider is asked, so that it is carried out once, whatever happens then. If the bank
 * decides on the payment, its refund is stored as failed. While a bank only inquires, the provider is asked.
 */
export async function requestRefund(
  trx: Trx,
  input: RefundInput,
  clocks: Clocks,
): Promise<RefundRow> {
  const payment = await lockPayment(trx, input.aid, input.paymentId)
  const earlier = await findByReference(trx, input)
  if (earlier) return requireSameAmount(earlier, input)
  const isDisputed = isUpToBank(payment)
  if (isDisputed && input.isStrict) throw fail('payment_not_refundable')
  const left = await (isDisputed ? amountNotRefunded : refundableAmount)(trx, payment)
  const amount = input.amount ?? left
  if (left === 0 && wasPaid(payment))
    throw fail('refund_too_large', 'The payment is already refunded in full.')
  if (amount < 1 || amount > left) throw fail('refund_too_large')
  if (amount < left) requireReference(input)
  const refund: RefundRow = {
    id: await refundIdFor(trx, payment, input),
    aid: input.aid,
    payment_id: payment.id,
    amount,
    currency: payment.currency,
    status: isDisputed ? 'failed' : 'pending',
    reason: isDisputed ? 'disputed' : (input.reason ?? null),
    reference: input.reference ?? null,
    actor: input.actor,
    created: clocks.now,
    settled: isDisputed ? clocks.now : null,
    provider_ref: null,
    attempts: 0,
    due: isDisputed ? null : clocks.realTime,
    lease_until: null,
    last_error: null,
    refusals: 0,
  }
  await trx.insertInto('refunds').values(refund).execute()
  await recordHistory(trx, [
    {
      ...paymentHistoryEntry(payment, clocks, input.actor),
      action: isDisputed ? 'refund refused' : 'refund ordered',
      after: {
        refund: refund.id,
        payment: payment.id,
        amount,
        currency: refund.currency,
        reason: refund.reason,
      },
    },
  ])
  return refund
}

const wasPaid = ({ status }: PaymentRow) => status !== 'pending' && status !== 'failed'

/** A full refund can't happen twice; a partial one can, if the request is repeated. */
function requireReference({ reference }: RefundInput): void {
  if (reference !== undefined) return
  throw invalid(
    'reference',
    'this or an idempotency_key is required for a partial refund, so that a repeated request does not refund twice',
  )
}

/** Derives the id from the payment and the purpose of the refund, so that the same refund is the same order after a
 * restore. Without a purpose, the number of earlier refunds of the payment is used. */
async function refundIdFor(trx: Trx, payment: PaymentRow, input: RefundInput): Promise<string> {
  const { reference, cause = input.reason } = input
  if (reference !== undefined) return derivedIdBeside(payment.id, ['reference', reference])
  if (cause !== undefined) return derivedIdBeside(payment.id, ['cause', cause])
  const earlier = await listRefunds(trx, payment.aid, [payment.id])
  return derivedIdBeside(payment.id, ['number', earlier.length])
}

async function findByReference(db: Db, input: RefundInput): Promise<RefundRow | undefined> {
  if (input.reference === undefined) return undefined
  return await db
    .selectFrom('refunds')
    .selectAll()
    .where((eb) => eb.and({ aid: input.aid, payment_id: input.paymentId }))
    .where('reference', 'in', [input.reference, erasedReference(input.paymentId, input.reference)])
    .executeTakeFirst()
}

/** The rest of a refund's reference after the payer was erased: a digest that still recognizes a repeat. */
export function erasedReference(paymentId: string, reference: string): string {
  return `erased:${createHash('sha256').update(`${paymentId} ${reference}`).digest('hex')}`
}

function requireSameAmount(earlier: RefundRow, input: RefundInput): RefundRow {
  if (input.amount === undefined || input.amount === earlier.amount) return earlier
  throw invalid('reference', 'already used for a refund of another amount')
}

/** Returns the amount that is neither refunded, nor being refunded, nor lost in a dispute. */
export async function refundableAmount(db: Db, payment: PaymentRow): Promise<number> {
  return Math.max(0, (await amountNotRefunded(db, payment)) - payment.lost_amount)
}

/** Returns the amount that is neither refunded nor being refunded. */
export async function amountNotRefunded(db: Db, payment: PaymentRow): Promise<number> {
  const taken: readonly PaymentRow['status'][] = ['pending', 'failed', 'refunded']
  if (taken.includes(payment.status)) return 0
  const rows = await db
    .selectFrom('refunds')
    .select('amount')
    .where((eb) => eb.and({ aid: payment.aid, payment_id: payment.id }))
    .where('status', 'in', ['pending', 'succeeded'])
    .execute()
  return payment.amount - rows.reduce((sum, { amount }) => sum + amount, 0)
}
