import { describe, expect, it } from 'vitest'
import { dayToSeconds, secondsToDay } from './filter-days.ts'

const MARCH_3 = Date.UTC(2027, 2, 3) / 1000

describe('days in a filter', () => {
  it('count from the first second of the first one', () =>
    expect(dayToSeconds('first', '2027-03-03')).toBe(String(MARCH_3)))

  it('count to the last second of the last one', () =>
    expect(dayToSeconds('last', '2027-03-03')).toBe(String(MARCH_3 + 86_400)))

  it.each(['first', 'last'] as const)('are shown as they were chosen: %s', (edge) =>
    expect(secondsToDay(edge, dayToSeconds(edge, '2027-03-03'))).toBe('2027-03-03'),
  )

  it.each(['', 'x', '1e99'])('are none where the address has no time: %j', (text) => {
    expect(secondsToDay('first', text)).toBe('')
    expect(dayToSeconds('first', text)).toBe('')
  })
})
