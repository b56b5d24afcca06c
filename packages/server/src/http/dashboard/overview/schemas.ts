import { Type } from 'typebox'
import type { FindingKind } from '../../../db/tables.ts'
import type { ActivityKind } from '../../../domain/figures/activity.ts'
import { type BucketUnit, PRESETS } from '../../../domain/figures/ranges.ts'
import type { Money } from '../schemas.ts'

const day = Type.Optional(Type.String({ maxLength: 10 }))

export const FiguresQuery = Type.Object({
  /** Defaults to the last 30 days. Not used together with days. */
  range: Type.Optional(Type.Enum([...PRESETS])),
  /** Days such as 2027-03-28, in the application's time zone; both are inclusive. */
  first: day,
  last: day,
  /** Defaults to the application's, or to another if there is money in that one alone. */
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})

export type RangePreset = (typeof PRESETS)[number]

/** Links a number to its records: a page of the app, and the filter of its list. */
export interface ListLink {
  page: 'access' | 'payments' | 'subscriptions' | 'mail'
  query: Record<string, string>
}

export interface Count {
  count: number
  list: ListLink
}

/** A difference between the payment provider's records and ours that needs attention. */
export interface Attention {
  id: string
  kind: FindingKind
  /** The provider's id for it. */
  provider_ref: string | null
  /** The id of the payment, if known. */
  payment: string | null
  /** In minor units. */
  money: { amount: number; currency: string } | null
}

/** Something that happened lately. */
export interface ActivityItem {
  kind: ActivityKind
  at: number
  uid: string
  /** The name or the address; may be empty. */
  person: string
  resource: string
  money: Money
  /** The page that tells more. */
  record: { page: 'payments' | 'subscriptions'; id: string }
}

/** How things stand now. */
export interface Overview {
  /** How many access records are live. */
  live: Count
  /** How many of them end within seven days. */
  ending: Count
  /** How many of them would, but are renewed by a subscription. */
  renewing: Count
  failed_mails: Count
  past_due: Count
  disputed: Count
  /** Payments of which another amount was taken than the one agreed on. */
  mismatched: Count
  /** Oldest first. */
  attention: Attention[]
  /** Newest first. */
  activity: ActivityItem[]
}

/** Days of the calendar, both inclusive. */
export interface DayRange {
  first: string
  last: string
}

/** In minor units, with the payments behind it. */
export interface Sum {
  amount: number
  list: ListLink
}

/** A number of subscriptions, and what those in the currency are worth a month, in minor units. */
export interface SubscriptionCount extends Count {
  monthly: number
}

export interface ResourceFigures {
  rid: string
  name: string
  net: Sum
  /** The number of payments. */
  sales: number
}

/** How the business did in a range of days. Amounts are in minor units of one currency. */
export interface Figures {
  time_zone: string
  range: DayRange
  previous: DayRange
  currency: string
  /** All that there is money in, and the one that is shown. */
  currencies: string[]
  revenue: {
    net: number
    previous_net: number
    /** The number of payments. */
    sales: number
    taken: Sum
    refunded: Sum
    lost: Sum
  }
  unit: BucketUnit
  /** Oldest first. */
  buckets: (DayRange & { net: number })[]
  /** Highest first. */
  resources: ResourceFigures[]
  subscribers: Record<'start' | 'new' | 'back' | 'left' | 'end', SubscriptionCount>
  trials: Record<'running' | 'started' | 'converted' | 'lost', Count>
}
