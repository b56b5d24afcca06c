import type { Millis } from '../../../db/tables.ts'
import { ProviderError } from '../../payments/provider-error.ts'
import type { ClaimedDelivery } from '../claim.ts'
import { readRetryAfter } from '../schedule.ts'
import type { CallOutcome, Settled } from '../settle.ts'
import type { WebhookClient, WebhookResponse } from './http-client.ts'
import { WebhookCallError } from './problems.ts'
import { signedHeaders } from './signature.ts'

/** When a call that a hold or a stop prevented is tried again. */
const RELEASED_PAUSE_MS: Millis = 1_000

const GONE = 410

interface Caller {
  client: WebhookClient
  realTime(): Millis
  stop: AbortSignal
}

/** Sends one event to its endpoint. Never throws: every end of a call is an outcome. */
export async function callEndpoint(
  { client, realTime, stop }: Caller,
  delivery: ClaimedDelivery,
  secrets: readonly string[],
): Promise<Settled> {
  const began = realTime()
  const { event_id: id, url, body } = delivery
  if (body === null) {
    return {
      delivery,
      began,
      outcome: { kind: 'impossible', error: 'The event is no longer kept.' },
    }
  }
  const clock = performance.now()
  const took = () => Math.round(performance.now() - clock)
  try {
    const headers = signedHeaders(secrets, { id, body, at: began })
    const response = await client.post({ url, headers, body, stop })
    return { delivery, began, outcome: outcomeOf(response, took(), realTime()) }
  } catch (error) {
    return { delivery, began, outcome: outcomeOfError(error, took(), realTime()) }
  }
}

function outcomeOf(
  { status, retryAfter, body: response }: WebhookResponse,
  duration_ms: number,
  now: Millis,
): CallOutcome {
  const answer = { duration_ms, status, response }
  if (status >= 200 && status < 300) {
    return { kind: 'delivered', answer: { ...answer, error: null } }
  }
  const error = describeStatus(status)
  const pause = readRetryAfter(retryAfter, now)
  return {
    kind: 'failed',
    answer: { ...answer, error },
    isGone: status === GONE,
    retryAfter: pause,
  }
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `It answered with a redirect (${status}).`
  return `It answered with status ${status}.`
}

function outcomeOfError(error: unknown, duration_ms: number, now: Millis): CallOutcome {
  const isStopped = error instanceof WebhookCallError && error.problem === 'stopped'
  // A hold is thrown as an error of a provider, as for charges and refunds.
  if (isStopped || error instanceof ProviderError) {
    return { kind: 'released', due: now + RELEASED_PAUSE_MS }
  }
  const message = error instanceof Error ? error.message : String(error)
  const answer = { duration_ms, status: null, error: message, response: null }
  return { kind: 'failed', answer, isGone: false, retryAfter: undefined }
}
