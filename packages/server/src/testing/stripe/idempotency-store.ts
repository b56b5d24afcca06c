import { FakeStripeError } from './errors.ts'
import type { FakeCall, FakeResponse } from './faults.ts'
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

const REPLAYED = { 'idempotent-replayed': 'true' }

/** Carries out calls, and stores their responses by idempotency key. */
export function createIdempotencyStore(ledger: Ledger, baseUrl: () => string) {
  const keys = new Map<string, FakeResponse & { request: string }>()

  /** `isBegun`: the parameters were accepted, so that the answer is kept, even if it is a refusal. */
  function execute({ route, id, text }: FakeCall): FakeResponse & { isBegun: boolean } {
    const handler = ROUTES[route]
    let isBegun = false
    if (!handler) {
      return { status: 404, body: { error: { type: 'invalid_request_error' } }, isBegun }
    }
    try {
      const params = parseForm(text)
      requireKnownParams(route, params)
      isBegun = true
      const body = handler(ledger, params, id, baseUrl())
      return { status: 200, body: structuredClone(body), isBegun }
    } catch (error) {
      if (!(error instanceof FakeStripeError)) throw error
      return { status: error.status, body: { error: error.error }, isBegun }
    }
  }

  return {
    /** Repeats the stored response for a known key, and says so; stores new ones, refusals too. */
    answer(call: FakeCall, becomesError: boolean): FakeResponse {
      const { idempotencyKey: key, route, id, text } = call
      const request = `${route} ${id} ${text}`
      const known = key === undefined ? undefined : keys.get(key)
      if (known && known.request !== request) return KEY_REUSED
      if (known) return { ...known, headers: REPLAYED }
      const { isBegun, ...done } = execute(call)
      const response = becomesError ? SERVER_ERROR : done
      if (key !== undefined && isBegun) keys.set(key, { ...response, request })
      return response
    },
    forget: () => keys.clear(),
  }
}
