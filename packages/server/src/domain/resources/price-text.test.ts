import { describe, expect, it } from 'vitest'
import { ONCE } from '../../testing/payments/shop.ts'
import { formatTerms } from './price-text.ts'

describe('terms in one line', () => {
  it.each([
    [{}, '4.99 EUR for lifetime access'],
    [{ period: '30 days' }, '4.99 EUR for 30 days'],
    [{ amount: 500, currency: 'JPY' }, '500 JPY for lifetime access'],
    [{ recurring: 1, period: '1 month' }, '4.99 EUR every month'],
    [
      { recurring: 1, period: '3 months', trial_days: 14 },
      '4.99 EUR every 3 months, first 14 days free',
    ],
    [{ recurring: 1, period: '1 year', trial_days: 1 }, '4.99 EUR every year, first day free'],
  ] as const)('%j: %s', (more, line) => {
    expect(formatTerms({ ...ONCE, ...more })).toBe(line)
  })
})
