let currencies: ReadonlySet<string> | undefined

/** Accepts an ISO 4217 code in capitals. The list is loaded on first use, because it would slow down the web app,
 * which imports this file to format amounts. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}

/** Currencies that don't have two decimals, by ISO 4217. `Intl` is not used: its data follows common usage and
 * differs between versions, which would change the meaning of stored amounts. */
export const UNUSUAL_DECIMALS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
])

/** The number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  return UNUSUAL_DECIMALS.get(currency) ?? 2
}

/** Converts minor units (cents) to major units. For display only. */
export function toMajor(minor: number, currency: string): number {
  return minor / 10 ** decimalsOf(currency)
}

/** Formats minor units for `parseMajor`: 1234.50, with all decimals of the currency. */
export function formatMajor(minor: number, currency: string): string {
  const count = decimalsOf(currency)
  if (count === 0) return String(minor)
  const digits = String(minor).padStart(count + 1, '0')
  return `${digits.slice(0, -count)}.${digits.slice(-count)}`
}

/** Formats an amount for people: 1,234.50 EUR. Uses the code because several countries share a currency sign. */
export function showMoney(minor: number, currency: string): string {
  const [whole = '', ...fraction] = formatMajor(minor, currency).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${[grouped, ...fraction].join('.')} ${currency}`
}

/** Parses major units into minor units: 4.99 EUR is 499. Returns undefined if the text is not an amount, has more
 * decimals than the currency, or is too large for an exact integer. */
export function parseMajor(text: string, currency: string): number | undefined {
  const match = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  const count = decimalsOf(currency)
  if (fraction.length > count) return undefined
  // Built from the digits, because 4.35 * 100 is not 435.
  const minor = Number(whole + fraction.padEnd(count, '0'))
  return Number.isSafeInteger(minor) ? minor : undefined
}
