import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import {
  becamePaid,
  type Movement,
  type MovementSpan,
  movementCondition,
} from '../subscriptions/movements.ts'
import { monthlyAmount } from './monthly.ts'

/** A number of subscriptions, and the monthly value of those in one currency. */
export interface Subscriptions {
  count: number
  monthly: number
}

export interface SubscriberFigures {
  /** Paid subscriptions at the beginning and at the end. */
  start: Subscriptions
  end: Subscriptions
  new: Subscriptions
  back: Subscriptions
  left: Subscriptions
  /** Trials that run at the end. */
  inTrial: number
  trialsStarted: number
  trialsConverted: number
  trialsLost: number
  /** The currencies of all subscriptions. */
  currencies: string[]
}

/** How many subscriptions of one price there are. */
type Priced<K extends string> = { currency: string; period: string; amount: number } & Record<
  K,
  number
>

/** Counts the subscriptions of an application over a span, in all currencies, and adds up the value of those in one. */
export async function countSubscribers(
  db: Db,
  { aid, currency }: { aid: string; currency: string },
  asked: MovementSpan,
  now: Seconds,
): Promise<SubscriberFigures> {
  // The state at the end of today is not known yet, so the span ends now.
  const span = { from: asked.from, to: Math.min(asked.to, now + 1) }
  const rows = await countByPrice(db, aid, span)
  const of = (name: Counted) => addUp(rows, name, currency)
  const joined = of('joined')
  const back = addUp(await countBack(db, aid, span), 'back', currency)
  return {
    start: of('at_start'),
    end: of('at_end'),
    new: { count: joined.count - back.count, monthly: joined.monthly - back.monthly },
    back,
    left: of('gone'),
    inTrial: of('in_trial').count,
    trialsStarted: of('started').count,
    trialsConverted: of('converted').count,
    trialsLost: of('trials_lost').count,
    currencies: [...new Set(rows.map((row) => row.currency))].sort(),
  }
}

function addUp<K extends string>(
  rows: readonly Priced<K>[],
  name: K,
  currency: string,
): Subscriptions {
  let count = 0
  let monthly = 0
  for (const row of rows) {
    const number = Number(row[name])
    count += number
    if (row.currency === currency) monthly += number * monthlyAmount(row.amount, row.period)
  }
  return { count, monthly }
}

type Counted =
  | 'at_start'
  | 'at_end'
  | 'in_trial'
  | 'joined'
  | 'gone'
  | 'started'
  | 'converted'
  | 'trials_lost'

/** Reads every subscription once, in an index that has them in the order of their prices. */
async function countByPrice(db: Db, aid: string, span: MovementSpan): Promise<Priced<Counted>[]> {
  const count = (condition: RawBuilder<unknown>) =>
    sql`sum(case when ${condition} then 1 else 0 end)`
  const moved = (movement: Movement) => count(movementCondition(movement, span))
  const { rows } = await sql<Priced<Counted>>`
    select s.currency, s.period, s.amount,
      ${count(movementCondition('paid', { from: 0, to: span.from }))} as at_start,
      ${moved('paid')} as at_end, ${moved('in_trial')} as in_trial,
      ${count(becamePaid(span))} as joined, ${moved('left')} as gone,
      ${moved('trial_started')} as started, ${moved('trial_converted')} as converted,
      ${moved('trial_lost')} as trials_lost
    from subscriptions s where s.aid = ${aid} group by s.currency, s.period, s.amount`.execute(db)
  return rows
}

/** The concatenation hides from SQLite that an index has the order of this grouping. It reads the subscriptions reader by
 * reader instead, so that the others of a reader, which the condition looks up, are in memory already. */
async function countBack(db: Db, aid: string, span: MovementSpan): Promise<Priced<'back'>[]> {
  const { rows } = await sql<Priced<'back'>>`
    select s.currency || '' as currency, s.period, s.amount, count(*) as back
    from subscriptions s where s.aid = ${aid} and ${movementCondition('back', span)}
    group by s.currency || '', s.period, s.amount`.execute(db)
  return rows
}
