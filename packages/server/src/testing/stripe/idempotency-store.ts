import { execute, refuseInvalid } from './execute.ts'
import type { FakeCall, FakeResponse, Fault } from './faults.ts'
import type { Ledger } from './ledger.ts'

export const SERVER_ERROR: FakeResponse = {
  status: 500,
  body: { error: { type: 'api_error', message: 'Something went wrong.' } },
  // The same answer follows each repeat with the same key.
  headers: { 'stripe-should-retry': 'false' },
}

export const KEY_REUSED: FakeResponse = {
  status: 400,
  body: { error: { type: 'idempotency_error', message: 'Keys can only be used once.' } },
}

const REPLAYED = { 'idempotent-replayed': 'true' }

/** How long Stripe keeps an answer. */
const KEPT_MS = 24 * 3_600_000

interface KeptAnswer {
  request: string
  response: FakeResponse
  until: number
}

/** Carries out calls, and stores their responses by idempotency key. */
export function createIdempotencyStore(ledger: Ledger, baseUrl: () => string) {
  const keys = new Map<string, KeptAnswer>()

  function begin(call: FakeCall, fault: Fault | undefined): FakeResponse {
    if (typeof fault === 'object' && 'refuse' in fault) {
      ledger.judge.noteError(call.route, fault.refuse)
      return { status: fault.status, body: { error: fault.refuse } }
    }
    const done = execute(ledger, call, baseUrl())
    return fault === 'error_after' ? SERVER_ERROR : done
  }

  return {
    /** Repeats the stored response for a known key, and says so. Stores every response that is given after the call was
     * begun, also refusals. */
    answer(call: FakeCall, fault: Fault | undefined): FakeResponse {
      const { idempotencyKey: key, route, id, text } = call
      const request = `${route} ${id} ${text}`
      const known = key === undefined ? undefined : keys.get(key)
      const kept = known && known.until > ledger.now() ? known : undefined
      if (kept && kept.request !== request) return KEY_REUSED
      if (kept) return { ...kept.response, headers: { ...kept.response.headers, ...REPLAYED } }
      const invalid = refuseInvalid(ledger, call)
      if (invalid) return invalid
      const response = begin(call, fault)
      if (key !== undefined) keys.set(key, { request, response, until: ledger.now() + KEPT_MS })
      return response
    },
    forget: () => keys.clear(),
  }
}
