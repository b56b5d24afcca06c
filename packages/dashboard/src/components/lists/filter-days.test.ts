import { describe, expect, it } from 'vitest'
import { dayToSeconds, secondsToDay } from './filter-days.ts'

const MARCH_3 = Date.UTC(2027, 2, 3) / 1000
const HOUR = 3_600

describe('days in a filter', () => {
  it('count from the first second of the first one', () =>
    expect(dayToSeconds('first', '2027-03-03', 'UTC')).toBe(String(MARCH_3)))

  it('count to the last second of the last one', () =>
    expect(dayToSeconds('last', '2027-03-03', 'UTC')).toBe(String(MARCH_3 + 86_400)))

  it('are those of the application’s time zone, also when its clocks change', () => {
    expect(dayToSeconds('first', '2027-03-03', 'America/New_York')).toBe(String(MARCH_3 + 5 * HOUR))
    const sunday = [
      dayToSeconds('first', '2027-03-28', 'Europe/Berlin'),
      dayToSeconds('last', '2027-03-28', 'Europe/Berlin'),
    ].map(Number) as [number, number]
    expect(sunday[1] - sunday[0]).toBe(23 * HOUR)
  })

  it.each(['first', 'last'] as const)('are shown as they were chosen: %s', (edge) => {
    for (const zone of ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland']) {
      for (const day of ['2027-03-03', '2027-03-28', '2027-10-31']) {
        expect(secondsToDay(edge, dayToSeconds(edge, day, zone), zone)).toBe(day)
      }
    }
  })

  it.each(['', 'x', '1e99'])('are none where the address has no time: %j', (text) => {
    expect(secondsToDay('first', text, 'UTC')).toBe('')
    expect(dayToSeconds('first', text, 'UTC')).toBe('')
  })
})
