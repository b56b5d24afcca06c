import { addDays, dayAt, startOfDay } from '@gatehouse/server/dashboard-api'
import { formatDay } from '../../format.ts'

/** Whether a filter sets the first day that counts, or the last. */
export type DayEdge = 'first' | 'last'

const DATE = /^\d{4}-\d\d-\d\d$/

/**
 * Converts a date to the seconds that the URL and the API use: the start of the first day, or the end of the last one.
 * Days are in the application's time zone, as in the figures and the charts. Returns '' for an invalid date.
 */
export function dayToSeconds(edge: DayEdge, date: string, zone: string): string {
  if (!DATE.test(date) || Number.isNaN(Date.parse(`${date}T00:00Z`))) return ''
  return String(startOfDay(zone, edge === 'first' ? date : addDays(date, 1)))
}

/** Converts seconds to the value of a date input; empty if they are not a valid time. */
export function secondsToDay(edge: DayEdge, seconds: string | undefined, zone: string): string {
  if (!seconds) return ''
  const at = Number(seconds) - (edge === 'first' ? 0 : 1)
  return Number.isNaN(new Date(at * 1000).getTime()) ? '' : dayAt(zone, at)
}

/** Formats the day for display, without shifting it to the browser's time zone. */
export function formatFilterDay(edge: DayEdge, seconds: string, zone: string): string {
  const date = secondsToDay(edge, seconds, zone)
  return date === '' ? seconds : formatDate(date)
}

/** Formats a date such as 2027-03-28; anything else stays as it is. */
export function formatDate(date: string): string {
  const midnight = Date.parse(`${date}T00:00`)
  return Number.isNaN(midnight) ? date : formatDay(midnight)
}
