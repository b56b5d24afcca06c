import type { Millis } from '../../db/tables.ts'

const SECOND: Millis = 1_000
const MINUTE: Millis = 60 * SECOND
const HOUR: Millis = 60 * MINUTE
export const DAY: Millis = 24 * HOUR

/** The pauses between the attempts of one delivery. After the last one it has failed. */
const RETRY_PAUSES: readonly Millis[] = [
  ...[5 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY],
]

/** The pauses between the probes of an endpoint that is failing; the last one is repeated. They end at an hour, so that an
 * endpoint that works again is noticed within that time. */
const PROBE_PAUSES: readonly Millis[] = [5 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR]

const JITTER = 0.2

const jittered = (pause: Millis, random: () => number): Millis =>
  Math.round(pause * (1 - JITTER + 2 * JITTER * random()))

/** The pause after this many failed attempts of a delivery; undefined if it has had all of them. */
export function retryPause(attempts: number, random: () => number): Millis | undefined {
  const pause = RETRY_PAUSES[attempts - 1]
  return pause === undefined ? undefined : jittered(pause, random)
}

/** The pause before the next probe of an endpoint, after this many failed ones. */
export const probePause = (probes: number, random: () => number): Millis =>
  jittered(PROBE_PAUSES[Math.min(probes, PROBE_PAUSES.length - 1)] as Millis, random)

/** A receiver can't postpone an event for longer. */
const MAX_RETRY_AFTER: Millis = DAY

/** Reads a `Retry-After` header, which has seconds or a date. Returns undefined if it has neither. */
export function readRetryAfter(header: string | undefined, now: Millis): Millis | undefined {
  if (header === undefined) return undefined
  const pause = /^\d+$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now
  if (Number.isNaN(pause)) return undefined
  return Math.min(Math.max(pause, 0), MAX_RETRY_AFTER)
}
