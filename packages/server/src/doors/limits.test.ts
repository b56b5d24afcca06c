import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Failure } from '../errors.ts'
import { createLimiter } from './limits.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['hrtime'] }))
afterEach(() => vi.useRealTimers())

function refusal(count: () => void): Failure | undefined {
  try {
    count()
  } catch (error) {
    return error as Failure
  }
  return undefined
}

it('counts each key by itself, and says when to come again', () => {
  const limiter = createLimiter('key', 2)
  for (const key of ['a', 'a', 'b', 'b']) expect(refusal(() => limiter.count(key))).toBeUndefined()
  vi.advanceTimersByTime(20_500)
  expect(refusal(() => limiter.count('a'))).toMatchObject({
    code: 'too_many_requests',
    status: 429,
    retryAfter: 40,
  })
  expect(refusal(() => limiter.count('c'))).toBeUndefined()
})

it('forgets after a minute', () => {
  const limiter = createLimiter('key', 1)
  limiter.count('a')
  vi.advanceTimersByTime(59_999)
  expect(refusal(() => limiter.count('a'))?.status).toBe(429)
  vi.advanceTimersByTime(1)
  expect(refusal(() => limiter.count('a'))).toBeUndefined()
})

it('0 means no limit', () => {
  const limiter = createLimiter('key', 0)
  for (let i = 0; i < 10_000; i++) limiter.count('a')
})
