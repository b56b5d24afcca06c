import { formatDay } from '../../format.ts'

/** Whether a filter sets the first day that counts, or the last. */
export type DayEdge = 'first' | 'last'

const DAY = 86_400

/**
 * Converts a date to the seconds that the URL and the API use: the start of the first day, or the end of the last one.
 * Days are in UTC, as in the charts.
 */
export function dayToSeconds(edge: DayEdge, date: string): string {
  const start = Date.parse(`${date}T00:00Z`) / 1000
  if (Number.isNaN(start)) return ''
  return String(edge === 'first' ? start : start + DAY)
}

/** Converts seconds to the value of a date input; empty if they are not a valid time. */
export function secondsToDay(edge: DayEdge, seconds: string | undefined): string {
  if (!seconds) return ''
  const at = new Date((Number(seconds) - (edge === 'first' ? 0 : DAY)) * 1000)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10)
}

/** Formats the day for display, without shifting it from UTC to the local time zone. */
export function formatFilterDay(edge: DayEdge, seconds: string): string {
  const date = secondsToDay(edge, seconds)
  return date === '' ? seconds : formatDate(date)
}

/** Formats a date such as 2027-03-28; anything else stays as it is. */
export function formatDate(date: string): string {
  const midnight = Date.parse(`${date}T00:00`)
  return Number.isNaN(midnight) ? date : formatDay(midnight)
}
