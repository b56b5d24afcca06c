import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import {
  becamePaid,
  HAD_ANOTHER,
  type Movement,
  type MovementSpan,
  movementCondition,
} from '../subscriptions/movements.ts'
import { monthlyAmount } from './monthly.ts'

/** A number of subscriptions, and what those in one currency are worth a month. */
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

/** How many subscriptions there are of one price. */
type Priced<K extends string> = { currency: string; period: string; amount: number } & Record<
  K,
  number
>

/** Counts the subscriptions of an application over a span, in all currencies, and what those in one are worth. */
export async function countSubscribers(
  db: Db,
  { aid, currency }: { aid: string; currency: string },
  asked: MovementSpan,
  now: Seconds,
): Promise<SubscriberFigures> {
  // What will be at the end of today is not known.
  const span = { from: asked.from, to: Math.min(asked.to, now + 1) }
  const states = await countStates(db, aid, span)
  const joined = await countJoined(db, aid, span)
  const left = await countLeft(db, aid, span)
  const of = <K extends string>(rows: readonly Priced<K>[], count: K) =>
    addUp(rows, count, currency)
  const all = of(joined, 'joined')
  const back = of(joined, 'back')
  return {
    start: of(states, 'at_start'),
    end: of(states, 'at_end'),
    new: { count: all.count - back.count, monthly: all.monthly - back.monthly },
    back,
    left: of(left, 'gone'),
    inTrial: of(states, 'in_trial').count,
    trialsStarted: await countMoved(db, aid, 'trial_started', span),
    trialsConverted: await countMoved(db, aid, 'trial_converted', span),
    trialsLost: await countMoved(db, aid, 'trial_lost', span),
    currencies: [...new Set(states.map((row) => row.currency))].sort(),
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

/** Reads every subscription once, in an index that has them in the order of their prices. */
async function countStates(db: Db, aid: string, { from, to }: MovementSpan) {
  const inState = (movement: Movement, moment: Seconds) =>
    sql`sum(case when ${movementCondition(movement, { from: 0, to: moment })} then 1 else 0 end)`
  const { rows } = await sql<Priced<'at_start' | 'at_end' | 'in_trial'>>`
    select s.currency, s.period, s.amount, ${inState('paid', from)} as at_start,
      ${inState('paid', to)} as at_end, ${inState('in_trial', to)} as in_trial
    from subscriptions s where s.aid = ${aid} group by s.currency, s.period, s.amount`.execute(db)
  return rows
}

async function countJoined(db: Db, aid: string, span: MovementSpan) {
  const { rows } = await sql<Priced<'joined' | 'back'>>`
    select s.currency, s.period, s.amount, count(*) as joined,
      sum(case when ${HAD_ANOTHER} then 1 else 0 end) as back
    from subscriptions s where s.aid = ${aid} and ${becamePaid(span)}
    group by s.currency, s.period, s.amount`.execute(db)
  return rows
}

async function countLeft(db: Db, aid: string, span: MovementSpan) {
  const { rows } = await sql<Priced<'gone'>>`
    select s.currency, s.period, s.amount, count(*) as gone from subscriptions s
    where s.aid = ${aid} and ${movementCondition('left', span)}
    group by s.currency, s.period, s.amount`.execute(db)
  return rows
}

async function countMoved(
  db: Db,
  aid: string,
  movement: Movement,
  span: MovementSpan,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from subscriptions s
    where s.aid = ${aid} and ${movementCondition(movement, span)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
