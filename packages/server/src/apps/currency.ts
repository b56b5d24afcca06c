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

/** A decimal text like `9.99` in minor units; undefined if it isn't exact in this currency. */
export function parseMajor(text: string, currency: string): number | undefined {
  const places = decimalsOf(currency)
  const match = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(text)
  if (!match) return undefined
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > places) return undefined
  return Number(match[1]) * 10 ** places + Number(fraction.padEnd(places, '0') || '0')
}
