import { createHash } from 'node:crypto'
import type { Times } from '../access/grant-wish.ts'
import type { Db, Trx } from '../db/database.ts'
import { fail } from '../errors.ts'
import { recordHistory } from '../history/history.ts'
import { derivedIdBeside } from '../ids.ts'
import {
  changeOfPayment,
  listRefunds,
  lockPayment,
  type PaymentRow,
  type RefundRow,
} from './payments.ts'

export interface RefundWish {
  aid: string
  paymentId: string
  /** What is left of the payment, unless set. */
  amount?: number
  actor: string
  reason?: string
  /** Asked for twice under one name, it is one refund. A part of a payment needs one. */
  reference?: string
  /** What it is for, where the caller has no name for it: with the payment, this makes the order's id. */
  cause?: string
  /** Where a payment is in dispute, refuse instead of writing down that it could not be paid back. */
  isStrict?: true
}

/**
 * Stores the order to pay back, before the provider is asked to: whatever happens then, it is carried out
 * once. A payment in dispute is the bank's to decide on: the refund has failed before it began.
 */
export async function orderRefund(trx: Trx, wish: RefundWish, times: Times): Promise<RefundRow> {
  const payment = await lockPayment(trx, wish.paymentId)
  if (payment.aid !== wish.aid) throw fail('payment_not_found')
  const earlier = await findByReference(trx, wish)
  if (earlier) return requireSame(earlier, wish)
  const isDisputed = payment.status === 'disputed' || payment.status === 'lost'
  if (isDisputed && wish.isStrict) throw fail('payment_not_refundable')
  const left = await leftOf(trx, payment)
  const amount = wish.amount ?? left
  if (amount < 1 || amount > left) throw fail('refund_too_large')
  if (amount < left) requireReference(wish)
  const refund: RefundRow = {
    id: await refundIdFor(trx, payment, wish),
    aid: wish.aid,
    payment_id: payment.id,
    amount,
    currency: payment.currency,
    status: isDisputed ? 'failed' : 'pending',
    reason: isDisputed ? 'disputed' : (wish.reason ?? null),
    reference: wish.reference ?? null,
    actor: wish.actor,
    created: times.now,
    settled: isDisputed ? times.now : null,
    provider_ref: null,
    attempts: 0,
    due: isDisputed ? null : times.wall,
    lease_until: null,
    last_error: null,
  }
  await trx.insertInto('refunds').values(refund).execute()
  await recordHistory(trx, [
    {
      ...changeOfPayment(payment, times, wish.actor),
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

/** All that is left can't be paid back twice; a part can, by a request that is repeated. */
function requireReference({ reference }: RefundWish): void {
  if (reference !== undefined) return
  throw fail(
    'invalid_parameter',
    'reference: is missing. A partial refund needs a reference of your choice, so that a repeated ' +
      'request does not refund twice.',
  )
}

/** Derived from the payment and what the refund is for, so that the same refund is the same order after a
 * restore too. Where nobody has said what it is for, it is the first, the second, … of its payment. */
async function refundIdFor(trx: Trx, payment: PaymentRow, wish: RefundWish): Promise<string> {
  const { reference, cause = wish.reason } = wish
  if (reference !== undefined) return derivedIdBeside(payment.id, ['reference', reference])
  if (cause !== undefined) return derivedIdBeside(payment.id, ['cause', cause])
  const earlier = await listRefunds(trx, payment.aid, [payment.id])
  return derivedIdBeside(payment.id, ['number', earlier.length])
}

async function findByReference(db: Db, wish: RefundWish): Promise<RefundRow | undefined> {
  if (wish.reference === undefined) return undefined
  return await db
    .selectFrom('refunds')
    .selectAll()
    .where('aid', '=', wish.aid)
    .where('payment_id', '=', wish.paymentId)
    .where('reference', 'in', [wish.reference, erasedReference(wish.paymentId, wish.reference)])
    .executeTakeFirst()
}

/** What is kept of a caller's own name for a refund once the payer was erased: enough to know it again. */
export function erasedReference(paymentId: string, reference: string): string {
  return `erased:${createHash('sha256').update(`${paymentId} ${reference}`).digest('hex')}`
}

function requireSame(earlier: RefundRow, wish: RefundWish): RefundRow {
  if (wish.amount === undefined || wish.amount === earlier.amount) return earlier
  throw fail('invalid_parameter', 'reference: a refund of another amount has this reference.')
}

/** What is neither paid back nor on its way. */
export async function leftOf(db: Db, payment: PaymentRow): Promise<number> {
  const taken: readonly PaymentRow['status'][] = ['pending', 'failed', 'refunded']
  if (taken.includes(payment.status)) return 0
  const rows = await db
    .selectFrom('refunds')
    .select('amount')
    .where('aid', '=', payment.aid)
    .where('payment_id', '=', payment.id)
    .where('status', 'in', ['pending', 'succeeded'])
    .execute()
  return payment.amount - rows.reduce((sum, { amount }) => sum + amount, 0)
}
