import { parsePeriod } from '../resources/periods.ts'

/** How many of a unit are counted as twelve months. */
const PER_YEAR = { day: 365, week: 52, month: 12, year: 1 } as const

/**
 * The monthly value of a price, in whole minor units: the price of a year, divided by twelve. A year has 12 months, 52
 * weeks or 365 days. Each price is rounded once, half up, so that sums of subscriptions are exact.
 */
export function monthlyAmount(amount: number, period: string): number {
  const parsed = parsePeriod(period)
  if (!parsed) return 0
  const months = 12 * parsed.count
  const yearly = amount * PER_YEAR[parsed.unit]
  return Math.floor((2 * yearly + months) / (2 * months))
}
