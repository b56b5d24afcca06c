import type { Seconds } from '../../db/tables.ts'
import { isTimeZone } from '../brand/formats.ts'

const DAY: Seconds = 86_400
/** No time zone is further from UTC. */
const MAX_OFFSET: Seconds = 15 * 3_600
/** Clocks are only ever changed at the beginning of a quarter of an hour, and by whole quarters. */
const QUARTER: Seconds = 900

/** A day of the calendar, such as `2027-03-28`. Days compare as texts. */
export type Day = string

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
    const timeZone = isTimeZone(zone) ? zone : 'UTC'
    format = new Intl.DateTimeFormat('en-CA', { ...parts, timeZone })
    formats.set(zone, format)
  }
  return format
}

/** The day that the calendars of a time zone show at a moment. */
export const dayAt = (zone: string, at: Seconds): Day => formatOf(zone).format(at * 1000)

/** The days since 1970, without any time zone. */
export const dayNumber = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / 1000 / DAY

export const addDays = (day: Day, days: number): Day =>
  new Date((dayNumber(day) + days) * DAY * 1000).toISOString().slice(0, 10)

/** The first second of a day in a time zone. That is not always midnight: where clocks are set forward at midnight, the
 * day begins at one o'clock. */
export function startOfDay(zone: string, day: Day): Seconds {
  const middle = dayNumber(day) * DAY
  let before = middle - MAX_OFFSET
  let after = middle + MAX_OFFSET
  while (after - before > QUARTER) {
    const half = before + Math.floor((after - before) / 2 / QUARTER) * QUARTER
    if (dayAt(zone, half) < day) before = half
    else after = half
  }
  return after
}
