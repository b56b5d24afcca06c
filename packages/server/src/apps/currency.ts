let currencies: ReadonlySet<string> | undefined

/** An ISO 4217 code in capitals. They are asked for when they are first needed: the web app, which writes
 * amounts with what is below, would wait for it. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}

/** Those that do not have two. ISO 4217, and not what the platform knows of a currency: that follows use,
 * differs between versions, and would change what a stored amount means. */
export const UNUSUAL_DECIMALS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
])

/** How many decimals a currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  return UNUSUAL_DECIMALS.get(currency) ?? 2
}

/** Minor units (cents) as a number in major units, for showing only. */
export function toMajor(minor: number, currency: string): number {
  return minor / 10 ** decimalsOf(currency)
}

/** Minor units as `parseMajor` reads them: 1234.50, as many decimals as the currency has. */
export function writeMajor(minor: number, currency: string): string {
  const count = decimalsOf(currency)
  if (count === 0) return String(minor)
  const digits = String(minor).padStart(count + 1, '0')
  return `${digits.slice(0, -count)}.${digits.slice(-count)}`
}

/** For people: 1,234.50 EUR. The code instead of a sign, since many countries share theirs. */
export function showMoney(minor: number, currency: string): string {
  const [whole = '', ...fraction] = writeMajor(minor, currency).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${[grouped, ...fraction].join('.')} ${currency}`
}

/** Major units as somebody writes them, in minor units: 4.99 EUR are 499. Undefined for what is no
 * amount, has more decimals than the currency, or is too large to be counted exactly. */
export function parseMajor(text: string, currency: string): number | undefined {
  const match = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  const count = decimalsOf(currency)
  if (fraction.length > count) return undefined
  // From the digits: 4.35 * 100 is not 435.
  const minor = Number(whole + fraction.padEnd(count, '0'))
  return Number.isSafeInteger(minor) ? minor : undefined
}
