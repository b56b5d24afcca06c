import { fail } from '../errors.ts'

const MINUTE_MS = 60_000

/** Counts per key and minute. */
export interface Limiter {
  /** Throws 429 once a key is over its limit. */
  count(key: string): void
}

/** `perMinute` 0 means no limit. Memory is bounded by the keys of one minute. */
export function createLimiter(perMinute: number): Limiter {
  if (perMinute === 0) return { count() {} }
  let counts = new Map<string, number>()
  let windowEnds = performance.now() + MINUTE_MS
  return {
    count(key) {
      const now = performance.now()
      if (now >= windowEnds) {
        counts = new Map()
        windowEnds = now + MINUTE_MS
      }
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count > perMinute) {
        const seconds = Math.ceil((windowEnds - now) / 1000)
        throw fail('too_many_requests', `No more than ${perMinute} requests a minute.`, seconds)
      }
    },
  }
}
