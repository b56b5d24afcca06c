import { describe, expect, it } from 'vitest'
import { dateProblem, endOfChoice } from './end-choice.ts'

const at = (...when: [number, number, number, number?]) => new Date(...when).getTime() / 1000

describe('the end of access', () => {
  it('is none where none is wished', () =>
    expect(endOfChoice('never', '', at(2027, 0, 1))).toBeNull())

  it('is a week of days', () =>
    expect(endOfChoice('week', '', at(2027, 0, 1, 9))).toBe(at(2027, 0, 8, 9)))

  it('is at the same time of a month or a year later', () => {
    expect(endOfChoice('month', '', at(2027, 2, 3, 9))).toBe(at(2027, 3, 3, 9))
    expect(endOfChoice('year', '', at(2027, 2, 3, 9))).toBe(at(2028, 2, 3, 9))
  })

  it('is the last day of a month that is too short', () => {
    expect(endOfChoice('month', '', at(2027, 0, 31, 9))).toBe(at(2027, 1, 28, 9))
    expect(endOfChoice('year', '', at(2028, 1, 29, 9))).toBe(at(2029, 1, 28, 9))
  })

  it('is the end of a day that was chosen, and nothing before one is', () => {
    expect(endOfChoice('date', '2027-03-03', 0)).toBe(at(2027, 2, 4) - 1)
    expect(endOfChoice('date', '', 0)).toBeUndefined()
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
