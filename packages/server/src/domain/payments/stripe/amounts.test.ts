import { describe, expect, it } from 'vitest'
import { decimalsOf } from '../../apps/currency.ts'
import { fromStripeAmount, toStripeAmount } from './amounts.ts'

describe('an amount', () => {
  /** Currency, amount in major units, and amount as Stripe expects it. */
  it.each([
    ['EUR', 4.99, 499],
    ['USD', 10, 1000],
    ['JPY', 500, 500],
    ['KRW', 12000, 12000],
    ['XOF', 650, 650],
    ['ISK', 5, 500],
    ['UGX', 20000, 2000000],
    ['HUF', 3500, 350000],
    ['COP', 9000, 900000],
    ['IDR', 49000, 4900000],
    ['TWD', 800, 80000],
    ['KWD', 5.12, 5120],
    ['TND', 0.5, 500],
    ['JOD', 7, 7000],
  ])('of %s %d is %d for Stripe, and back', (currency, major, amount) => {
    const money = { amount: Math.round(major * 10 ** decimalsOf(currency)), currency }
    const there = { amount, currency: currency.toLowerCase() }
    expect(toStripeAmount(money)).toEqual(there)
    expect(fromStripeAmount(there)).toEqual(money)
  })

  it('that Stripe has no way to take is none', () => {
    expect(toStripeAmount({ amount: 5124, currency: 'KWD' })).toBeUndefined()
    expect(toStripeAmount({ amount: 5125, currency: 'LYD' })).toBeUndefined()
    const tooLarge = { amount: Number.MAX_SAFE_INTEGER, currency: 'ISK' }
    expect(toStripeAmount(tooLarge)).toBeUndefined()
  })

  it('that is not one of ours is none', () => {
    expect(fromStripeAmount({ amount: 500, currency: 'zzz' })).toBeUndefined()
    expect(fromStripeAmount({ amount: 550, currency: 'isk' })).toBeUndefined()
  })

  it('comes back as it went, in every currency', () => {
    for (const currency of Intl.supportedValuesOf('currency')) {
      const money = { amount: 123_000, currency }
      const there = toStripeAmount(money)
      expect(there && fromStripeAmount(there), currency).toEqual(money)
    }
  })
})
