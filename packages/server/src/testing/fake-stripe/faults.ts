import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** One request, as it came. */
export interface FakeCall {
  /** `POST /v1/payment_intents`, `POST /v1/payment_intents/:id/cancel`. */
  route: string
  id: string
  /** The body, or the query. */
  text: string
  idempotencyKey: string | undefined
  headers: IncomingHttpHeaders
}

/**
 * What goes wrong. `…_before`: nothing has happened yet, and nothing will. `…_after`: it has happened,
 * and nobody is told. `error_after` is also the answer to every repeat under the same key.
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
  | 'drip'
  | 'huge'
  | 'not_json'
  | 'wrong_types'
  | { rewrite: (body: Record<string, unknown>) => unknown; status?: number }

export interface FakeAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

const error = (type: string, code?: string) => ({
  error: { type, message: 'Something went wrong.', ...(code === undefined ? {} : { code }) },
})

/** What is answered without anything being done. */
export const UNDONE: Partial<Record<string, FakeAnswer>> = {
  key_refused: {
    status: 401,
    body: { error: { type: 'invalid_request_error', message: 'Invalid API Key: sk_test_****' } },
  },
  error_before: { status: 503, body: '<html>unavailable</html>' },
  rate_limited: {
    status: 429,
    body: error('invalid_request_error', 'rate_limit'),
    headers: { 'retry-after': '7' },
  },
  in_progress: { status: 409, body: error('idempotency_error', 'idempotency_key_in_use') },
}

/** Each thing a wrong one of its kind. */
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

/** Byte after byte, each in time, all of them never. */
export function drip(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  let sent = 0
  const timer = setInterval(() => {
    response.write(text[sent++ % text.length] as string)
  }, DRIP_MS)
  response.once('close', () => clearInterval(timer))
}

const HUGE_BYTES = 50 * 1024 * 1024
const CHUNK = 'x'.repeat(64 * 1024)

function* flood() {
  yield '{"object":"payment_intent","x":"'
  for (let sent = 0; sent < HUGE_BYTES; sent += CHUNK.length) yield CHUNK
  yield '"}'
}

/** As fast as the other side takes it, until it has enough. */
export async function pour(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  await pipeline(flood, response).catch(() => {})
}

/** Lets some calls fail, the same ones for the same sequence of calls and the same random. */
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
