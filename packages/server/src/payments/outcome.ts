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
  const closed = refusal ?? closedBy(payment, refund)
  const kind = closed ?? ((await isOpen(db, checkout, now)) ? kindOfOpen(payment) : 'ended')
  return { kind, isPaid: payment !== undefined, ...(refund ? { refund } : {}) }
}

async function refundOf(db: Db, payment: PaymentRow): Promise<Outcome['refund']> {
  if (payment.refunded === payment.amount) return 'succeeded'
  return (await leftOf(db, payment)) === 0 ? 'pending' : undefined
}

/** Why a payment holds nothing open; undefined for one that may. */
function closedBy(
  payment: PaymentRow | undefined,
  refund: Outcome['refund'],
): OutcomeKind | undefined {
  if (!payment) return undefined
  if (payment.flag !== null) return payment.flag
  if (payment.status === 'lost') return 'lost'
  return refund === undefined ? undefined : 'refunded'
}

/** A dispute that is not decided leaves the access open, but nobody's word is given for the money. */
const kindOfOpen = (payment: PaymentRow | undefined): OutcomeKind =>
  payment?.status === 'disputed' ? 'disputed' : 'granted'

/** Whether what was bought still holds the access open. */
async function isOpen(db: Db, checkout: CheckoutRow, now: Seconds): Promise<boolean> {
  const { aid, subscription_id, payment_id } = checkout
  const by =
    subscription_id === null ? { paymentId: payment_id } : { subscriptionId: subscription_id }
  const source = await findOpenSource(db, aid, by)
  return source !== undefined && source.ends > now
}
