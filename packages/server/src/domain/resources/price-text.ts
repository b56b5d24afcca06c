import { showMoney } from '../apps/currency.ts'
import type { Terms } from './prices.ts'

/** `every month`, `every 3 months`. */
const everyPeriod = (period: string) => `every ${period.replace(/^1 /, '')}`

const days = (count: number) => (count === 1 ? 'day' : `${count} days`)

/** The text after an amount: `every month`, `for 30 days`, `for lifetime access`. */
function billingInterval({ recurring, period }: Pick<Terms, 'recurring' | 'period'>): string {
  if (period === null) return 'for lifetime access'
  return recurring ? everyPeriod(period) : `for ${period}`
}

/** The complete terms in one line: `4.99 EUR every month, first 14 days free`. */
export function formatTerms(terms: Terms): string {
  const trial = terms.trial_days > 0 ? `, first ${days(terms.trial_days)} free` : ''
  return `${showMoney(terms.amount, terms.currency)} ${billingInterval(terms)}${trial}`
}
