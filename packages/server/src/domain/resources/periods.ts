import type { Seconds } from '../../db/tables.ts'
import { type Field, text } from '../../fields.ts'
import { MAX_PERIOD } from './limits.ts'

type Unit = keyof typeof MAX_PERIOD

export interface Period {
  count: number
  unit: Unit
}

/** Parses `1 month` or `3 months`; returns undefined for anything else. */
export function parsePeriod(text: string): Period | undefined {
  const match = /^([1-9]\d{0,3}) (day|week|month|year)s?$/.exec(text)
  if (!match) return undefined
  const count = Number(match[1])
  const unit = match[2] as Unit
  return count <= MAX_PERIOD[unit] ? { count, unit } : undefined
}

/** Formats a period as it is stored and displayed. */
function showPeriod({ count, unit }: Period): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A period, read as it is stored: `1 months` becomes `1 month`. */
export const periodField: Field<string> = {
  schema: text(20, 'A period, such as `1 month`.').schema,
  read(value) {
    const parsed = parsePeriod(value)
    return parsed
      ? { value: showPeriod(parsed) }
      : 'must be a period such as "1 month", "2 weeks" or "30 days", ten years at most'
  },
}

/** Returns the time `times` periods after the anchor, in UTC. Counting from the anchor, not from the previous period,
 * keeps the day of the month: 31 January, 28 February, 31 March. */
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
