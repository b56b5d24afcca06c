import { type RawBuilder, sql } from 'kysely'
import type { Seconds } from '../../db/tables.ts'

/** The states and changes of subscriptions that are counted. All follow from columns that never change back. */
export const MOVEMENTS = [
  'paid',
  'new',
  'back',
  'left',
  'in_trial',
  'trial_started',
  'trial_converted',
  'trial_lost',
] as const
export type Movement = (typeof MOVEMENTS)[number]

/** `from` is inclusive, `to` exclusive. States (`paid`, `in_trial`) are those of the last moment before `to`. */
export interface MovementSpan {
  from: Seconds
  to: Seconds
}

/** A trial has become a paid subscription if its first period was paid for. */
const HAS_PAID = sql`(s.trial_ends is null or s.periods >= 1)`

/** The time from which a subscription is paid for: its creation, or the end of its trial. */
const PAID_SINCE = sql`coalesce(s.trial_ends, s.created)`

/** Whether the reader had a paid subscription to the same resource before this one. The plus signs hide columns from SQLite's
 * planner, which would otherwise read all subscriptions that ended before, once for each of the reader's. */
const HAD_ANOTHER = sql`exists (select 1 from subscriptions e where e.aid = s.aid
  and e.uid = s.uid and e.rid = s.rid and (e.trial_ends is null or e.periods >= 1)
  and e.id <> s.id and +e.ended is not null and +e.created <= s.created
  and (+e.ended < s.created or (+e.ended = s.created and e.id < s.id)))`

/** The span is part of the text, because PostgreSQL should plan a week differently from three years. */
const within = (column: RawBuilder<unknown>, { from, to }: MovementSpan) =>
  sql`${column} >= ${sql.lit(from)} and ${column} < ${sql.lit(to)}`

const isOpenBefore = (moment: Seconds) => sql`(s.ended is null or s.ended >= ${moment})`

/** Matches subscriptions that became paid in the span. Written in two parts, for each of which there is an index. */
export const becamePaid = (span: MovementSpan) => sql`(
  (s.trial_ends is null and ${within(sql`s.created`, span)})
  or (s.trial_ends is not null and s.periods >= 1 and ${within(sql`s.trial_ends`, span)}))`

/** The condition of a movement on the subscriptions `s`. */
export function movementCondition(movement: Movement, span: MovementSpan): RawBuilder<boolean> {
  const conditions: Record<Movement, () => RawBuilder<unknown>> = {
    paid: () => sql`${HAS_PAID} and ${PAID_SINCE} < ${span.to} and ${isOpenBefore(span.to)}`,
    new: () => sql`${becamePaid(span)} and not ${HAD_ANOTHER}`,
    back: () => sql`${becamePaid(span)} and ${HAD_ANOTHER}`,
    left: () => sql`s.ended is not null and ${within(sql`s.ended`, span)} and ${HAS_PAID}`,
    in_trial: () => sql`s.trial_ends is not null and s.created < ${span.to}
      and s.trial_ends >= ${span.to} and ${isOpenBefore(span.to)}`,
    trial_started: () => sql`s.trial_ends is not null and ${within(sql`s.created`, span)}`,
    trial_converted: () => sql`s.trial_ends is not null and s.periods >= 1
      and ${within(sql`s.trial_ends`, span)}`,
    trial_lost: () => sql`s.ended is not null and ${within(sql`s.ended`, span)}
      and s.trial_ends is not null and s.periods = 0`,
  }
  return sql<boolean>`(${conditions[movement]()})`
}
