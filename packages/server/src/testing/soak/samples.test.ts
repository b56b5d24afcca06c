import { describe, expect, it } from 'vitest'
import { lowestPerMinute, p99PerMinute, slopePerTenMinutes, trendOf } from './samples.ts'

const rising = Array.from({ length: 60 }, (_, n) => ({ minute: n / 2, value: 100 + n / 20 }))

describe('the samples of a soak run', () => {
  it('have a slope per ten minutes', () => {
    expect(slopePerTenMinutes(rising)).toBeCloseTo(1, 6)
    expect(slopePerTenMinutes(rising.map((one) => ({ ...one, value: 7 })))).toBe(0)
    expect(slopePerTenMinutes(rising.slice(0, 1))).toBe(0)
  })

  it('are judged by their lowest value of each minute, and without the warm-up', () => {
    const jagged = rising.map((one, n) => ({ ...one, value: one.value + (n % 2) * 50 }))
    expect(slopePerTenMinutes(lowestPerMinute(jagged))).toBeCloseTo(1, 6)
    const settled = rising.map((one) => ({ ...one, value: Math.min(one.value, 101) }))
    expect(trendOf(settled, 10)).toEqual({ first: 100, last: 101, max: 101, slope: 0 })
    expect(trendOf(settled, 0).slope).toBeGreaterThan(0)
  })

  it('have a 99th percentile of each minute', () => {
    const samples = Array.from({ length: 400 }, (_, n) => ({ minute: n / 200, value: n % 200 }))
    expect(p99PerMinute(samples)).toEqual([
      { minute: 0, value: 198 },
      { minute: 1, value: 198 },
    ])
  })
})
