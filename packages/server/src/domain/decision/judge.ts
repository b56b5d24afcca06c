import { FOREVER, type Seconds } from '../../db/tables.ts'
import { effectiveEnd } from '../access/source-details.ts'
import type { GrantedCode } from './codes.ts'
import type { HeldRecord, HeldSource } from './held-records.ts'

/** The rule of `GET /r2/access`, which this one must never differ from. */
export const isLive = ({ revoked, ends }: HeldRecord, now: Seconds): boolean =>
  revoked === null && now < ends

/** A record of the resource itself wins, and of several passes the one that ends last; of equal ones the first by rid,
 * which is the order in which they come. */
export const winnerFirst = (rid: string) => (one: HeldRecord, other: HeldRecord) =>
  Number(other.rid === rid) - Number(one.rid === rid) || other.ends - one.ends

/** Lists the sources that give access now or will later. */
export const listOpen = ({ sources }: HeldRecord, now: Seconds): HeldSource[] =>
  sources.filter(({ closed, ends }) => closed === null && ends > now)

const hasBegun = ({ starts }: HeldSource, now: Seconds) => starts === null || starts <= now

/** The source that a live record is open through: of those that have begun, the one that lasts longest. A queued period
 * counts once it begins. */
export function findHoldingSource(record: HeldRecord, now: Seconds): HeldSource | undefined {
  const open = listOpen(record, now)
  return open.find((source) => hasBegun(source, now)) ?? open[0]
}

/** Names what a source is. */
export function codeOfSource(source: HeldSource, now: Seconds): GrantedCode {
  if (source.kind === 'grant') return 'granted'
  if (source.kind === 'purchase') return 'purchased'
  if (source.subscription_status === 'canceled') return 'canceled'
  if (source.subscription_status === 'past_due') return 'grace'
  const isTrial = source.subscription_status === 'trialing' && now < (source.trial_ends ?? 0)
  return isTrial ? 'trial' : 'subscribed'
}

/** When the last source of an expired record stopped giving access. A record is expired from its creation if it was
 * granted until a time in the past. */
export const endOfRecord = ({ sources, ends }: HeldRecord): Seconds =>
  sources[0] === undefined ? ends : effectiveEnd(sources[0])

/**
 * The earliest moment at which the answer about these records can change without anybody doing anything: a source ends,
 * a queued period begins, a trial is over, or a charge is due. It may be early, where the step that is due changes
 * nothing. It is never late.
 */
export function findNextChange(records: readonly HeldRecord[], now: Seconds): Seconds | undefined {
  const moments = records
    .flatMap(({ sources }) => sources)
    .filter(({ closed }) => closed === null)
    .flatMap(({ starts, ends, trial_ends, next_due, next_step }) => [
      ...[starts, ends, trial_ends],
      next_step === 'trial_notice' ? null : next_due,
    ])
    .filter((moment) => moment !== null && moment > now && moment !== FOREVER)
  return moments.length === 0 ? undefined : Math.min(...(moments as Seconds[]))
}
