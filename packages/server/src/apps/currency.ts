const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** An ISO 4217 code in capitals. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

const decimals = new Map<string, number>()

/** How many decimals a currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  let count = decimals.get(currency)
  if (count === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    count = format.resolvedOptions().maximumFractionDigits ?? 2
    decimals.set(currency, count)
  }
  return count
}

/** Minor units (cents) as a number in major units, for showing only. */
export function toMajor(minor: number, currency: string): number {
  return minor / 10 ** decimalsOf(currency)
}
