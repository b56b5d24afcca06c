import type { Millis } from '../db/tables.ts'

/** With these pauses, a mail is retried for about 43 hours. */
export const MAX_ATTEMPTS = 50
const FIRST_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 3600_000

/** Exponential backoff with jitter, so that many mails are not retried at the same moment. */
export function backoffAfter(attempts: number, random = Math.random()): Millis {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS)
  return Math.round(pause * (0.8 + 0.4 * random))
}

/** Limits mails to `perSecond` within any one second. Unused allowance does not accumulate. */
export function createRateLimit(perSecond: number, now = () => performance.now()) {
  const used: number[] = []
  return {
    use(): void {
      used.push(now())
      if (used.length > perSecond) used.shift()
    },
    /** Milliseconds until the next mail is allowed. */
    pause(): Millis {
      const [oldest] = used
      if (oldest === undefined || used.length < perSecond) return 0
      return Math.max(0, Math.ceil(oldest + 1_000 - now()))
    },
  }
}
