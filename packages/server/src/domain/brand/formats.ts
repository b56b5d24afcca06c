import type { Seconds } from '../../db/tables.ts'
import { DEFAULT_LANGUAGE } from '../../language.ts'
import { decimalsOf, formatMajor } from '../apps/currency.ts'

/** How amounts and dates are written for one reader. */
export interface Formats {
  timeZone: string
  /** 15 December 2026 */
  day(at: Seconds): string
  /** 15 December 2026 at 10:30 CET */
  moment(at: Seconds): string
  /** €9.99, or 9,99 € */
  money(minor: number, currency: string): string
}

/** The locale for readers who ask for none. */
export const DEFAULT_LOCALE = 'en'

/** The locale of dates that no reader's region decides, such as those in emails. */
const NEUTRAL_DATES = 'en-GB'

const MAX_CACHED = 500

/** Creating a formatter of `Intl` takes long, so they are kept. */
function cached<T>(create: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = create(key)
    // A client can ask for many locales.
    if (known.size >= MAX_CACHED) known.clear()
    known.set(key, made)
    return made
  }
}

/** Returns how to write for a reader. `locale` must be a well-formed language tag. */
export function createFormats(timeZone: string, locale: string = DEFAULT_LOCALE): Formats {
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC'
  const dates = dateLocaleOf(locale)
  return {
    timeZone: zone,
    day: (at) => dayFormat(`${dates} ${zone}`).format(at * 1000),
    moment: (at) => {
      const name = zoneNameAt(zone, at)
      return `${momentFormat(`${dates} ${zone}`).format(at * 1000)} ${name}`
    },
    money: (minor, currency) => formatMoney(minor, currency, locale),
  }
}

/** Whether this system knows the IANA time zone. Offsets such as +01:00 are none. */
export const isTimeZone = cached((name: string): boolean => {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
})

const parts = (key: string) => key.split(' ') as [string, string]

const dayFormat = cached((key) => {
  const [locale, timeZone] = parts(key)
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone })
})

const momentFormat = cached((key) => {
  const [locale, timeZone] = parts(key)
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
})

const zoneFormat = cached(
  (timeZone) => new Intl.DateTimeFormat(NEUTRAL_DATES, { timeZone, timeZoneName: 'short' }),
)

/** CET, UTC or GMT-5. */
function zoneNameAt(timeZone: string, at: Seconds): string {
  const named = zoneFormat(timeZone).formatToParts(at * 1000)
  return named.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** A date contains words, so it is written in the language of the page, in the order that the reader's region uses. */
const dateLocaleOf = cached((locale: string): string => {
  if (locale === DEFAULT_LOCALE) return NEUTRAL_DATES
  const { region } = new Intl.Locale(locale).maximize()
  const wanted = `${DEFAULT_LANGUAGE}-${region}`
  const { locale: known } = new Intl.DateTimeFormat(wanted).resolvedOptions()
  return known === wanted ? wanted : NEUTRAL_DATES
})

const moneyFormat = cached((key) => {
  const [locale, currency] = parts(key)
  const decimals = decimalsOf(currency)
  return new Intl.NumberFormat(locale, {
    ...{ style: 'currency', currency, numberingSystem: 'latn' },
    // The decimals that our amounts have, which may differ from those of `Intl`.
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  })
})

/** Marks of the text direction, which some locales put around amounts, would turn English text around. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g

function formatMoney(minor: number, currency: string, locale: string): string {
  // Passed as text, because a number of major units may not be exact.
  const major = formatMajor(minor, currency) as `${number}`
  return moneyFormat(`${locale} ${currency}`).format(major).replace(DIRECTION_MARKS, '')
}
