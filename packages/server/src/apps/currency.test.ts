import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalsOf, isCurrency, parseMajor, toMajor } from './currency.ts'

describe('Currencies', () => {
  it('are ISO 4217 codes in capitals', () => {
    for (const code of ['USD', 'EUR', 'JPY', 'KWD']) expect(isCurrency(code)).toBe(true)
    for (const code of ['usd', 'US', 'USDX', 'DOLLAR', '']) expect(isCurrency(code)).toBe(false)
  })

  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
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
    ['9.99', 'USD', 999],
    ['9.9', 'USD', 990],
    ['9.990', 'USD', 999],
    ['9', 'USD', 900],
    ['9.999', 'USD', undefined],
    ['9.999', 'KWD', 9999],
    ['9.5', 'JPY', undefined],
    ['9.0', 'JPY', 9],
    ['-1', 'USD', undefined],
    ['1e3', 'USD', undefined],
    ['.5', 'USD', undefined],
    ['', 'USD', undefined],
  ])('read %s %s as %s minor units', (text, currency, minor) => {
    expect(parseMajor(text, currency)).toBe(minor)
  })

  it('lose nothing between the two', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.constantFrom('USD', 'JPY', 'KWD'),
        (minor, currency) => {
          expect(parseMajor(String(toMajor(minor, currency)), currency)).toBe(minor)
        },
      ),
    )
  })
})
