import { describe, expect, it } from 'vitest'
import { endOfChoice } from './end-choice.ts'

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
