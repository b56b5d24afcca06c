import type { Money } from '@gatehouse/server/dashboard-api'
import { formatList, formatMoney } from '../../format.ts'

/** One sum per currency: `9.99 EUR and 5.00 USD`; empty if there is no money. */
export function formatSums(money: readonly Money[]): string {
  const sums = new Map<string, number>()
  for (const { amount, currency } of money) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return formatList([...sums].map(([currency, amount]) => formatMoney({ amount, currency })))
}
