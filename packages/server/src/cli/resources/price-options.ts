import { amountFieldIn, typedCurrencyField } from '../../domain/apps/currency-field.ts'
import { periodField } from '../../domain/resources/periods.ts'
import { readField } from '../../parameters.ts'
import { parseWith } from '../options.ts'

export const parseCurrency = parseWith(typedCurrencyField)

/** Returns the period as it is stored: `1 months` becomes `1 month`. */
export const parsePeriodOption = parseWith(periodField)

/** Parses `--amount 4.99` into minor units. The currency limits the number of decimals. */
export const parseAmountOption = (text: string, currency: string) =>
  readField('--amount', text, amountFieldIn(currency))
