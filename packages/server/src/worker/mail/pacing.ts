import type { Millis } from '../../db/tables.ts'

/** With these pauses, a mail is retried for about 43 hours. */
export const MAX_ATTEMPTS = 50
const FIRST_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 3600_000

/** Exponential backoff with jitter, so that many mails are not retried at the same moment. */
export function backoffAfter(attempts: number, random = Math.random()): Millis {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS)
  return Math.round(pause * (0.8 + 0.4 * random))
}

/** How far mails may be ahead of an even pace, so that a late timer costs no speed. */
const BURST_MS = 100

export type RateLimit = ReturnType<typeof createRateLimit>

/** Limits mails to `perSecond` within any one second, at an even pace. Unused allowance does not accumulate. */
export function createRateLimit(perSecond: number, now = () => performance.now()) {
  const used: number[] = []
  /** When the next mail would be sent if all were sent at the same distance. */
  let next = 0
  return {
    perSecond,
    use(): void {
      used.push(now())
      if (used.length > perSecond) used.shift()
      next = Math.max(next, now()) + 1_000 / perSecond
    },
    /** Milliseconds until the next mail is allowed. */
    pause(): Millis {
      const [oldest] = used
      const window = oldest === undefined || used.length < perSecond ? 0 : oldest + 1_000
      return Math.max(0, Math.ceil(Math.max(window, next - BURST_MS) - now()))
    },
  }
}

const FIRST_PROBE_MS = 1_000
const MAX_PROBE_MS = 16_000

export type Throttle = ReturnType<typeof createThrottle>

/**
 * Adapts the number of connections to what the mail server takes: never more than `capacity`. A refusal halves it, and each accepted mail raises it
 * a little. If one connection has no mail accepted, sending pauses between attempts, for 1 to 16 seconds.
 */
export function createThrottle(
  connections: number,
  now = () => performance.now(),
  capacity = () => connections,
) {
  let allowed = connections
  let lastCut = Number.NEGATIVE_INFINITY
  let hasAccepted = true
  let probeMs = 0
  let pausedUntil = 0
  return {
    /** How many connections may be in use. */
    allowed: () => Math.min(Math.floor(allowed), capacity()),
    /** Milliseconds until the next mail may be tried. */
    pause: (): Millis => Math.max(0, Math.ceil(pausedUntil - now())),
    accepted(): void {
      allowed = Math.min(connections, allowed + 1 / allowed)
      hasAccepted = true
      probeMs = 0
    },
    /** Call it when the server has put off a mail that was started at `started`. */
    refused(started: number): void {
      // Mails that were under way at the last cut say nothing about the present number.
      if (started < lastCut) return
      lastCut = now()
      if (allowed < 2 && !hasAccepted) {
        probeMs = Math.min(MAX_PROBE_MS, Math.max(FIRST_PROBE_MS, probeMs * 2))
        pausedUntil = lastCut + probeMs
      }
      allowed = Math.max(1, allowed / 2)
      hasAccepted = false
    },
  }
}
