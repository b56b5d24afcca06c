import type { Db } from '../../../db/database.ts'
import type { RowKey } from '../../../db/queries/rows.ts'
import type { CheckoutRefusal, Seconds } from '../../../db/tables.ts'
import { findOpenSource } from '../../access/sources.ts'
import { findPayment, type PaymentRow } from '../payments.ts'
import { refundableAmount } from '../refunds/orders.ts'
import type { CheckoutRow } from './checkouts.ts'

/**
 * The current state of a checkout as the reader sees it:
 * - `granted`: the reader has access to what was bought;
 * - a refusal: the checkout was completed but opened nothing;
 * - `refunded`, `disputed`, `lost`: what happened to its payment since;
 * - `ended`: the access it opened was revoked or has ended;
 * - `card_saved`: it replaced a card and was no purchase.
 */
export interface CheckoutState {
  kind: CheckoutStateKind
  /** State of the refund of the full amount: `pending` while refunds of all of it are ordered and some have not
   * succeeded yet. Undefined while part of the amount can still be refunded. */
  refund?: 'pending' | 'succeeded'
  isPaid: boolean
}

export type CheckoutStateKind =
  | 'open'
  | 'expired'
  | 'card_saved'
  | 'granted'
  | CheckoutRefusal
  | 'refunded'
  | 'disputed'
  | 'lost'
  | 'ended'

/** The page after the payment and the signed return both use this, so that they never contradict each other. */
export async function readCheckoutState(
  db: Db,
  checkout: CheckoutRow,
  now: Seconds,
): Promise<CheckoutState> {
  const { aid, status, purpose, payment_id, refusal } = checkout
  if (status !== 'paid') return { kind: status, isPaid: false }
  if (purpose === 'card') return { kind: 'card_saved', isPaid: false }
  const payment = await findPayment(db, aid, payment_id)
  const refund = payment && (await refundOf(db, payment))
  const closed = refusal ?? closedBy(payment, refund)
  const kind = closed ?? ((await isStillGranted(db, checkout, now)) ? kindOfOpen(payment) : 'ended')
  return { kind, isPaid: payment !== undefined, ...(refund ? { refund } : {}) }
}

async function refundOf(db: Db, payment: PaymentRow): Promise<CheckoutState['refund']> {
  if (payment.refunded === payment.amount) return 'succeeded'
  if (payment.lost_amount > 0) return undefined
  return (await refundableAmount(db, payment)) === 0 ? 'pending' : undefined
}

/** Why a payment no longer grants access; undefined if it may still do so. */
function closedBy(
  payment: PaymentRow | undefined,
  refund: CheckoutState['refund'],
): CheckoutStateKind | undefined {
  if (!payment) return undefined
  if (payment.flag !== null) return payment.flag
  if (payment.status === 'lost') return 'lost'
  return refund === undefined ? undefined : 'refunded'
}

/** An undecided dispute leaves the access open, but the payment is not confirmed to the application. */
const kindOfOpen = (payment: PaymentRow | undefined): CheckoutStateKind =>
  payment?.status === 'disputed' ? 'disputed' : 'granted'

/** Whether the purchase still grants access. */
async function isStillGranted(db: Db, checkout: CheckoutRow, now: Seconds): Promise<boolean> {
  const source = await findSource(db, checkout)
  return source !== undefined && source.ends > now
}

function findSource(db: Db, { aid, subscription_id, payment_id }: CheckoutRow) {
  const by =
    subscription_id === null ? { paymentId: payment_id } : { subscriptionId: subscription_id }
  return findOpenSource(db, aid, by)
}

/** Finds when the access from a purchase ends, if that may be shown to anyone who has the page's URL. A one-time period
 * begins after other paid time, so its end would tell whether a typed address already had access. */
export async function findShownEnd(db: Db, checkout: CheckoutRow): Promise<Seconds | undefined> {
  const { subscription_id, user_ref, vouched_email } = checkout
  const isProven = user_ref !== null || vouched_email !== null
  if (subscription_id === null && !isProven) return undefined
  return (await findSource(db, checkout))?.ends
}

/** Finds the access record that a purchase opened, while it is open. */
export async function findAccessOf(db: Db, checkout: CheckoutRow): Promise<RowKey | undefined> {
  const source = await findSource(db, checkout)
  return source && { aid: checkout.aid, id: source.access_id }
}
