import { findOpenSource } from '../access/sources.ts'
import type { Db } from '../db/database.ts'
import type { CheckoutRefusal, Seconds } from '../db/tables.ts'
import type { CheckoutRow } from './checkouts.ts'
import { findPayment, type PaymentRow } from './payments.ts'
import { leftOf } from './refund-orders.ts'

/** What became of a checkout, as it stands now:
 * - `granted`: what was bought is open to the reader;
 * - a refusal: it was completed and opened nothing;
 * - `refunded`, `disputed`, `lost`: what became of its payment since;
 * - `ended`: what it had opened was revoked, or is over;
 * - `card_saved`: it was for a new card, and no purchase. */
export interface Outcome {
  kind: OutcomeKind
  /** How a payment stands that is paid back in full; undefined if it is not. */
  refund?: 'pending' | 'succeeded'
  isPaid: boolean
}

export type OutcomeKind =
  | 'open'
  | 'expired'
  | 'card_saved'
  | 'granted'
  | CheckoutRefusal
  | 'refunded'
  | 'disputed'
  | 'lost'
  | 'ended'

/** The page and the signed return both ask here, so that neither says what the other denies. */
export async function outcomeOfCheckout(
  db: Db,
  checkout: CheckoutRow,
  now: Seconds,
): Promise<Outcome> {
  const { status, purpose, payment_id, refusal } = checkout
  if (status !== 'paid') return { kind: status, isPaid: false }
  if (purpose === 'card') return { kind: 'card_saved', isPaid: false }
  const payment = await findPayment(db, { id: payment_id })
  const refund = payment && (await refundOf(db, payment))
  const known = refusal ?? kindOfPayment(payment, refund)
  const kind = known ?? ((await isOpen(db, checkout, now)) ? 'granted' : 'ended')
  return { kind, isPaid: payment !== undefined, ...(refund ? { refund } : {}) }
}

async function refundOf(db: Db, payment: PaymentRow): Promise<Outcome['refund']> {
  if (payment.refunded === payment.amount) return 'succeeded'
  return (await leftOf(db, payment)) === 0 ? 'pending' : undefined
}

/** Undefined for a payment that stands. */
function kindOfPayment(
  payment: PaymentRow | undefined,
  refund: Outcome['refund'],
): OutcomeKind | undefined {
  if (!payment) return undefined
  const { flag, status } = payment
  if (flag !== null) return flag
  if (status === 'disputed' || status === 'lost') return status
  return refund === undefined ? undefined : 'refunded'
}

/** Whether what was bought still holds the access open. */
async function isOpen(db: Db, checkout: CheckoutRow, now: Seconds): Promise<boolean> {
  const { aid, subscription_id, payment_id } = checkout
  const by =
    subscription_id === null ? { paymentId: payment_id } : { subscriptionId: subscription_id }
  const source = await findOpenSource(db, aid, by)
  return source !== undefined && source.ends > now
}
