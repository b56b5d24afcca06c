import { describe, expect, it } from 'vitest'
import { formatBytes, formatMoney, formatNumber, formatRelative, pluralize } from './format.ts'

describe('money', () => {
  it.each([
    [{ amount: 123_450, currency: 'EUR' }, '1,234.50 EUR'],
    [{ amount: 500, currency: 'JPY' }, '500 JPY'],
    [{ amount: 1_500, currency: 'KWD' }, '1.500 KWD'],
    [{ amount: -5, currency: 'USD' }, '−0.05 USD'],
  ])('has the decimals of its currency: %j', (money, shown) =>
    expect(formatMoney(money)).toBe(shown),
  )
})

describe('a distance in time', () => {
  const now = Date.UTC(2027, 2, 3)
  const HOUR = 3_600_000
  it.each([
    [0, 'now'],
    [21_000, 'now'],
    [59_999, 'now'],
    [60_000, 'in 1 minute'],
    [-21_000, '21 seconds ago'],
    [-5 * 60_000, '5 minutes ago'],
    [3 * HOUR, 'in 3 hours'],
    [-25 * HOUR, 'yesterday'],
    [7 * 24 * HOUR, 'in 7 days'],
    [7 * 24 * HOUR - 20_000, 'in 7 days'],
    [-59.7 * 60_000, '1 hour ago'],
    [23.8 * HOUR, 'tomorrow'],
    [-400 * 24 * HOUR, 'last year'],
  ])('is told in the largest unit that fits: %i ms', (distance, shown) =>
    expect(formatRelative(now + distance, now)).toBe(shown),
  )
})

describe('a whole number', () => {
  it.each([0, 7, -12, 999, 1_000, -1_000, 123_456, 1_234_567, 98_765_432_100])('%i', (value) =>
    expect(formatNumber(value)).toBe(new Intl.NumberFormat('en-GB').format(value)),
  )
})

describe('a count', () => {
  it.each([
    [0, '0 people'],
    [1, '1 person'],
    [1204, '1,204 people'],
  ])('agrees with its noun: %i', (value, shown) =>
    expect(pluralize(value, 'person', 'people')).toBe(shown),
  )
})

describe('the size of a file', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1500, '1.5 kB'],
    [734_003_200, '734 MB'],
  ])('has one decimal where that tells something: %i', (bytes, shown) =>
    expect(formatBytes(bytes)).toBe(shown),
  )
})
