import { Type } from 'typebox'
import type {
  PaymentFlag,
  PaymentStatus,
  RefundStatus,
  SubscriptionStatus,
} from '../../db/tables.ts'
import { type Money, paging, searched } from './shapes.ts'

const named = Type.Optional(Type.String({ maxLength: 255 }))
const time = Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799 }))

export const SubscriptionQuery = Type.Object({
  ...paging,
  status: Type.Optional(Type.Enum(['trialing', 'active', 'past_due', 'canceled', 'ended'])),
  rid: named,
  uid: named,
  q: searched,
})

export const PaymentQuery = Type.Object({
  ...paging,
  status: Type.Optional(
    Type.Enum([
      'pending',
      'succeeded',
      'failed',
      'partially_refunded',
      'refunded',
      'disputed',
      'lost',
    ]),
  ),
  /** `any` finds all that somebody should look at. */
  flag: Type.Optional(Type.Enum(['any', 'late', 'duplicate', 'mismatch'])),
  rid: named,
  uid: named,
  from: time,
  to: time,
  /** With money that was paid back since then. */
  refunded_from: time,
  q: searched,
})

export const RefundBody = Type.Object({
  /** In minor units; all that is left unless given. */
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  /** Asked for twice under one name, it is one refund. */
  reference: Type.Optional(Type.String({ maxLength: 100 })),
})

/** Whose it is, and of what, in the words of people. */
interface About {
  rid: string
  resource: string
  uid: string
  /** Empty where no proven address is known. */
  email: string
}

export interface ShownSubscription extends About {
  id: string
  access_id: string
  user_ref: string
  status: SubscriptionStatus
  price: Money
  period: string
  created: number
  current_period_start: number
  current_period_end: number
  trial_ends: number | null
  canceled: number | null
  ended: number | null
  /** When it is looked at again, and what for; null while it waits for a payment, or has ended. */
  next_due: number | null
  next_step: 'trial_notice' | 'renew' | 'end' | null
  /** Charges that failed for the period to come. */
  tries: number
  provider: string
  has_card: boolean
}

export interface ShownRefund {
  id: string
  money: Money
  status: RefundStatus
  /** Why it failed, or was made without anybody asking. */
  reason: string | null
  reference: string | null
  actor: string
  created: number
  settled: number | null
}

export interface ShownPayment extends About {
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
  refunds: ShownRefund[]
}

export interface PaymentDetails extends ShownPayment {
  /** What can still be paid back. */
  refundable: Money
}

export interface SubscriptionDetails extends ShownSubscription {
  /** The newest first. */
  payments: ShownPayment[]
}
