import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { getApplication } from '../apps/applications.ts'
import { type Comparison, type Days, type Preset, resolveRange } from './ranges.ts'
import {
  listCurrencies,
  type ResourceRevenue,
  type Revenue,
  sumNetBySpan,
  sumRevenue,
  sumRevenueByResource,
} from './revenue.ts'
import { countSubscribers, type SubscriberFigures } from './subscribers.ts'

export interface FiguresInput {
  aid: string
  range: Preset | Days
  /** Defaults to the application's, or to another if there is money in that one alone. */
  currency?: string | undefined
}

/** How the business of an application did in a range of days, in one currency. `docs/run/figures.md` defines each
 * figure. */
export interface Figures {
  zone: string
  comparison: Comparison
  currency: string
  /** All that the application has money or subscriptions in, and the one that is shown. */
  currencies: string[]
  revenue: Revenue
  previous: Revenue
  netByBucket: number[]
  resources: ResourceRevenue[]
  subscribers: SubscriberFigures
}

export async function readFigures(db: Db, input: FiguresInput, now: Seconds): Promise<Figures> {
  const { aid } = input
  const application = await getApplication(db, aid)
  const { time_zone: zone } = application
  const comparison = resolveRange(input.range, zone, now)
  const used = await listCurrencies(db, aid)
  const usual = used.includes(application.currency) ? application.currency : used[0]
  const currency = input.currency ?? usual ?? application.currency
  const scope = { aid, currency }
  const subscribers = await countSubscribers(db, scope, comparison.range, now)
  return {
    zone,
    comparison,
    currency,
    currencies: [...new Set([currency, ...used, ...subscribers.currencies])].sort(),
    revenue: await sumRevenue(db, scope, comparison.range),
    previous: await sumRevenue(db, scope, comparison.previous),
    netByBucket: await sumNetBySpan(db, scope, comparison.buckets),
    resources: await sumRevenueByResource(db, scope, comparison.range),
    subscribers,
  }
}
