import { InvalidArgumentError } from 'commander'
import { decimalsOf, isCurrency, parseMajor } from '../../domain/apps/currency.ts'
import { parsePeriod, showPeriod } from '../../domain/resources/periods.ts'
import { OperatorError } from '../../errors.ts'

export function parseCurrency(text: string): string {
  const code = text.toUpperCase()
  if (!isCurrency(code)) throw new InvalidArgumentError('It must be an ISO 4217 code like EUR.')
  return code
}

/** Parses `--amount 4.99` into minor units. The currency limits the number of decimals. */
export function amountOf(text: string, currency: string): number {
  const amount = parseMajor(text, currency)
  if (amount !== undefined && amount > 0) return amount
  const count = decimalsOf(currency)
  const wanted =
    count === 0 ? 'like 499, without decimals' : `like 4.99, with ${count} decimals at most`
  throw new OperatorError(`--amount must be more than 0 ${currency}, written ${wanted}`)
}

/** Returns the period as it is stored: `1 months` becomes `1 month`. */
export function parsePeriodOption(text: string): string {
  const period = parsePeriod(text)
  if (period) return showPeriod(period)
  throw new InvalidArgumentError(
    'It must be a period like "1 month", "2 weeks" or "30 days", of ten years at most.',
  )
}
