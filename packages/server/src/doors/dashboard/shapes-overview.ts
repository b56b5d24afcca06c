/** Leads to the records behind a number: a page of the app, and the filter of its list. */
export interface ListLink {
  page: 'access' | 'payments' | 'mail'
  query: Record<string, string>
}

export interface Count {
  count: number
  list: ListLink
}

/** One number for each day, the oldest first. */
export interface CountByDay {
  total: number
  by_day: number[]
  list: ListLink
}

/** Minor units of one currency. */
export interface SumByDay {
  currency: string
  total: number
  by_day: number[]
  list: ListLink
}

/** A difference between the payment provider's books and ours that somebody has to look at. */
export interface Attention {
  id: string
  kind:
    | 'charge_unknown'
    | 'charge_missing'
    | 'charge_in_doubt'
    | 'checkout_unknown'
    | 'amount_differs'
    | 'refund_unknown'
  /** The provider's name for it. */
  provider_ref: string | null
  /** The id of the payment, where there is one. */
  payment: string | null
  /** Minor units. */
  money: { amount: number; currency: string } | null
}

export interface Overview {
  /** The first second of each day, in UTC; the last one is today. */
  days: number[]
  /** How many have access now. */
  live: Count
  /** How many of them will not in seven days. */
  ending: Count
  /** Given up, whenever that was. */
  failed_mails: CountByDay
  /** What somebody has to look at, the oldest first. */
  attention: Attention[]
  grants: CountByDay
  revokes: CountByDay
  /** What was taken, and what was paid back. */
  revenue: SumByDay[]
  refunds: SumByDay[]
}
