import type { Millis } from '../../../db/tables.ts'
import type {
  ChargeFailure,
  DisputeFinding,
  Money,
  PaymentFinding,
  RefundFinding,
} from '../provider.ts'
import { UnreadableObject } from '../provider-error.ts'
import { fromStripeAmount } from './amounts.ts'
import { SETTLED_WITHIN_MS } from './errors.ts'
import { METADATA_KEYS } from './metadata.ts'
import type { Dispute, Intent, Refund } from './schemas.ts'

function moneyOf(id: string, amount: number, currency: string): Money {
  const money = fromStripeAmount({ amount, currency })
  if (!money) throw new UnreadableObject(id, 'amount')
  return money
}

/** Returns the state of a payment, without its dispute, which Stripe reports separately. */
export function readIntent(intent: Intent, now: Millis): PaymentFinding {
  const status = statusOf(intent, now)
  const { amount, amount_received, currency } = intent
  return {
    status,
    ref: intent.id,
    money: moneyOf(intent.id, status === 'succeeded' ? amount_received : amount, currency),
    ...(status === 'failed' ? { failure: failureOf(intent) } : {}),
  }
}

function statusOf(intent: Intent, now: Millis): PaymentFinding['status'] {
  // While the payer is on the page, a declined card is not final.
  const isAttended = intent.metadata[METADATA_KEYS.checkout] !== undefined
  switch (intent.status) {
    case 'succeeded':
      return 'succeeded'
    case 'canceled':
      return 'failed'
    case 'processing':
    case 'requires_capture':
      return 'pending'
    case 'requires_action':
      return isAttended ? 'pending' : 'failed'
    case 'requires_payment_method':
    case 'requires_confirmation': {
      if (isAttended) return 'pending'
      const isStale = now - intent.created * 1000 > SETTLED_WITHIN_MS
      return intent.last_payment_error || isStale ? 'failed' : 'pending'
    }
    default:
      throw new UnreadableObject(intent.id, 'status')
  }
}

function failureOf({ status, last_payment_error: error }: Intent): ChargeFailure {
  const codes = [error?.code, error?.decline_code]
  const needsPayer = status === 'requires_action' || codes.includes('authentication_required')
  return needsPayer ? 'needs_payer' : 'declined'
}

/** Adds up the disputes of a charge, up to its amount. */
export function readDisputes(disputes: readonly Dispute[], charged: Money): DisputeFinding {
  const sum = (some: readonly Dispute[]) =>
    Math.min(
      some.reduce((all, one) => all + disputedAmount(one, charged), 0),
      charged.amount,
    )
  const open = disputes.filter((one) => outcomeOf(one) === 'opened')
  const isRefundable = open.every((one) => one.is_charge_refundable)
  return {
    lost: sum(disputes.filter((one) => outcomeOf(one) === 'lost')),
    ...(open.length > 0 ? { open: { amount: sum(open), isRefundable } } : {}),
  }
}

/** A dispute in another currency than the charge's counts for all of it: the bank has converted the amount. */
function disputedAmount({ amount, currency }: Dispute, charged: Money): number {
  const disputed = fromStripeAmount({ amount, currency })
  return disputed?.currency === charged.currency ? disputed.amount : charged.amount
}

function outcomeOf({ status, payment_method_details: details }: Dispute) {
  switch (status) {
    case 'lost':
      return 'lost'
    case 'won':
    // An inquiry that never became a dispute.
    case 'warning_closed':
      return 'won'
    // Resolved before it became a dispute: `resolution` means that the payer got the money back.
    case 'prevented':
      return details?.card?.case_type === 'resolution' ? 'lost' : 'won'
    // Unknown statuses count as open: until a dispute is decided, nothing changes.
    default:
      return 'opened'
  }
}

export function readRefund(refund: Refund): RefundFinding {
  const status = refundStatusOf(refund)
  const isDisputed = refund.failure_reason === 'charge_for_pending_refund_disputed'
  return {
    status,
    ref: refund.id,
    money: moneyOf(refund.id, refund.amount, refund.currency),
    ...(status === 'failed' ? { failure: isDisputed ? 'disputed' : 'refused' } : {}),
  }
}

function refundStatusOf({ id, status }: Refund): RefundFinding['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded'
    case 'pending':
    case 'requires_action':
      return 'pending'
    case 'failed':
    case 'canceled':
      return 'failed'
    default:
      throw new UnreadableObject(id, 'status')
  }
}
