import type { FindingTable } from '../../../db/tables.ts'
import type { Activity } from '../../../domain/figures/activity.ts'
import { addDays } from '../../../domain/figures/days.ts'
import type { Figures as FigureValues } from '../../../domain/figures/figures.ts'
import type { Movement } from '../../../domain/subscriptions/movements.ts'
import { findNames } from '../payments/view.ts'
import type { ToItems } from '../schemas.ts'
import type {
  ActivityItem,
  Attention,
  Count,
  Figures,
  ListLink,
  SubscriptionCount,
  Sum,
} from './schemas.ts'

export const toAttention = (row: FindingTable): Attention => ({
  id: row.id,
  kind: row.kind,
  provider_ref: row.provider_ref,
  payment: row.payment_id,
  money:
    row.amount === null || row.currency === null
      ? null
      : { amount: row.amount, currency: row.currency },
})

export const toActivityItems: ToItems<Activity, ActivityItem> = async (db, aid, rows) => {
  const namesOf = await findNames(db, aid, rows)
  return rows.map((row) => {
    const { kind, at, uid, amount, currency, paymentId, subscriptionId } = row
    const { resource, name, email } = namesOf(row)
    return {
      ...{ kind, at, uid, person: name || email, resource },
      money: { amount, currency },
      record:
        paymentId === null
          ? { page: 'subscriptions', id: subscriptionId as string }
          : { page: 'payments', id: paymentId },
    }
  })
}

/** Adds to each figure the list of the records behind it. */
export function toFigures(figures: FigureValues): Figures {
  const { comparison, currency, revenue } = figures
  const { first, last } = comparison.range
  const days = { first, last }
  const money = (amount: number, kind: string, more: Record<string, string> = {}): Sum => ({
    amount,
    list: { page: 'payments', query: { money: kind, ...days, currency, ...more } },
  })
  return {
    time_zone: figures.zone,
    range: days,
    previous: { first: comparison.previous.first, last: comparison.previous.last },
    currency,
    currencies: figures.currencies,
    revenue: {
      net: revenue.net,
      previous_net: figures.previous.net,
      sales: revenue.sales,
      taken: money(revenue.taken, 'taken'),
      refunded: money(revenue.refunded, 'refunded'),
      lost: money(revenue.lost, 'lost'),
    },
    unit: comparison.unit,
    buckets: comparison.buckets.map((bucket, at) => ({
      first: bucket.first,
      last: bucket.last,
      net: figures.netByBucket[at] ?? 0,
    })),
    resources: figures.resources.map(({ rid, name, net, sales }) => ({
      ...{ rid, name, sales },
      net: money(net, 'taken', { rid }),
    })),
    ...subscriberFigures(figures.subscribers, days),
  }
}

/** The figures of subscribers and trials, each with the list of the subscriptions behind it. */
function subscriberFigures(
  subscribers: FigureValues['subscribers'],
  days: { first: string; last: string },
): Pick<Figures, 'subscribers' | 'trials'> {
  const { first, last } = days
  const moved = (movement: Movement): ListLink => ({
    page: 'subscriptions',
    query: { moved: movement, ...days },
  })
  const counted = (count: number, movement: Movement): Count => ({ count, list: moved(movement) })
  const withList = (name: 'new' | 'back' | 'left'): SubscriptionCount => ({
    ...subscribers[name],
    list: moved(name),
  })
  return {
    subscribers: {
      start: {
        ...subscribers.start,
        list: { page: 'subscriptions', query: { moved: 'paid', last: addDays(first, -1) } },
      },
      new: withList('new'),
      back: withList('back'),
      left: withList('left'),
      end: { ...subscribers.end, list: { page: 'subscriptions', query: { moved: 'paid', last } } },
    },
    trials: {
      running: {
        count: subscribers.inTrial,
        list: { page: 'subscriptions', query: { moved: 'in_trial', last } },
      },
      started: counted(subscribers.trialsStarted, 'trial_started'),
      converted: counted(subscribers.trialsConverted, 'trial_converted'),
      lost: counted(subscribers.trialsLost, 'trial_lost'),
    },
  }
}
