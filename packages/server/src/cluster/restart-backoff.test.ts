import { expect, it } from 'vitest'
import { createRestartBackoff } from './restart-backoff.ts'

it('doubles the delay of a slot whose workers exit early, up to 30 seconds, until one lives 10 seconds', () => {
  const backoff = createRestartBackoff()
  const delays = Array.from({ length: 9 }, () => {
    backoff.recordExit(1, 9_999)
    return backoff.delayMs(1)
  })
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  backoff.recordExit(1, 10_000)
  expect(backoff.delayMs(1)).toBe(0)
})

it('delays no slot for what happened in another, and forgives none for it', () => {
  const backoff = createRestartBackoff()
  for (let n = 0; n < 5; n++) backoff.recordExit(1, 0)
  expect(backoff.delayMs(2)).toBe(0)
  backoff.recordExit(2, 0)
  expect(backoff.delayMs(2)).toBe(500)
  backoff.recordExit(2, 60_000)
  expect(backoff.delayMs(1)).toBe(8_000)
})
