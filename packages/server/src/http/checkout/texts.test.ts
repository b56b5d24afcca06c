import { describe, expect, it } from 'vitest'
import { ONCE } from '../../testing/payments/shop.ts'
import { checkoutTexts } from './texts.ts'

describe('the terms that a buyer agrees to', () => {
  it.each([
    [{}, 'One-time payment.'],
    [{ period: '30 days' }, 'One-time payment. Access ends after 30 days.'],
    [{ recurring: 1, period: '1 month' }, 'Renews automatically until you cancel.'],
    [
      { recurring: 1, period: '3 months', trial_days: 14 },
      'First 14 days free, then 4.99 EUR every 3 months until you cancel.',
    ],
    [
      { recurring: 1, period: '1 year', trial_days: 1 },
      'First day free, then 4.99 EUR a year until you cancel.',
    ],
  ] as const)('%j: %s', (more, summary) => {
    expect(checkoutTexts().terms.summary({ ...ONCE, ...more }, '4.99 EUR')).toBe(summary)
  })
})
