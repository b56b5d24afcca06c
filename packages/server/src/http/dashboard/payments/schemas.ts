import { Type } from 'typebox'
import type {
  PaymentFlag,
  PaymentStatus,
  RefundStatus,
  Seconds,
  SubscriptionStatus,
} from '../../../db/tables.ts'
import { PAYMENT_COLUMNS } from '../../../domain/payments/payments.ts'
import { MOVEMENTS } from '../../../domain/subscriptions/movements.ts'
import { SUBSCRIPTION_COLUMNS } from '../../../domain/subscriptions/search.ts'
import { LAST_SECOND } from '../../../fields.ts'
import { PaymentStatusSchema } from '../../../records/payment.ts'
import { type Money, paging, searchTextSchema, sortSchema } from '../schemas.ts'

const named = Type.Optional(Type.String({ maxLength: 255 }))
const time = Type.Optional(Type.Integer({ minimum: 0, maximum: LAST_SECOND }))

/** Days such as 2027-03-28, in the application's time zone; both are inclusive. */
const days = {
  first: Type.Optional(Type.String({ maxLength: 10 })),
  last: Type.Optional(Type.String({ maxLength: 10 })),
}

export const SubscriptionQuery = Type.Object({
  ...paging,
  sort: sortSchema(SUBSCRIPTION_COLUMNS),
  status: Type.Optional(
    Type.Enum(['trialing', 'active', 'past_due', 'canceled', 'ended'], {
      description: 'Only subscriptions in this state.',
    }),
  ),
  rid: named,
  uid: named,
  moved: Type.Optional(
    Type.Enum([...MOVEMENTS], {
      description:
        'Only subscriptions with this movement on the given days. `paid` and `in_trial` are states at the end of the last day.',
    }),
  ),
  ...days,
  q: searchTextSchema,
})

export const PaymentQuery = Type.Object({
  ...paging,
  sort: sortSchema(PAYMENT_COLUMNS),
  status: Type.Optional(PaymentStatusSchema),
  flag: Type.Optional(
    Type.Enum(['any', 'late', 'duplicate', 'mismatch'], {
      description: 'Only payments that need attention for this reason; `any` finds all of them.',
    }),
  ),
  rid: named,
  uid: named,
  from: time,
  to: time,
  money: Type.Optional(
    Type.Enum(['taken', 'refunded', 'lost'], {
      description:
        'Finds payments whose money was taken, refunded or lost in a dispute on the given days.',
    }),
  ),
  ...days,
  currency: Type.Optional(
    Type.String({ pattern: '^[A-Z]{3}$', description: 'Only payments in this currency.' }),
  ),
  price: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}-[A-Z]{3}$',
      description:
        'Finds payments of exactly this amount in minor units and this currency, such as `390-EUR`.',
    }),
  ),
  q: searchTextSchema,
})

export const RefundBody = Type.Object({
  amount: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      description:
        'The amount to refund, in minor units of the currency, such as cents; by default all that is left.',
    }),
  ),
  reference: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Your own name for the refund: a repeated request with the same name refunds once.',
    }),
  ),
})

/** The resource and the reader, with readable names. */
interface About {
  /** The id of the resource, as your site names it. */
  rid: string
  /** The name of the resource. */
  resource: string
  /** The id of the person. */
  uid: string
  /** The person's verified email address, or else the one typed at a checkout; empty if there is neither. */
  email: string
  /** The person's first and last name; may be empty. */
  name: string
}

export interface SubscriptionItem extends About {
  /** The id of the subscription. */
  id: string
  /** The id of the access record that the subscription pays for. */
  access_id: string
  /** Your site's user_ref for the person; the uid if there is none. */
  user_ref: string
  /** The state. `past_due`: the last charge failed, and access continues for the grace period. `canceled`: it ends with the current period. */
  status: SubscriptionStatus
  /** The price of each period. */
  price: Money
  /** The length of each period, such as `1 month`. */
  period: string
  /** When the subscription began, in seconds since 1970. */
  created: number
  /** When the current period began, in seconds since 1970. */
  current_period_start: number
  /** When the current period ends, in seconds since 1970. */
  current_period_end: number
  /** When the access that the subscription grants ends, in seconds since 1970; null for access with no end date. */
  access_ends: number | null
  /** When the trial ends or ended, in seconds since 1970; null if there was none. */
  trial_ends: number | null
  /** When the subscription was canceled, in seconds since 1970; null if it was not. */
  canceled: number | null
  /** When the subscription ended, in seconds since 1970; null if it has not. */
  ended: number | null
  /** When the next step is due, in seconds since 1970; null while a payment is pending, and after the end. */
  next_due: number | null
  /** The step that is due at `next_due`: the email before the end of the trial, the renewal, or the end. */
  next_step: 'trial_notice' | 'renew' | 'end' | null
  /** The number of failed charges for the upcoming period. */
  tries: number
  /** The payment provider, such as `stripe`. */
  provider: string
  /** Whether a card is stored that the next period can be charged to. */
  has_card: boolean
}

export interface RefundItem {
  /** The id of the refund. */
  id: string
  /** The id of the payment that is refunded. */
  payment_id: string
  /** The amount that is paid back. */
  money: Money
  /** The state of the refund. `pending`: the provider has not answered yet. */
  status: RefundStatus
  /** Why the refund failed, or why it was made automatically; null for other refunds. */
  reason: string | null
  /** Your own name for the refund; null if none was given. */
  reference: string | null
  /** The actor that ordered the refund, such as `staff:ID` or `api`. */
  actor: string
  /** When the refund was ordered, in seconds since 1970. */
  created: number
  /** When the provider answered, in seconds since 1970; null while the refund is pending. */
  settled: number | null
  /** Why the provider has not settled it yet, in its own words or ours; null if there is nothing to say. */
  last_error: string | null
  /** When the provider is asked again, in seconds since 1970; null once it is settled. */
  next_attempt: number | null
}

export interface PaymentItem extends About {
  /** The id of the payment. */
  id: string
  /** The id of the access record that the payment pays for; null if it grants none. */
  access_id: string | null
  /** The id of the subscription that the payment belongs to; null for a single purchase. */
  subscription_id: string | null
  /** The amount charged. */
  money: Money
  /** The amount that was refunded so far. */
  refunded: Money
  /** The amount that lost disputes took so far. */
  lost: Money
  /** The amount that undecided disputes are about. */
  disputed: Money
  /** Whether the payment can be refunded although it is in dispute, as during an inquiry of a bank. */
  refundable_in_dispute: boolean
  /** The state of the payment. `lost`: a dispute was lost, and nothing of the payment is left. */
  status: PaymentStatus
  /** Why the payment needs attention; null if it does not. */
  flag: PaymentFlag | null
  /** Why the payment failed, such as `declined`; null if it did not. */
  failure: string | null
  /** When the payment was begun, in seconds since 1970. */
  created: number
  /** When the provider answered, in seconds since 1970; null while the payment is pending. */
  settled: number | null
  /** Why the provider has not settled it yet, in its own words or ours; null if there is nothing to say. */
  last_error: string | null
  /** When the provider is asked again, in seconds since 1970; null once it is settled. */
  next_attempt: number | null
  /** When the period that was paid for begins, in seconds since 1970; null for a payment without a period. */
  period_start: number | null
  /** When the period that was paid for ends, in seconds since 1970; null for a payment without a period. */
  period_end: number | null
  /** The payment provider, such as `stripe`. */
  provider: string
  /** The provider's id of the payment; null if there is none. */
  provider_ref: string | null
  /** All refunds of the payment, oldest first. */
  refunds: RefundItem[]
}

export interface PaymentDetails extends PaymentItem {
  /** The amount that can still be refunded. */
  refundable: Money
}

export interface SubscriptionDetails extends SubscriptionItem {
  /** The payments of the subscription, newest first. */
  payments: PaymentItem[]
}

/** A link that opens the page on which a reader manages a subscription. */
export interface NewManageLink {
  /** The URL of the page where the reader changes the card, cancels or resumes. */
  url: string
  /** When the link expires, in seconds since 1970. */
  expires: Seconds
}
