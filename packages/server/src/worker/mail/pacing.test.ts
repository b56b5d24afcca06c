import { expect, it } from 'vitest'
import { backoffAfter, createRateLimit, createThrottle, MAX_ATTEMPTS } from './pacing.ts'

it('pauses twice as long after each try, up to an hour, with a fifth of jitter either way', () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS }, (_, i) => backoffAfter(i + 1, 0.5) / 1000)
  expect(pauses.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
  expect([backoffAfter(1, 0), backoffAfter(1, 1)]).toEqual([24_000, 36_000])
  const days = pauses.reduce((sum, pause) => sum + pause) / 86_400
  expect(days).toBeGreaterThan(1.5)
  expect(days).toBeLessThan(3)
})

it('allows so many in any one second, and no more after a rest', () => {
  let now = 0
  const allowance = createRateLimit(20, () => now)
  const at: number[] = []
  now = 60_000
  while (now < 70_000) {
    const pause = allowance.pause()
    if (pause === 0) {
      allowance.use()
      at.push(now)
    }
    now += Math.max(pause, 3)
  }
  for (const start of at) {
    expect(at.filter((one) => one >= start && one < start + 1000).length).toBeLessThanOrEqual(20)
  }
  expect(at.length).toBeGreaterThanOrEqual(190)
})

it('halves the connections once for mails that were refused together, and pauses at one', () => {
  let now = 100
  const throttle = createThrottle(8, () => now)
  const refuse = (times: number) => {
    const started = now
    now += 50
    for (let n = 0; n < times; n++) throttle.refused(started)
  }
  refuse(8)
  expect(throttle.allowed()).toBe(4)
  refuse(4)
  refuse(2)
  expect([throttle.allowed(), throttle.pause()]).toEqual([1, 0])
  const pauses = Array.from({ length: 6 }, () => {
    refuse(1)
    const pause = throttle.pause()
    now += pause
    return pause
  })
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 16_000])
  throttle.accepted()
  refuse(1)
  expect(throttle.pause()).toBe(0)
  for (let n = 0; n < 40; n++) throttle.accepted()
  expect(throttle.allowed()).toBe(8)
})
