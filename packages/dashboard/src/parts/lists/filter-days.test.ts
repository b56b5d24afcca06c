import { describe, expect, it } from 'vitest'
import { dayOfSeconds, secondsOfDay } from './filter-days.ts'

const MARCH_3 = Date.UTC(2027, 2, 3) / 1000

describe('days in a filter', () => {
  it('count from the first second of the first one', () =>
    expect(secondsOfDay('first', '2027-03-03')).toBe(String(MARCH_3)))

  it('count to the last second of the last one', () =>
    expect(secondsOfDay('last', '2027-03-03')).toBe(String(MARCH_3 + 86_400)))

  it.each(['first', 'last'] as const)('are shown as they were chosen: %s', (edge) =>
    expect(dayOfSeconds(edge, secondsOfDay(edge, '2027-03-03'))).toBe('2027-03-03'),
  )

  it.each(['', 'x', '1e99'])('are none where the address has no time: %j', (text) => {
    expect(dayOfSeconds('first', text)).toBe('')
    expect(secondsOfDay('first', text)).toBe('')
  })
})
