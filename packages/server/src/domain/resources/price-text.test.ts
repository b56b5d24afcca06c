import { describe, expect, it } from 'vitest'
import { showTerms, termsSummary } from './price-text.ts'
import type { Terms } from './prices.ts'

const terms = (more: Partial<Terms>): Terms => ({
  amount: 499,
  currency: 'EUR',
  recurring: 0,
  period: null,
  trial_days: 0,
  ...more,
})

describe('terms in words', () => {
  it.each([
    [{}, '4.99 EUR for good', 'Paid once.'],
    [{ period: '30 days' }, '4.99 EUR for 30 days', 'Paid once. Ends by itself after 30 days.'],
    [{ amount: 500, currency: 'JPY' }, '500 JPY for good', 'Paid once.'],
    [
      { recurring: 1, period: '1 month' },
      '4.99 EUR every month',
      'Renews by itself until you cancel.',
    ],
    [
      { recurring: 1, period: '3 months', trial_days: 14 },
      '4.99 EUR every 3 months, first 14 days free',
      'First 14 days free, then every 3 months until you cancel.',
    ],
    [
      { recurring: 1, period: '1 year', trial_days: 1 },
      '4.99 EUR every year, first day free',
      'First day free, then every year until you cancel.',
    ],
  ] as const)('%j: %s', (more, line, promise) => {
    expect(showTerms(terms(more))).toBe(line)
    expect(termsSummary(terms(more))).toBe(promise)
  })
})
