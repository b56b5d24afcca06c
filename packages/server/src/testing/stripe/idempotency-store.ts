import { FakeStripeError } from './errors.ts'
import type { FakeCall, FakeResponse, Fault } from './faults.ts'
import { parseForm } from './form.ts'
import type { Ledger } from './ledger.ts'
import { requireKnownParams } from './params.ts'
import { ROUTES } from './routes.ts'

const SERVER_ERROR: FakeResponse = {
  status: 500,
  body: { error: { type: 'api_error', message: 'Something went wrong.' } },
}

const KEY_REUSED: FakeResponse = {
  status: 400,
  body: { error: { type: 'idempotency_error', message: 'Keys can only be used once.' } },
}

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

  /** Returns the response to a call that Stripe refuses before it begins to carry it out. */
  function refuseInvalid({ route, text }: FakeCall): FakeResponse | undefined {
    if (!ROUTES[route]) return { status: 404, body: { error: { type: 'invalid_request_error' } } }
    return responseOf(() => {
      requireKnownParams(route, parseForm(text))
      return undefined
    })
  }

  function execute({ route, id, text }: FakeCall): FakeResponse {
    return responseOf(() => {
      const body = ROUTES[route]?.(ledger, parseForm(text), id, baseUrl())
      return { status: 200, body: structuredClone(body) }
    })
  }

  return {
    /** Repeats the stored response for a known key. Stores every response that is given after the call was begun, also
     * refusals. */
    answer(call: FakeCall, fault: Fault | undefined): FakeResponse {
      const { idempotencyKey: key, route, id, text } = call
      const request = `${route} ${id} ${text}`
      const known = key === undefined ? undefined : keys.get(key)
      const kept = known && known.until > ledger.now() ? known : undefined
      if (kept && kept.request !== request) return KEY_REUSED
      if (kept) return { ...kept.response, headers: { 'idempotent-replayed': 'true' } }
      const invalid = refuseInvalid(call)
      if (invalid) return invalid
      const response = typeof fault === 'object' && 'refuse' in fault ? toResponse(fault) : begin()
      if (key !== undefined) keys.set(key, { request, response, until: ledger.now() + KEPT_MS })
      return response

      function begin(): FakeResponse {
        const done = execute(call)
        return fault === 'error_after' ? SERVER_ERROR : done
      }
    },
    forget: () => keys.clear(),
  }
}

const toResponse = ({ refuse: error, status }: { refuse: object; status: number }) => ({
  status,
  body: { error },
})

function responseOf<R extends FakeResponse | undefined>(work: () => R): R | FakeResponse {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FakeStripeError)) throw error
    return { status: error.status, body: { error: error.error } }
  }
}
