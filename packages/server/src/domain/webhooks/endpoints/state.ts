import type { Millis, WebhookEndpointTable, WebhookOffReason } from '../../../db/tables.ts'
import { DAY, probePause } from '../schedule.ts'

/** The number of failures in a row after which an endpoint is no longer sent everything at once. */
const FAILING_AFTER = 5

/** An endpoint is switched off after this long without a success, if there were also this many failures. */
const OFF_AFTER_MS: Millis = 5 * DAY
const OFF_AFTER_FAILURES = 20

/** The fields that change with each attempt. */
export type EndpointHealth = Pick<
  WebhookEndpointTable,
  | 'state'
  | 'resume_at'
  | 'probes'
  | 'failures'
  | 'failing_since'
  | 'last_success'
  | 'last_failure'
  | 'last_error'
  | 'notified'
>

export interface FailedAttempt {
  /** When the attempt began. */
  began: Millis
  error: string
  /** How long the receiver wants no further calls at all. */
  pause: Millis | undefined
}

/** An endpoint that has just responded as it should. */
export const afterSuccess = (health: EndpointHealth, now: Millis): EndpointHealth => ({
  ...health,
  state: health.state === 'failing' ? 'on' : health.state,
  resume_at: health.state === 'failing' ? now : health.resume_at,
  probes: 0,
  failures: 0,
  failing_since: null,
  last_success: now,
  last_error: null,
  notified: 0,
})

/** An endpoint that has just failed. */
export function afterFailure(
  health: EndpointHealth,
  { began, error, pause }: FailedAttempt,
  now: Millis,
  random: () => number,
): EndpointHealth {
  const failed: EndpointHealth = {
    ...health,
    failures: health.failures + 1,
    failing_since: health.failing_since ?? now,
    last_failure: now,
    last_error: error,
  }
  const paused = Math.max(health.resume_at, pause === undefined ? 0 : now + pause)
  if (health.state === 'on' && failed.failures >= FAILING_AFTER) {
    const resume_at = Math.max(paused, now + probePause(0, random))
    return { ...failed, state: 'failing', probes: 0, resume_at }
  }
  // Attempts that began before the endpoint was found to be failing are no probes.
  if (health.state === 'failing' && began >= health.resume_at) {
    const probes = health.probes + 1
    return { ...failed, probes, resume_at: Math.max(paused, now + probePause(probes, random)) }
  }
  return { ...failed, resume_at: paused }
}

/** Why an endpoint is to be switched off; undefined if it isn't. */
export function findOffReason(
  { failing_since, failures }: EndpointHealth,
  isGone: boolean,
  now: Millis,
): WebhookOffReason | undefined {
  if (isGone) return 'gone'
  if (failing_since === null || failures < OFF_AFTER_FAILURES) return undefined
  return now - failing_since >= OFF_AFTER_MS ? 'failing' : undefined
}
