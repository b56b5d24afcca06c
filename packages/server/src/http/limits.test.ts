import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NO_PEERS } from '../cluster/peers.ts'
import type { Failure } from '../errors.ts'
import { twoPeers } from '../testing/two-peers.ts'
import { createLimiter, SECOND } from './limits.ts'

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

it('counts by the second where it is told to', () => {
  const limiter = createLimiter('key', 1, NO_PEERS, SECOND)
  limiter.count('a')
  expect(refusal(() => limiter.count('a'))?.message).toBe('No more than 1 requests a second.')
  vi.advanceTimersByTime(1_000)
  expect(refusal(() => limiter.count('a'))).toBeUndefined()
})

it('counts what peers let in, a quarter of a second later, and nothing of what they refused', () => {
  vi.useFakeTimers({ toFake: ['hrtime', 'setTimeout'] })
  const [one, other] = twoPeers().map((peers) => createLimiter('key', 10, peers))
  const letIn = (limiter: typeof one, tries: number) =>
    Array.from({ length: tries }, () => refusal(() => limiter?.count('a'))).filter((no) => !no)
      .length
  expect(letIn(one, 7)).toBe(7)
  vi.advanceTimersByTime(250)
  expect(letIn(other, 9)).toBe(3)
  vi.advanceTimersByTime(250)
  expect(letIn(one, 9)).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(letIn(other, 4)).toBe(4)
  vi.advanceTimersByTime(250)
  expect(letIn(one, 9)).toBe(6)
})
