import type { FindingKind } from '../../../db/tables.ts'

/** Links a number to its records: a page of the app, and the filter of its list. */
export interface ListLink {
  page: 'access' | 'payments' | 'mail'
  query: Record<string, string>
}

export interface Count {
  count: number
  list: ListLink
}

/** One number per day, oldest first. */
export interface CountByDay {
  total: number
  by_day: number[]
  list: ListLink
}

/** In minor units of one currency. */
export interface SumByDay {
  currency: string
  total: number
  by_day: number[]
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

export interface Overview {
  /** The first second of each day, in UTC; the last is today. */
  days: number[]
  /** How many access records are live. */
  live: Count
  /** How many of them end within seven days. */
  ending: Count
  /** How many of them would, but are renewed by a subscription. */
  renewing: Count
  /** The total covers all failed mails, not only those of the given days. */
  failed_mails: CountByDay
  /** Oldest first. */
  attention: Attention[]
  /** Access records created on each day, including those that were revoked since. */
  grants: CountByDay
  revokes: CountByDay
  /** Amounts charged and refunded. */
  revenue: SumByDay[]
  refunds: SumByDay[]
}
