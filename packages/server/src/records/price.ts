import { toMajor } from '../domain/apps/currency.ts'
import { formatTerms } from '../domain/resources/price-text.ts'
import type { PriceRow } from '../domain/resources/prices.ts'
import { pickMinorMoney } from './money.ts'
import { withoutNulls } from './without-nulls.ts'

/** A price for the dashboard, with money in minor units. */
export function priceItem(row: PriceRow) {
  const { id, period, trial_days, created, archived } = row
  return {
    id,
    amount: pickMinorMoney(row),
    recurring: row.recurring === 1,
    period,
    trial_days,
    terms: formatTerms(row),
    created,
    archived,
  }
}

/** The same for the command line, with money in major units. */
export function priceDetails(row: PriceRow) {
  const { id, terms, amount, ...item } = priceItem(row)
  const { aid, rid } = row
  const major = toMajor(amount.amount, amount.currency)
  return withoutNulls({ id, aid, rid, terms, amount: major, currency: amount.currency, ...item })
}
