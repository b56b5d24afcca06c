import { describe, expect, it } from 'vitest'
import { decimalsOf, isCurrency, toMajor } from './currency.ts'

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
})
