import { Type } from 'typebox'
import type { FindingKind } from '../../../db/tables.ts'
import type { ActivityKind } from '../../../domain/figures/activity.ts'
import { type BucketUnit, PRESETS } from '../../../domain/figures/ranges.ts'
import type { ApiUsage } from '../../../domain/payments/api-usage.ts'
import type { Money } from '../schemas.ts'

const day = Type.Optional(Type.String({ maxLength: 10 }))

export const FiguresQuery = Type.Object({
  range: Type.Optional(
    Type.Enum([...PRESETS], {
      description:
        'The range of days, by name; the last 30 days by default. Not used together with `first` and `last`.',
    }),
  ),
  first: day,
  last: day,
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description:
        "The currency of the figures; by default the application's, or another if there is money in that one alone.",
    }),
  ),
})

export type RangePreset = (typeof PRESETS)[number]

/** Links a number to its records: a page of the app, and the filter of its list. */
export interface ListLink {
  /** The list of the dashboard that shows the records. */
  page: 'access' | 'payments' | 'subscriptions' | 'mail'
  /** The filters with which that list shows these records. */
  query: Record<string, string>
}

export interface Count {
  /** The number of records. */
  count: number
  /** The list of the dashboard that shows these records. */
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
  /** The page with the details. */
  record: { page: 'payments' | 'subscriptions'; id: string }
}

/** The current state of the application. */
export interface Overview {
  /** How many access records are live. */
  live: Count
  /** How many of them end within seven days. */
  ending: Count
  /** How many access records would end within seven days if no subscription renewed them. */
  renewing: Count
  failed_mails: Count
  past_due: Count
  disputed: Count
  /** Payments with a different amount than the one agreed on. */
  mismatched: Count
  /** What keeps readers from paying, in words. */
  payment_problems: string[]
  /** What all applications together have read from the payment provider; null if it sets no limit. */
  reads: ApiUsage | null
  /** Oldest first. */
  attention: Attention[]
  /** Newest first. */
  activity: ActivityItem[]
}

/** Days of the calendar, both inclusive. */
export interface DayRange {
  /** The first day, such as `2027-03-01`, in the application's time zone. */
  first: string
  /** The last day, inclusive, such as `2027-03-31`, in the application's time zone. */
  last: string
}

/** In minor units, with the payments behind it. */
export interface Sum {
  /** The sum, in minor units of the currency, such as cents. */
  amount: number
  /** The list of the dashboard that shows the payments behind the sum. */
  list: ListLink
}

/** A number of subscriptions, and the monthly value of those in the chosen currency, in minor units. */
export interface SubscriptionCount extends Count {
  /** The monthly value of the subscriptions, in minor units of the currency, such as cents. */
  monthly: number
}

export interface ResourceFigures {
  /** The id of the resource, as your site names it. */
  rid: string
  /** The name of the resource. */
  name: string
  /** The revenue from the resource, without refunds and lost disputes. */
  net: Sum
  /** The number of payments. */
  sales: number
}

/** How the business did in a range of days. Amounts are in minor units of one currency. */
export interface Figures {
  /** The application's time zone, in which days begin. */
  time_zone: string
  /** The days that the figures cover. */
  range: DayRange
  /** The days before, which the figures are compared with. */
  previous: DayRange
  /** The ISO 4217 code of the currency of all amounts. */
  currency: string
  /** The codes of all currencies in which there were payments, and of the one that is shown. */
  currencies: string[]
  /** The revenue in these days. */
  revenue: {
    /** The total of all payments, less refunds and lost disputes, in minor units. */
    net: number
    /** `net` of the days before, in minor units. */
    previous_net: number
    /** The number of payments. */
    sales: number
    /** The total of all payments. */
    taken: Sum
    /** The total of all refunds. */
    refunded: Sum
    /** The total lost in disputes. */
    lost: Sum
  }
  /** The length of each entry of `buckets`. */
  unit: BucketUnit
  /** The revenue of each part of the range, oldest first. */
  buckets: (DayRange & {
    /** Revenue of these days, in minor units. */
    net: number
  })[]
  /** The revenue of each resource, highest first. */
  resources: ResourceFigures[]
  /** The number of paid subscriptions, and how it changed. */
  subscribers: {
    /** Paid subscriptions at the beginning of the first day. */
    start: SubscriptionCount
    /** Subscriptions that became paid, of readers who never had a paid one to the resource before. */
    new: SubscriptionCount
    /** Subscriptions that became paid, of readers whose earlier paid one to the resource had ended. */
    back: SubscriptionCount
    /** Paid subscriptions that ended in these days. */
    left: SubscriptionCount
    /** Paid subscriptions at the end of the last day. */
    end: SubscriptionCount
  }
  /** The trials of subscriptions in these days. */
  trials: {
    /** Trials that are running at the end of the last day. */
    running: Count
    /** Trials that began in these days. */
    started: Count
    /** Trials that became a paid subscription in these days. */
    converted: Count
    /** Trials that ended without a payment in these days. */
    lost: Count
  }
}
