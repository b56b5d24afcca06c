import { invalidRequest } from './errors.ts'
import type { Params } from './form.ts'

/** The parameters that Stripe accepts, as far as we know. Like Stripe, the fake refuses all others. */
type Kind = 'text' | 'integer' | 'boolean' | 'metadata' | readonly string[]

const PAGE: Record<string, Kind> = {
  limit: 'integer',
  starting_after: 'text',
  ending_before: 'text',
  'created.gte': 'integer',
  'created.lte': 'integer',
  'created.gt': 'integer',
  'created.lt': 'integer',
}

const PRICE = 'line_items.#.price_data'

const KNOWN: Record<string, Record<string, Kind>> = {
  'GET /v1/account': {},
  'POST /v1/customers': {
    email: 'text',
    name: 'text',
    description: 'text',
    metadata: 'metadata',
    payment_method: 'text',
  },
  'POST /v1/payment_methods/:id/attach': { customer: 'text' },
  'GET /v1/webhook_endpoints': PAGE,
  'POST /v1/webhook_endpoints': {
    url: 'text',
    'enabled_events.#': 'text',
    api_version: 'text',
    description: 'text',
    connect: 'boolean',
    metadata: 'metadata',
  },
  'DELETE /v1/webhook_endpoints/:id': {},
  'POST /v1/checkout/sessions': {
    mode: ['payment', 'setup', 'subscription'],
    client_reference_id: 'text',
    metadata: 'metadata',
    success_url: 'text',
    cancel_url: 'text',
    expires_at: 'integer',
    currency: 'text',
    customer: 'text',
    customer_email: 'text',
    customer_creation: ['always', 'if_required'],
    locale: 'text',
    'allowed_payment_method_types.#': 'text',
    'adaptive_pricing.enabled': 'boolean',
    'line_items.#.quantity': 'integer',
    [`${PRICE}.currency`]: 'text',
    [`${PRICE}.unit_amount`]: 'integer',
    [`${PRICE}.product_data.name`]: 'text',
    'payment_intent_data.description': 'text',
    'payment_intent_data.metadata': 'metadata',
    'payment_intent_data.setup_future_usage': ['off_session', 'on_session'],
    'setup_intent_data.description': 'text',
    'setup_intent_data.metadata': 'metadata',
  },
  'GET /v1/checkout/sessions': {
    ...PAGE,
    customer: 'text',
    payment_intent: 'text',
    status: ['open', 'complete', 'expired'],
  },
  'GET /v1/checkout/sessions/:id': {},
  'POST /v1/checkout/sessions/:id/expire': {},
  'POST /v1/payment_intents': {
    amount: 'integer',
    currency: 'text',
    customer: 'text',
    payment_method: 'text',
    'allowed_payment_method_types.#': 'text',
    confirm: 'boolean',
    off_session: 'boolean',
    return_url: 'text',
    description: 'text',
    metadata: 'metadata',
  },
  'GET /v1/payment_intents': { ...PAGE, customer: 'text' },
  'GET /v1/payment_intents/search': { query: 'text', limit: 'integer', page: 'text' },
  'GET /v1/payment_intents/:id': {},
  'POST /v1/payment_intents/:id/cancel': { cancellation_reason: 'text' },
  'POST /v1/refunds': {
    payment_intent: 'text',
    charge: 'text',
    amount: 'integer',
    reason: ['duplicate', 'fraudulent', 'requested_by_customer'],
    metadata: 'metadata',
  },
  'GET /v1/refunds': { ...PAGE, payment_intent: 'text', charge: 'text' },
  'GET /v1/refunds/:id': {},
  'GET /v1/disputes': { ...PAGE, payment_intent: 'text', charge: 'text' },
}

/** Throws Stripe's error for an unknown parameter or a value of the wrong type. */
export function requireKnownParams(route: string, params: Params): void {
  const known: Record<string, Kind> = { ...KNOWN[route], 'expand.#': 'text' }
  for (const [path, value] of leavesOf(params, [])) {
    const kind = kindOf(known, path)
    const param = nameOf(path)
    if (kind === undefined) {
      const message = `Received unknown parameter: ${param}`
      throw invalidRequest(message, { code: 'parameter_unknown', param })
    }
    const problem = problemWith(kind, path, value)
    if (problem !== undefined) throw invalidRequest(problem, { param })
  }
}

function* leavesOf(params: Params, above: readonly string[]): Generator<[string[], string]> {
  for (const [name, value] of Object.entries(params)) {
    const path = [...above, name]
    if (typeof value === 'string') yield [path, value]
    else if (value !== undefined) yield* leavesOf(value, path)
  }
}

/** The name of a parameter as it was sent: `line_items[0][quantity]`. */
const nameOf = ([first = '', ...rest]: readonly string[]) =>
  first + rest.map((part) => `[${part}]`).join('')

function kindOf(known: Record<string, Kind>, path: readonly string[]): Kind | undefined {
  const plain = path.map((part) => (/^\d+$/.test(part) ? '#' : part))
  const owner = plain.slice(0, -1).join('.')
  return known[owner] === 'metadata' ? 'metadata' : known[plain.join('.')]
}

const MAX_NAME = 40
const MAX_VALUE = 500

function problemWith(kind: Kind, path: readonly string[], value: string): string | undefined {
  if (kind === 'integer') return /^-?\d+$/.test(value) ? undefined : `Invalid integer: ${value}`
  if (kind === 'boolean') {
    return value === 'true' || value === 'false' ? undefined : `Invalid boolean: ${value}`
  }
  if (kind === 'metadata') {
    const name = path.at(-1) as string
    const isFine = name.length <= MAX_NAME && value.length <= MAX_VALUE
    return isFine ? undefined : 'Metadata is too long'
  }
  if (kind === 'text') return value === '' ? 'You passed an empty string' : undefined
  return kind.includes(value) ? undefined : `Must be one of ${kind.join(', ')}`
}
