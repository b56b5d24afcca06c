import { formatDay } from '../format.ts'

/** The first day that counts, or the last. */
export type DayEdge = 'first' | 'last'

const DAY = 86_400

/**
 * Of a filter by day the address has seconds, as the API asks for them: those where the first day begins, and
 * where the last one is over. Days are UTC, as in the charts.
 */
export function secondsOfDay(edge: DayEdge, date: string): string {
  const start = Date.parse(`${date}T00:00Z`) / 1000
  if (Number.isNaN(start)) return ''
  return String(edge === 'first' ? start : start + DAY)
}

/** As an input for dates has it; empty for what is no time. */
export function dayOfSeconds(edge: DayEdge, seconds: string | undefined): string {
  if (!seconds) return ''
  const at = new Date((Number(seconds) - (edge === 'first' ? 0 : DAY)) * 1000)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10)
}

/** For people, who need not be where it is UTC. */
export function showDayOf(edge: DayEdge, seconds: string): string {
  const date = dayOfSeconds(edge, seconds)
  return date === '' ? seconds : formatDay(Date.parse(`${date}T00:00`))
}
