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
  status: Type.Optional(Type.Enum(['trialing', 'active', 'past_due', 'canceled', 'ended'])),
  rid: named,
  uid: named,
  /** Finds those that moved on the given days; a state is that at the end of the last one. */
  moved: Type.Optional(Type.Enum([...MOVEMENTS])),
  ...days,
  q: searchTextSchema,
})

export const PaymentQuery = Type.Object({
  ...paging,
  sort: sortSchema(PAYMENT_COLUMNS),
  status: Type.Optional(PaymentStatusSchema),
  /** `any` finds all payments that need attention. */
  flag: Type.Optional(Type.Enum(['any', 'late', 'duplicate', 'mismatch'])),
  rid: named,
  uid: named,
  from: time,
  to: time,
  /** Finds payments whose money was taken, refunded or lost in a dispute on the given days. */
  money: Type.Optional(Type.Enum(['taken', 'refunded', 'lost'])),
  ...days,
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  /** Finds payments of exactly this amount in minor units and this currency, such as `390-EUR`. */
  price: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}-[A-Z]{3}$' })),
  q: searchTextSchema,
})

export const RefundBody = Type.Object({
  /** In minor units; defaults to all that is left. */
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  /** Idempotency key: repeated requests with the same reference make one refund. */
  reference: Type.Optional(Type.String({ maxLength: 100 })),
})

/** The resource and the reader, with readable names. */
interface About {
  rid: string
  resource: string
  uid: string
  /** The verified address, or else the one typed at a checkout; empty if there is neither. */
  email: string
  /** First and last name; may be empty. */
  name: string
}

export interface SubscriptionItem extends About {
  id: string
  access_id: string
  user_ref: string
  status: SubscriptionStatus
  price: Money
  period: string
  created: number
  current_period_start: number
  current_period_end: number
  /** The end of the access that it grants; null for access with no end date. */
  access_ends: number | null
  trial_ends: number | null
  canceled: number | null
  ended: number | null
  /** The worker's next step and its time; both are null while a payment is pending, and after the end. */
  next_due: number | null
  next_step: 'trial_notice' | 'renew' | 'end' | null
  /** Failed charges for the upcoming period. */
  tries: number
  provider: string
  has_card: boolean
}

export interface RefundItem {
  id: string
  payment_id: string
  money: Money
  status: RefundStatus
  /** Why it failed, or why it was made automatically. */
  reason: string | null
  reference: string | null
  actor: string
  created: number
  settled: number | null
}

export interface PaymentItem extends About {
  id: string
  access_id: string | null
  subscription_id: string | null
  money: Money
  refunded: Money
  status: PaymentStatus
  flag: PaymentFlag | null
  failure: string | null
  created: number
  settled: number | null
  period_start: number | null
  period_end: number | null
  provider: string
  provider_ref: string | null
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
  url: string
  expires: Seconds
}
