import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalsOf, formatMajor, isCurrency, parseMajor, showMoney, toMajor } from './currency.ts'

describe('Currencies', () => {
  it('are ISO 4217 codes in capitals', () => {
    for (const code of ['USD', 'EUR', 'JPY', 'KWD']) expect(isCurrency(code)).toBe(true)
    for (const code of ['usd', 'US', 'USDX', 'DOLLAR', '']) expect(isCurrency(code)).toBe(false)
  })

  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['HUF', 2],
    ['CLF', 4],
  ])('have their own decimals: %s has %i', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals)
  })

  it.each([
    [999, 'USD', 9.99],
    [999, 'JPY', 999],
    [999, 'KWD', 0.999],
    [0, 'USD', 0],
    [1, 'USD', 0.01],
  ])('show %i minor units of %s as %d', (minor, currency, major) => {
    expect(toMajor(minor, currency)).toBe(major)
  })

  it.each([
    [499, 'EUR', '4.99 EUR'],
    [5, 'USD', '0.05 USD'],
    [0, 'USD', '0.00 USD'],
    [500, 'JPY', '500 JPY'],
    [0, 'JPY', '0 JPY'],
    [1_500, 'KWD', '1.500 KWD'],
    [99_999, 'EUR', '999.99 EUR'],
    [123_450, 'EUR', '1,234.50 EUR'],
    [1_500_000, 'JPY', '1,500,000 JPY'],
    [Number.MAX_SAFE_INTEGER, 'USD', '90,071,992,547,409.91 USD'],
  ])('are written for people: %i minor units of %s as %s', (minor, currency, shown) => {
    expect(showMoney(minor, currency)).toBe(shown)
    expect(`${formatMajor(minor, currency)} ${currency}`).toBe(shown.replaceAll(',', ''))
  })

  it.each([
    ['4.99', 'EUR', 499],
    ['4.35', 'EUR', 435],
    ['1.1', 'EUR', 110],
    ['4', 'EUR', 400],
    ['0', 'EUR', 0],
    ['0.07', 'EUR', 7],
    ['500', 'JPY', 500],
    ['1.005', 'KWD', 1005],
    ['90071992547409.91', 'USD', Number.MAX_SAFE_INTEGER],
  ])('are read exactly: %s %s are %i minor units', (text, currency, minor) => {
    expect(parseMajor(text, currency)).toBe(minor)
  })

  it.each([
    ['4.999', 'EUR'],
    ['4.990', 'EUR'],
    ['500.0', 'JPY'],
    ['1.0005', 'KWD'],
    ['90071992547409.92', 'USD'],
    ['9'.repeat(400), 'USD'],
    ['4,99', 'EUR'],
    ['1,234.50', 'EUR'],
    ['-1', 'EUR'],
    ['+1', 'EUR'],
    ['4.', 'EUR'],
    ['.99', 'EUR'],
    ['04.99', 'EUR'],
    ['1e3', 'EUR'],
    ['0x10', 'EUR'],
    ['Infinity', 'EUR'],
    ['٤', 'EUR'],
    [' 4.99', 'EUR'],
    ['4.99 EUR', 'EUR'],
    ['4.99\n', 'EUR'],
    ['', 'EUR'],
  ])('are not guessed at: %j %s is no amount', (text, currency) => {
    expect(parseMajor(text, currency)).toBeUndefined()
  })

  it('are read back as they were written, whatever the amount', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF')
    fc.assert(
      fc.property(fc.maxSafeNat(), currency, (minor, code) => {
        const [number = ''] = showMoney(minor, code).split(' ')
        expect(parseMajor(number.replaceAll(',', ''), code)).toBe(minor)
        expect(parseMajor(formatMajor(minor, code), code)).toBe(minor)
      }),
    )
  })
})
