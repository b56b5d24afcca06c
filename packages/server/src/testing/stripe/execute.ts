import { FakeStripeError, invalidRequest } from './errors.ts'
import { expand } from './expand.ts'
import type { FakeCall, FakeResponse } from './faults.ts'
import { type Params, parseForm } from './form.ts'
import type { Ledger } from './ledger.ts'
import { ROUTES } from './routes.ts'

/**
 * Carries out one call. The request and the answer are judged by Stripe's own types: a request that contradicts them
 * gets the error that Stripe would send, and the test fails in either case.
 */
export function execute(ledger: Ledger, call: FakeCall, baseUrl: string): FakeResponse {
  const { judge } = ledger
  try {
    const body = answer(ledger, call, baseUrl)
    judge.noteAnswer(call.route, body)
    return { status: 200, body: structuredClone(body) }
  } catch (error) {
    if (!(error instanceof FakeStripeError)) throw error
    judge.noteError(call.route, error.error)
    return { status: error.status, body: { error: error.error } }
  }
}

function answer(ledger: Ledger, { route, id, text, headers }: FakeCall, baseUrl: string): object {
  const { judge } = ledger
  const handler = judge.requireRoute(route, ROUTES)
  judge.requireVersion(headers['stripe-version'])
  const params = parseForm(text)
  judge.requireValid(route, params)
  requirePage(params)
  const body = handler(ledger, params, id, baseUrl)
  return expand(ledger, isList(body) ? { ...body, url: route.split(' ')[1] } : body, params)
}

const isList = (body: object) =>
  'object' in body && (body.object === 'list' || body.object === 'search_result')

const MAX_LIMIT = 100

function requirePage({ limit }: Params): void {
  if (limit === undefined || (Number(limit) >= 1 && Number(limit) <= MAX_LIMIT)) return
  throw invalidRequest('This value must be from 1 to 100.', {
    code: 'parameter_invalid_integer',
    param: 'limit',
  })
}
