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
        'Finds those that moved on the given days; a state is that at the end of the last one.',
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
      description: '`any` finds all payments that need attention.',
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
      description: 'In minor units; defaults to all that is left.',
    }),
  ),
  reference: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Your own name for the refund: repeated with the same one, it is made once.',
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
  /** The verified address, or else the one typed at a checkout; empty if there is neither. */
  email: string
  /** First and last name; may be empty. */
  name: string
}

export interface SubscriptionItem extends About {
  /** The id of the subscription. */
  id: string
  /** The access record that it pays for. */
  access_id: string
  /** The reference of your site for the reader, or the uid. */
  user_ref: string
  /** `past_due`: the last charge failed, and access continues for the grace period. `canceled`: it ends with the current period. */
  status: SubscriptionStatus
  /** The price of a period. */
  price: Money
  /** Such as `1 month`. */
  period: string
  /** When it began, in seconds since 1970. */
  created: number
  /** When the current period began, in seconds since 1970. */
  current_period_start: number
  /** When the current period ends, in seconds since 1970. */
  current_period_end: number
  /** The end of the access that it grants; null for access with no end date. */
  access_ends: number | null
  /** When the trial ends or ended, in seconds; null if there was none. */
  trial_ends: number | null
  /** When it was canceled, in seconds; null if it was not. */
  canceled: number | null
  /** When it ended, in seconds; null if it has not. */
  ended: number | null
  /** The time of the worker's next step, in seconds; null while a payment is pending, and after the end. */
  next_due: number | null
  /** The worker's step at `next_due`. */
  next_step: 'trial_notice' | 'renew' | 'end' | null
  /** Failed charges for the upcoming period. */
  tries: number
  /** The payment provider. */
  provider: string
  /** Whether there is a card to charge. */
  has_card: boolean
}

export interface RefundItem {
  /** The id of the refund. */
  id: string
  /** The id of the payment. */
  payment_id: string
  /** How much is paid back. */
  money: Money
  /** `pending`: the provider has not answered yet. */
  status: RefundStatus
  /** Why it failed, or why it was made automatically. */
  reason: string | null
  /** Your own reference; null if none was given. */
  reference: string | null
  /** The actor, such as `staff:ID` or `api`. */
  actor: string
  /** When it was ordered, in seconds since 1970. */
  created: number
  /** When the provider answered, in seconds; null while it is pending. */
  settled: number | null
}

export interface PaymentItem extends About {
  /** The id of the payment. */
  id: string
  /** The access record that it pays for; null if it grants none. */
  access_id: string | null
  /** The subscription that it belongs to; null for a single purchase. */
  subscription_id: string | null
  /** The amount charged. */
  money: Money
  /** How much of it was paid back. */
  refunded: Money
  /** `lost`: a dispute was lost. */
  status: PaymentStatus
  /** Why somebody should look at it; null if nothing is wrong. */
  flag: PaymentFlag | null
  /** Why it failed, such as `declined`; null if it did not. */
  failure: string | null
  /** When it was begun, in seconds since 1970. */
  created: number
  /** When the provider answered, in seconds; null while it is pending. */
  settled: number | null
  /** When the paid period begins, in seconds; null if it has none. */
  period_start: number | null
  /** When the paid period ends, in seconds; null if it has none. */
  period_end: number | null
  /** The payment provider. */
  provider: string
  /** The provider's id for it; null if there is none. */
  provider_ref: string | null
  /** All refunds, oldest first. */
  refunds: RefundItem[]
}

export interface PaymentDetails extends PaymentItem {
  /** The amount that can still be refunded. */
  refundable: Money
}

export interface SubscriptionDetails extends SubscriptionItem {
  /** Newest first. */
  payments: PaymentItem[]
}

/** A link that opens the page on which a reader manages a subscription. */
export interface NewManageLink {
  /** Where the reader changes the card, cancels or resumes. */
  url: string
  /** When the link expires, in seconds since 1970. */
  expires: Seconds
}
