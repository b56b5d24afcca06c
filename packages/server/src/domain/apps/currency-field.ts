import { type Field, text } from '../../fields.ts'
import { decimalsOf, isCurrency, parseMajor } from './currency.ts'

/** An ISO 4217 code in capitals. Not in currency.ts, which the web app imports. */
export const currencyField: Field<string> = {
  schema: text(3, 'ISO 4217.').schema,
  read: (value) =>
    isCurrency(value) ? { value } : 'not a currency; use an ISO 4217 code such as EUR',
}

/** The same for people, who may type small letters. */
export const typedCurrencyField: Field<string> = {
  ...currencyField,
  read: (value) => currencyField.read(value.toUpperCase()),
}

const MAX_DIGITS = 20

/** An amount as text, before its currency is known. */
export const amountTextField = text(MAX_DIGITS, 'In major units, as `2.50`.')

/** An amount of more than 0 in major units, read as minor units. The currency limits the number of decimals. */
export function amountFieldIn(code: string): Field<number> {
  return {
    schema: amountTextField.schema,
    read(value) {
      const amount = parseMajor(value, code)
      if (amount === 0) return 'must be more than 0'
      if (amount !== undefined) return { value: amount }
      const count = decimalsOf(code)
      const form = count === 0 ? '499, without decimals' : `4.99, with at most ${count} decimals`
      return `not a valid ${code} amount; write it like ${form}`
    },
  }
}
