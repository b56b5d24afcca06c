import { describe, expect, it } from 'vitest'
import { createFormats, isTimeZone } from './formats.ts'

/** 2026-11-29 23:30 UTC */
const AT = Date.UTC(2026, 10, 29, 23, 30) / 1000
/** Some locales put a no-break space between an amount and its currency. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('amounts', () => {
  it.each([
    ['en', 999, 'USD', '$9.99'],
    ['en', 123_450, 'EUR', '€1,234.50'],
    ['de', 123_450, 'EUR', '1.234,50 €'],
    ['fr-FR', 999, 'USD', '9,99 $US'],
    ['en-CA', 999, 'USD', 'US$9.99'],
    ['ja-JP', 500, 'JPY', '￥500'],
    ['ar-EG', 999, 'EUR', '9.99 €'],
    // Our own list of decimals decides, not that of `Intl`.
    ['en', 1_500, 'ISK', 'ISK 1,500'],
    ['en', 1_500, 'KWD', 'KWD 1.500'],
    ['en', Number.MAX_SAFE_INTEGER, 'USD', '$90,071,992,547,409.91'],
  ])('%s: %d %s is %s', (locale, minor, currency, text) => {
    expect(plain(createFormats('UTC', locale).money(minor, currency))).toBe(text)
  })
})

describe('dates', () => {
  it.each([
    ['UTC', 'en', '29 November 2026', '29 November 2026 at 23:30 UTC'],
    ['Europe/Berlin', 'en', '30 November 2026', '30 November 2026 at 00:30 CET'],
    ['Europe/Berlin', 'de', '30 November 2026', '30 November 2026 at 00:30 CET'],
    ['UTC', 'en-US', 'November 29, 2026', 'November 29, 2026 at 11:30 PM UTC'],
    ['UTC', 'pt-BR', '29 November 2026', '29 November 2026 at 23:30 UTC'],
  ])('in %s for %s: %s', (zone, locale, day, moment) => {
    const formats = createFormats(zone, locale)
    expect([formats.day(AT), plain(formats.moment(AT))]).toEqual([day, moment])
  })

  it('are in UTC where the zone is not known to this system', () => {
    expect(createFormats('Mars/Olympus').moment(AT)).toBe('29 November 2026 at 23:30 UTC')
  })
})

it('takes names of time zones alone', () => {
  const names = ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']
  expect(names.filter((name) => !isTimeZone(name))).toEqual([])
  const none = ['', 'Berlin', '+01:00', 'Europe/Nowhere', 'Europe/Berlin ', '../etc/passwd', 'é']
  expect(none.filter((name) => isTimeZone(name))).toEqual([])
})
