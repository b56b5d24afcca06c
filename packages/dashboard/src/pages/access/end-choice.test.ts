import { describe, expect, it } from 'vitest'
import { dateProblem, describeEnd, endOfChoice } from './end-choice.ts'

const at = (...when: [number, number, number, number?]) => new Date(...when).getTime() / 1000

describe('the end of access', () => {
  it('is none where none is wished', () =>
    expect(endOfChoice('never', '', at(2027, 0, 1), 'UTC')).toBeNull())

  it('is a week of days', () =>
    expect(endOfChoice('week', '', at(2027, 0, 1, 9), 'UTC')).toBe(at(2027, 0, 8, 9)))

  it('is at the same time of a month or a year later', () => {
    expect(endOfChoice('month', '', at(2027, 2, 3, 9), 'UTC')).toBe(at(2027, 3, 3, 9))
    expect(endOfChoice('year', '', at(2027, 2, 3, 9), 'UTC')).toBe(at(2028, 2, 3, 9))
  })

  it('is the last day of a month that is too short', () => {
    expect(endOfChoice('month', '', at(2027, 0, 31, 9), 'UTC')).toBe(at(2027, 1, 28, 9))
    expect(endOfChoice('year', '', at(2028, 1, 29, 9), 'UTC')).toBe(at(2029, 1, 28, 9))
  })

  it('is the end of a day that was chosen, and nothing before one is', () => {
    expect(endOfChoice('date', '2027-03-03', 0, 'UTC')).toBe(Date.UTC(2027, 2, 4) / 1000 - 1)
    expect(endOfChoice('date', '', 0, 'UTC')).toBeUndefined()
  })
})

describe('a last day', () => {
  const HOUR = 3_600
  const ZONES = ['Europe/London', 'America/Los_Angeles', 'Pacific/Auckland', 'Asia/Tokyo']
  const endOf = (date: string, zone: string) => endOfChoice('date', date, 0, zone) as number

  it('ends with that day in the time zone of the application, wherever the browser is', () => {
    expect(endOf('2027-01-01', 'Europe/London')).toBe(Date.UTC(2027, 0, 2) / 1000 - 1)
    expect(endOf('2027-07-01', 'Europe/London')).toBe(Date.UTC(2027, 6, 1, 23) / 1000 - 1)
    expect(endOf('2027-01-01', 'America/Los_Angeles')).toBe(Date.UTC(2027, 0, 2, 8) / 1000 - 1)
    expect(endOf('2027-01-01', 'Pacific/Auckland')).toBe(Date.UTC(2027, 0, 1, 11) / 1000 - 1)
  })

  it.each([
    ['2027-03-28', 'Europe/London', 23],
    ['2027-10-31', 'Europe/London', 25],
    ['2027-03-14', 'America/Los_Angeles', 23],
    ['2027-09-26', 'Pacific/Auckland', 23],
    ['2027-03-28', 'Asia/Tokyo', 24],
  ])('ends in time where clocks change: %s in %s', (date, zone, hours) => {
    const before = date.replace(/\d+$/, (day) => String(Number(day) - 1))
    expect(endOf(date, zone) - endOf(before, zone)).toBe(hours * HOUR)
  })

  it.each(ZONES)('is shown again as it was chosen: %s', (zone) => {
    expect(describeEnd(endOf('2027-01-01', zone), zone)).toBe('until 1 Jan 2027')
    expect(describeEnd(endOf('2027-03-28', zone), zone)).toBe('until 28 Mar 2027')
    expect(describeEnd(endOf('9999-12-30', zone), zone)).toBe('until 30 Dec 9999')
  })
})

describe('the problem of a last day', () => {
  const problemOf = (date: string, today?: string) => dateProblem({ end: 'date', date }, today)

  it('is that none was chosen, if one is needed', () => {
    expect(problemOf('', '2027-03-03')).toBe('Choose a day.')
    expect(dateProblem({ end: 'never', date: '' }, '2027-03-03')).toBeUndefined()
  })

  it('is that it has passed, where access begins today', () => {
    expect(problemOf('2026-03-03', '2027-03-03')).toMatch(/^This day has passed\./)
    expect(problemOf('2027-03-02', '2027-03-03')).toMatch(/^This day has passed\./)
    expect(problemOf('2027-03-03', '2027-03-03')).toBeUndefined()
    expect(dateProblem({ end: 'month', date: '2020-01-01' }, '2027-03-03')).toBeUndefined()
  })

  it('is nothing for a day in the past where access may end earlier', () =>
    expect(problemOf('2020-01-01')).toBeUndefined())
})
