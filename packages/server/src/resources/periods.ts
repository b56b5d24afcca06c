import type { Seconds } from '../db/tables.ts'

const UNITS = ['day', 'week', 'month', 'year'] as const
type Unit = (typeof UNITS)[number]

export interface Period {
  count: number
  unit: Unit
}

const MOST: Record<Unit, number> = { day: 3_650, week: 520, month: 120, year: 10 }

/** `1 month`, `3 months`; undefined for anything else. */
export function parsePeriod(text: string): Period | undefined {
  const match = /^([1-9]\d{0,3}) (day|week|month|year)s?$/.exec(text)
  if (!match) return undefined
  const count = Number(match[1])
  const unit = match[2] as Unit
  return count <= MOST[unit] ? { count, unit } : undefined
}

/** As it is stored and shown. */
export function showPeriod({ count, unit }: Period): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * The moment `times` periods after the anchor, in UTC. Counted from the anchor and not from the period
 * before, so that a day which some months lack comes back: 31 January, 28 February, 31 March.
 */
export function addPeriods(anchor: Seconds, text: string, times = 1): Seconds {
  const period = parsePeriod(text)
  if (!period) throw new Error(`not a period: ${text}`)
  const count = period.count * times
  if (period.unit === 'day') return anchor + count * 86_400
  if (period.unit === 'week') return anchor + count * 7 * 86_400
  return addMonths(anchor, period.unit === 'year' ? count * 12 : count)
}

function addMonths(anchor: Seconds, months: number): Seconds {
  const from = new Date(anchor * 1000)
  const year = from.getUTCFullYear()
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay))
  return midnight / 1000 + (anchor % 86_400)
}
