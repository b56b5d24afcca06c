import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { StripeError } from './errors.ts'

/** One request as it was received. */
export interface FakeCall {
  /** For example `POST /v1/payment_intents` or `POST /v1/payment_intents/:id/cancel`. */
  route: string
  id: string
  /** The body, or the query of a GET request. */
  text: string
  idempotencyKey: string | undefined
  headers: IncomingHttpHeaders
}

/**
 * The faults of a call. `…_before`: nothing is carried out. `…_after`: the call is carried out, but not confirmed.
 * `error_after` is also the response to every repeat with the same idempotency key.
 */
export type Fault =
  | 'hang_before'
  | 'hang_after'
  | 'reset_before'
  | 'reset_after'
  | 'error_before'
  | 'error_after'
  | 'rate_limited'
  | 'in_progress'
  | 'key_refused'
  | 'no_permission'
  | 'drip'
  | 'huge'
  | 'not_json'
  | 'wrong_types'
  /** Not judged: such an answer is wrong on purpose. */
  | {
      rewrite: (body: Record<string, unknown>) => unknown
      status?: number
      headers?: Record<string, string>
    }
  | Refused

/** Stripe refuses the call once it has begun to carry it out: nothing is made, and the answer is kept under the key. */
export interface Refused {
  refuse: StripeError
  status: number
}

/** Faults after which a client learns at once that something went wrong. */
export const QUICK_FAULTS = [
  'reset_before',
  'reset_after',
  'error_before',
  'error_after',
  'rate_limited',
  'in_progress',
] as const satisfies readonly Fault[]

export interface FakeResponse {
  status: number
  body: unknown
  headers?: Record<string, string>
}

const error = (type: string, code?: string) => ({
  error: { type, message: 'Something went wrong.', ...(code === undefined ? {} : { code }) },
})

/** Responses to calls that are not carried out. */
export const FAILURE_RESPONSES: Partial<Record<string, FakeResponse>> = {
  key_refused: {
    status: 401,
    body: { error: { type: 'invalid_request_error', message: 'Invalid API Key: sk_test_****' } },
  },
  no_permission: {
    status: 403,
    body: {
      error: { type: 'invalid_request_error', message: 'The provided key rk_**** lacks it.' },
    },
  },
  error_before: { status: 503, body: '<html>unavailable</html>' },
  rate_limited: {
    status: 429,
    body: error('invalid_request_error', 'rate_limit'),
    headers: { 'stripe-rate-limited-reason': 'endpoint-rate' },
  },
  in_progress: {
    status: 409,
    body: error('idempotency_error', 'idempotency_key_in_use'),
    headers: { 'stripe-should-retry': 'true' },
  },
}

/** Replaces every value by one of another type. */
export function wrongTypes(value: unknown): unknown {
  if (typeof value === 'string') return value.length
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return null
  if (Array.isArray(value)) return Object.fromEntries(value.entries())
  if (value === null) return []
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [name, wrongTypes(one)]),
  )
}

const DRIP_MS = 10

/** Sends byte after byte, each in time, and never finishes. */
export function sendByteByByte(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  let sent = 0
  const timer = setInterval(() => {
    response.write(text[sent++ % text.length] as string)
  }, DRIP_MS)
  response.once('close', () => clearInterval(timer))
}

const HUGE_BYTES = 50 * 1024 * 1024
const CHUNK = 'x'.repeat(64 * 1024)

function* hugeBody() {
  yield '{"object":"payment_intent","x":"'
  for (let sent = 0; sent < HUGE_BYTES; sent += CHUNK.length) yield CHUNK
  yield '"}'
}

/** Sends a huge body as fast as the client reads it, until the client gives up. */
export async function sendHugeBody(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  await pipeline(hugeBody, response).catch(() => {})
}

/** Makes some calls fail: the same ones for the same sequence of calls and random numbers. */
export function randomFaults(
  random: () => number,
  share: number,
  faults: readonly Fault[],
  isHit: (call: FakeCall) => boolean = () => true,
): (call: FakeCall) => Fault | undefined {
  return (call) => {
    if (!isHit(call) || random() >= share) return undefined
    return faults[Math.floor(random() * faults.length)]
  }
}
