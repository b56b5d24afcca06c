import { describe, expect, it } from 'vitest'
import { startOfDay } from './days.ts'
import { monthlyAmount } from './monthly.ts'
import { resolveDays, resolveRange, splitDays } from './ranges.ts'
import { coverSpan } from './revenue.ts'

const at = (text: string) => Date.parse(text) / 1000

describe('a day', () => {
  it.each([
    ['UTC', '2026-03-29', '2026-03-29T00:00Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15Z'],
    // Clocks are set forward at midnight: the day begins at one o'clock.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00Z'],
    ['Africa/Cairo', '2026-04-25', '2026-04-24T21:00Z'],
    // Samoa left this day out: it begins when the next one does.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00Z'],
    ['not a zone', '2026-01-01', '2026-01-01T00:00Z'],
  ])('of %s on %s begins at %s', (zone, day, start) => {
    expect(startOfDay(zone, day)).toBe(at(start))
  })
})

describe('a range', () => {
  it.each([
    ['7d', '2026-03-02', ['2026-02-24', '2026-03-02'], ['2026-02-17', '2026-02-23']],
    ['month', '2026-03-31', ['2026-03-01', '2026-03-31'], ['2026-02-01', '2026-02-28']],
    ['month', '2026-11-16', ['2026-11-01', '2026-11-16'], ['2026-10-01', '2026-10-16']],
    ['last_month', '2026-01-15', ['2025-12-01', '2025-12-31'], ['2025-11-01', '2025-11-30']],
    ['quarter', '2026-05-31', ['2026-04-01', '2026-05-31'], ['2026-01-01', '2026-02-28']],
    ['quarter', '2026-12-31', ['2026-10-01', '2026-12-31'], ['2026-07-01', '2026-09-30']],
    ['quarter', '2026-01-01', ['2026-01-01', '2026-01-01'], ['2025-10-01', '2025-10-01']],
    ['year', '2024-02-29', ['2024-01-01', '2024-02-29'], ['2023-01-01', '2023-02-28']],
  ] as const)('%s on %s is compared with the one before', (preset, today, days, previous) => {
    expect(resolveDays(preset, today)).toEqual({
      days: { first: days[0], last: days[1] },
      previous: { first: previous[0], last: previous[1] },
    })
  })

  it('of any days is compared with as many before', () => {
    expect(resolveDays({ first: '2026-03-01', last: '2026-03-03' }, '2026-11-16').previous).toEqual(
      {
        first: '2026-02-26',
        last: '2026-02-28',
      },
    )
  })

  it('is split into days, weeks from Monday on, or months, without a gap', () => {
    const days = { first: '2026-11-13', last: '2026-12-02' }
    expect(splitDays(days, 'day')).toHaveLength(20)
    expect(splitDays(days, 'week').map(({ first }) => first)).toEqual([
      '2026-11-13',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
    ])
    expect(splitDays(days, 'month')).toEqual([
      { first: '2026-11-13', last: '2026-11-30' },
      { first: '2026-12-01', last: '2026-12-02' },
    ])
    const { buckets, range } = resolveRange(
      { first: '2026-01-01', last: '2026-12-31' },
      'Europe/Berlin',
      0,
    )
    expect(buckets[0]?.from).toBe(range.from)
    expect(buckets.at(-1)?.to).toBe(range.to)
    expect(buckets.slice(1).every(({ from }, i) => from === buckets[i]?.to)).toBe(true)
  })

  it.each([
    ['2026-02-30', '2026-03-01', 'first'],
    ['2026-03-01', 'tomorrow', 'last'],
    ['2026-03-02', '2026-03-01', 'last'],
    ['2010-03-02', '2026-03-01', 'first'],
  ])('from %s to %s is refused', (first, last, parameter) => {
    expect(() => resolveDays({ first, last }, '2026-11-16')).toThrow(
      expect.objectContaining({ parameter }),
    )
  })
})

it('covers a span with the largest sums that fit, and says what is left', () => {
  const cover = (from: number, to: number) => coverSpan({ from, to }, [80, 10])
  expect(cover(75, 255)).toEqual({
    pieces: [
      { size: 80, from: 80, to: 240 },
      { size: 10, from: 240, to: 250 },
    ],
    rest: [
      { from: 75, to: 80 },
      { from: 250, to: 255 },
    ],
  })
  expect(cover(80, 160)).toEqual({ pieces: [{ size: 80, from: 80, to: 160 }], rest: [] })
  expect(cover(70, 90).pieces).toEqual([{ size: 10, from: 70, to: 90 }])
  expect(cover(1, 9)).toEqual({ pieces: [], rest: [{ from: 1, to: 9 }] })
})

it.each([
  [499, '1 month', 499],
  [4_900, '1 year', 408],
  [500, '2 weeks', 1_083],
  [300, '30 days', 304],
  [1_000, '3 months', 333],
  [1, '2 months', 1],
  [1, '1 year', 0],
  [99_999_999, '1 day', 3_041_666_636],
])('%i for %s is worth %i a month', (amount, period, monthly) => {
  expect(monthlyAmount(amount, period)).toBe(monthly)
})
