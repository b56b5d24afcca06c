import type { PaymentTable, RefundTable, Seconds, SubscriptionTable } from '../../db/tables.ts'
import type { Figures } from '../../domain/figures/figures.ts'
import { monthlyAmount } from '../../domain/figures/monthly.ts'

/** All numbers of the figures, without what they are about. */
export function summary({ revenue, previous, netByBucket, resources, subscribers }: Figures) {
  const { currencies: _, ...counts } = subscribers
  return {
    revenue,
    previousNet: previous.net,
    netByBucket,
    resources: Object.fromEntries(resources.map(({ rid, net, sales }) => [rid, { net, sales }])),
    subscribers: counts,
  }
}

type Summary = ReturnType<typeof summary>

/** The rows that the figures are about. */
export interface FiguresRows {
  payments: PaymentTable[]
  refunds: RefundTable[]
  subscriptions: SubscriptionTable[]
}

interface Days {
  first: string
  last: string
}

/** Counts row by row, by the date that a calendar in the time zone shows. */
export function countNaively(rows: FiguresRows, figures: Figures, now: Seconds): Summary {
  const calendar = calendarOf(figures.zone)
  return {
    ...countRevenue(rows, figures, calendar),
    subscribers: countSubscribers(rows, figures, calendar, now),
  }
}

type Calendar = ReturnType<typeof calendarOf>

function calendarOf(zone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  const days = new Map<Seconds, string>()
  const dayOf = (at: Seconds) => {
    const day = days.get(at) ?? format.format(at * 1000)
    days.set(at, day)
    return day
  }
  const isIn = (at: Seconds | null, { first, last }: Days) =>
    at !== null && dayOf(at) >= first && dayOf(at) <= last
  return { dayOf, isIn }
}

function countRevenue(
  rows: FiguresRows,
  { comparison, currency }: Figures,
  { isIn }: Calendar,
): Omit<Summary, 'subscribers'> {
  const nothing = { taken: 0, sales: 0, refunded: 0, lost: 0 }
  const moves: (typeof nothing & { at: Seconds; rid: string })[] = []
  for (const { id, rid, amount, refunded, status, settled, lost, ...row } of rows.payments) {
    if (row.currency !== currency || status === 'pending' || status === 'failed') continue
    moves.push({ ...nothing, at: settled as Seconds, rid, taken: amount, sales: 1 })
    if (lost !== null) {
      const taken = Math.min(row.lost_amount, amount - refunded)
      moves.push({ ...nothing, at: lost, rid, lost: taken })
    }
    for (const refund of rows.refunds) {
      if (refund.payment_id !== id || refund.status !== 'succeeded') continue
      moves.push({ ...nothing, at: refund.settled as Seconds, rid, refunded: refund.amount })
    }
  }
  const sum = (days: Days, rid?: string) => {
    const total = { ...nothing }
    for (const move of moves) {
      if (!isIn(move.at, days) || (rid !== undefined && move.rid !== rid)) continue
      for (const key of Object.keys(nothing) as (keyof typeof nothing)[]) total[key] += move[key]
    }
    return { ...total, net: total.taken - total.refunded - total.lost }
  }
  const { range } = comparison
  const rids = [...new Set(moves.map(({ rid }) => rid))]
  const resources = rids
    .map((rid) => [rid, sum(range, rid)] as const)
    .filter(([, { sales, refunded, lost }]) => sales + refunded + lost > 0)
    .map(([rid, { net, sales }]) => [rid, { net, sales }])
  return {
    revenue: sum(range),
    previousNet: sum(comparison.previous).net,
    netByBucket: comparison.buckets.map((bucket) => sum(bucket).net),
    resources: Object.fromEntries(resources),
  }
}

function paidSince(row: SubscriptionTable): Seconds | null {
  if (row.trial_ends === null) return row.created
  return row.periods >= 1 ? row.trial_ends : null
}

/** Whether the same reader had paid for the same resource before. */
function cameBack(row: SubscriptionTable, all: readonly SubscriptionTable[]): boolean {
  return all.some(
    (other) =>
      other.id !== row.id &&
      other.uid === row.uid &&
      other.rid === row.rid &&
      paidSince(other) !== null &&
      other.ended !== null &&
      other.created <= row.created &&
      (other.ended < row.created || (other.ended === row.created && other.id < row.id)),
  )
}

function countSubscribers(
  { subscriptions }: FiguresRows,
  { comparison: { range }, currency }: Figures,
  { dayOf, isIn }: Calendar,
  now: Seconds,
): Summary['subscribers'] {
  const today = dayOf(now)
  const last = [range.last, today].sort()[0] as string
  const isPaid = (row: SubscriptionTable, hasBegun: (day: string) => boolean) => {
    const since = paidSince(row)
    return (
      since !== null &&
      hasBegun(dayOf(since)) &&
      (row.ended === null || !hasBegun(dayOf(row.ended)))
    )
  }
  const worth = (list: SubscriptionTable[]) => ({
    count: list.length,
    monthly: list
      .filter((row) => row.currency === currency)
      .reduce((all, { amount, period }) => all + monthlyAmount(amount, period), 0),
  })
  const of = (test: (row: SubscriptionTable) => boolean) => subscriptions.filter(test)
  const joined = of((row) => isIn(paidSince(row), range))
  const trials = of(({ trial_ends }) => trial_ends !== null)
  return {
    start: worth(of((row) => isPaid(row, (day) => day < range.first))),
    end: worth(of((row) => isPaid(row, (day) => day <= last))),
    new: worth(joined.filter((row) => !cameBack(row, subscriptions))),
    back: worth(joined.filter((row) => cameBack(row, subscriptions))),
    left: worth(of((row) => paidSince(row) !== null && isIn(row.ended, range))),
    inTrial: trials.filter(
      (row) =>
        dayOf(row.created) <= last &&
        (row.trial_ends as number) > (last === today ? now : 0) &&
        (last === today || dayOf(row.trial_ends as number) > last) &&
        (row.ended === null || dayOf(row.ended) > last),
    ).length,
    trialsStarted: trials.filter((row) => isIn(row.created, range)).length,
    trialsConverted: trials.filter((row) => row.periods >= 1 && isIn(row.trial_ends, range)).length,
    trialsLost: trials.filter((row) => row.periods === 0 && isIn(row.ended, range)).length,
  }
}
