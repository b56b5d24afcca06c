import { showMoney } from '../apps/currency.ts'
import type { Terms } from './prices.ts'

/** The period as it reads after "every": `month`, `3 months`. */
const afterEvery = (period: string) => period.replace(/^1 /, '')

const days = (count: number) => (count === 1 ? 'day' : `${count} days`)

/** The text after an amount: `every month`, `for 30 days`, `for good`. */
export function billingInterval({ recurring, period }: Terms): string {
  if (recurring && period !== null) return `every ${afterEvery(period)}`
  return period === null ? 'for good' : `for ${period}`
}

/** What the buyer agrees to besides the amount. */
export function termsSummary(terms: Terms): string {
  const { recurring, period, trial_days } = terms
  if (!recurring)
    return period === null ? 'Paid once.' : `Paid once. Ends by itself after ${period}.`
  return trial_days > 0
    ? `First ${days(trial_days)} free, then ${billingInterval(terms)} until you cancel.`
    : 'Renews by itself until you cancel.'
}

/** The complete terms in one line: `4.99 EUR every month, first 14 days free`. */
export function showTerms(terms: Terms): string {
  const trial = terms.trial_days > 0 ? `, first ${days(terms.trial_days)} free` : ''
  return `${showMoney(terms.amount, terms.currency)} ${billingInterval(terms)}${trial}`
}
