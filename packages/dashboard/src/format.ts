import { type Money, showMoney } from '@gatehouse/server/dashboard-api'

/** The language of texts.ts, which determines how numbers and dates are written. */
const LOCALE = 'en-GB'
const THOUSANDS = ','

/** Creates a value on first use: a browser takes a while to create its first formatter, which the first page does not
 * need. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** 1,234.50 EUR */
export function formatMoney({ amount, currency }: Money): string {
  return amount < 0 ? `−${showMoney(-amount, currency)}` : showMoney(amount, currency)
}

/** Formats a whole number: 1,204 */
export const formatNumber = (value: number): string =>
  String(value).replace(/\B(?=(\d{3})+$)/g, THOUSANDS)

/** `1 person`, `1,204 people`. */
export function pluralize(value: number, one: string, other: string): string {
  return `${formatNumber(value)} ${value === 1 ? one : other}`
}

const A_DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const
const days = lazily(() => new Intl.DateTimeFormat(LOCALE, A_DAY))
const minutes = lazily(
  () => new Intl.DateTimeFormat(LOCALE, { ...A_DAY, hour: '2-digit', minute: '2-digit' }),
)
const seconds = lazily(
  () => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' }),
)

/** 3 Mar 2027 */
export const formatDay = (milliseconds: number): string => days().format(milliseconds)
/** 3 Mar 2027, 09:00 */
export const formatMinute = (milliseconds: number): string => minutes().format(milliseconds)
/** Formats to the second, with weekday and time zone. */
export const formatTimestamp = (milliseconds: number): string => seconds().format(milliseconds)

const relative = lazily(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }))
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How many of a unit make one of the next, the unit, and its length in seconds. */
const UNITS = [
  [60, 'second', 1],
  [60, 'minute', MINUTE],
  [24, 'hour', HOUR],
  [30, 'day', DAY],
  [12, 'month', 30.44 * DAY],
  [Number.POSITIVE_INFINITY, 'year', 365.25 * DAY],
] as const

/** `in 3 days` or `2 hours ago`, relative to `now`; both are in milliseconds. The next minute is `now`: what has just
 * happened may be dated by a machine whose clock is a little ahead. */
export function formatRelative(milliseconds: number, now: number): string {
  const ahead = (milliseconds - now) / 1000
  const distance = ahead > 0 && ahead < MINUTE ? 0 : ahead
  const inUnits = (length: number) => Math.round(distance / length)
  const fits = UNITS.find(([most, , length]) => Math.abs(inUnits(length)) < most) ?? UNITS[5]
  const [, unit, length] = fits
  return relative().format(inUnits(length), unit)
}

const shortDays = lazily(() => new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' }))
/** 3 Mar */
export const formatShortDay = (milliseconds: number): string => shortDays().format(milliseconds)

const compact = lazily(
  () => new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 2 }),
)
/** 1.2k, for narrow spaces. */
export const formatCompact = (value: number): string => compact().format(value)

const lists = lazily(() => new Intl.ListFormat(LOCALE, { type: 'conjunction' }))
/** a, b and c */
export const formatList = (parts: readonly string[]): string => lists().format(parts)

const sizes = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** 3.4 MB */
export function formatBytes(bytes: number): string {
  const step = Math.min(bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3), sizes.length - 1)
  const value = bytes / 1000 ** step
  const digits = step === 0 || value >= 100 ? 0 : 1
  return `${value.toLocaleString(LOCALE, { maximumFractionDigits: digits })} ${sizes[step]}`
}
