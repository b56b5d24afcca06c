import { execute, refuseInvalid } from './execute.ts'
import type { FakeCall, FakeResponse } from './faults.ts'
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

/** Carries out calls, and stores their responses by idempotency key. */
export function createIdempotencyStore(ledger: Ledger, baseUrl: () => string) {
  const keys = new Map<string, FakeResponse & { request: string }>()

  return {
    /** Repeats the stored response for a known key, and says so; stores new ones, refusals too. */
    answer(call: FakeCall, becomesError: boolean): FakeResponse {
      const { idempotencyKey: key, route, id, text } = call
      const request = `${route} ${id} ${text}`
      const known = key === undefined ? undefined : keys.get(key)
      if (known && known.request !== request) return KEY_REUSED
      if (known) return { ...known, headers: { ...known.headers, ...REPLAYED } }
      const refused = refuseInvalid(ledger, call)
      const done = refused ?? execute(ledger, call, baseUrl())
      const response = becomesError ? SERVER_ERROR : done
      if (key !== undefined && refused === undefined) keys.set(key, { ...response, request })
      return response
    },
    forget: () => keys.clear(),
  }
}
