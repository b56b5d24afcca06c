import { FakeStripeError, invalidRequest } from './errors.ts'
import { expand } from './expand.ts'
import type { FakeCall, FakeResponse } from './faults.ts'
import { type Params, parseForm } from './form.ts'
import type { Ledger } from './ledger.ts'
import { ROUTES } from './routes.ts'

// Requests and answers are judged by Stripe's own types: a request that contradicts them gets the error that Stripe
// would send, and the test fails in either case.

/** Returns the response to a call that Stripe refuses before it begins to carry it out. */
export function refuseInvalid(ledger: Ledger, call: FakeCall): FakeResponse | undefined {
  const { judge } = ledger
  const { route, text, headers } = call
  return responseTo(ledger, call, () => {
    judge.requireRoute(route, ROUTES)
    judge.requireVersion(headers['stripe-version'])
    const params = parseForm(text)
    judge.requireValid(route, params)
    requirePage(params)
    return undefined
  })
}

/** Carries out a call that is valid. */
export function execute(ledger: Ledger, call: FakeCall, baseUrl: string): FakeResponse {
  const { route, id, text } = call
  return responseTo(ledger, call, () => {
    const params = parseForm(text)
    const handler = ledger.judge.requireRoute(route, ROUTES)
    const made = handler(ledger, params, id, baseUrl)
    const body = expand(ledger, isList(made) ? { ...made, url: route.split(' ')[1] } : made, params)
    ledger.judge.noteAnswer(route, body)
    return { status: 200, body: structuredClone(body) }
  })
}

function responseTo<R extends FakeResponse | undefined>(
  ledger: Ledger,
  { route }: FakeCall,
  work: () => R,
): R | FakeResponse {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FakeStripeError)) throw error
    ledger.judge.noteError(route, error.error)
    return { status: error.status, body: { error: error.error } }
  }
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
