import type { Seconds } from '../../db/tables.ts'
import { invalid } from '../../errors.ts'
import { addDays, type Day, dayAt, dayNumber, startOfDay } from './days.ts'

/** The ranges that staff choose by name; any other is given by its days. */
export const PRESETS = ['7d', '30d', '90d', 'month', 'last_month', 'quarter', 'year'] as const
export type Preset = (typeof PRESETS)[number]

/** Days of the calendar, both inclusive. */
export interface Days {
  first: Day
  last: Day
}

/** Days with their moments: `from` is inclusive, `to` exclusive. */
export interface Range extends Days {
  from: Seconds
  to: Seconds
}

export type BucketUnit = 'day' | 'week' | 'month'

/** A range, the one that it is compared with, and the parts of it that a chart shows. */
export interface Comparison {
  range: Range
  previous: Range
  unit: BucketUnit
  buckets: Range[]
}

const MAX_DAYS = 3_660
const MAX_DAY_BARS = 92
const MAX_WEEK_BARS_DAYS = 400

/** Reads what staff asked for; `today` is the day in the application's time zone. */
export function resolveDays(asked: Preset | Days, today: Day): { days: Days; previous: Days } {
  if (typeof asked !== 'string') return beside(requireShort(requireDays(asked)))
  if (asked === 'month') return sinceMonths(today, 1, firstOfMonth(today))
  if (asked === 'quarter') return sinceMonths(today, 3, firstOfQuarter(today))
  if (asked === 'year') return sinceMonths(today, 12, `${today.slice(0, 4)}-01-01`)
  if (asked === 'last_month') {
    const last = addDays(firstOfMonth(today), -1)
    const before = addDays(firstOfMonth(last), -1)
    return {
      days: { first: firstOfMonth(last), last },
      previous: { first: firstOfMonth(before), last: before },
    }
  }
  const count = { '7d': 7, '30d': 30, '90d': 90 }[asked]
  return beside({ first: addDays(today, 1 - count), last: today })
}

const firstOfMonth = (day: Day): Day => `${day.slice(0, 8)}01`

const firstOfQuarter = (day: Day): Day =>
  monthsBefore(firstOfMonth(day), (Number(day.slice(5, 7)) - 1) % 3)

/** Compares days with as many days directly before them. */
function beside(days: Days): { days: Days; previous: Days } {
  const count = countDays(days)
  return {
    days,
    previous: { first: addDays(days.first, -count), last: addDays(days.first, -1) },
  }
}

/** Compares a month, a quarter or a year so far with the same days of the one before, which may be shorter. */
function sinceMonths(today: Day, months: number, first: Day): { days: Days; previous: Days } {
  const back = monthsBefore(first, months)
  const last = [monthsBefore(today, months), addDays(first, -1)].sort()[0] as Day
  return { days: { first, last: today }, previous: { first: back, last } }
}

/** The same day of an earlier month, or the last day of that month. */
function monthsBefore(day: Day, months: number): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const lastDate = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  const at = Date.UTC(year, month - 1 - months, Math.min(date, lastDate))
  return new Date(at).toISOString().slice(0, 10)
}

const countDays = ({ first, last }: Days): number => dayNumber(last) - dayNumber(first) + 1

function requireDays({ first, last }: Days): Days {
  const isDay = (day: Day) =>
    /^(19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(day) &&
    !Number.isNaN(dayNumber(day)) &&
    addDays(day, 0) === day
  if (!isDay(first)) throw invalid('first', 'must be a day, such as 2027-03-01')
  if (!isDay(last)) throw invalid('last', 'must be a day, such as 2027-03-31')
  if (last < first) throw invalid('last', 'must not be before the first day')
  return { first, last }
}

function requireShort(days: Days): Days {
  if (countDays(days) <= MAX_DAYS) return days
  throw invalid('first', 'must be within ten years of the last day')
}

const withMoments = (zone: string, { first, last }: Days): Range => ({
  first,
  last,
  from: startOfDay(zone, first),
  to: startOfDay(zone, addDays(last, 1)),
})

/** The moments of days in a time zone. A list may be open at both ends: then it ends with today. */
export function spanOfDays(
  zone: string,
  { first, last }: Partial<Days>,
  now: Seconds,
): { from: Seconds; to: Seconds } {
  const end = last ?? dayAt(zone, now)
  const { from, to } = withMoments(zone, requireDays({ first: first ?? end, last: end }))
  return { from: first === undefined ? 0 : from, to: Math.min(to, now + 1) }
}

/** Resolves what staff asked for to moments, in the time zone of the application. */
export function resolveRange(asked: Preset | Days, zone: string, now: Seconds): Comparison {
  const { days, previous } = resolveDays(asked, dayAt(zone, now))
  const count = countDays(days)
  const unit = count <= MAX_DAY_BARS ? 'day' : count <= MAX_WEEK_BARS_DAYS ? 'week' : 'month'
  return {
    range: withMoments(zone, days),
    previous: withMoments(zone, previous),
    unit,
    buckets: splitDays(days, unit).map((part) => withMoments(zone, part)),
  }
}

/** Splits days into days, weeks from Monday to Sunday, or months. The first and the last may be cut. */
export function splitDays({ first, last }: Days, unit: BucketUnit): Days[] {
  const parts: Days[] = []
  for (let day = first; day <= last; ) {
    const end = [lastDayOf(unit, day), last].sort()[0] as Day
    parts.push({ first: day, last: end })
    day = addDays(end, 1)
  }
  return parts
}

function lastDayOf(unit: BucketUnit, day: Day): Day {
  if (unit === 'day') return day
  // The first day of 1970 was a Thursday.
  if (unit === 'week') return addDays(day, 6 - ((dayNumber(day) + 3) % 7))
  const [year, month] = day.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
