import { newId } from '../../ids.ts'
import { isContested } from './bank.ts'
import { createEndpoint, deleteEndpoint, withoutSecrets } from './endpoints.ts'
import { FakeStripeError, invalidRequest, resourceMissing } from './errors.ts'
import { type Params, partAt, textAt, textsAt } from './form.ts'
import type { FakeIntent, FakeSession, Ledger } from './ledger.ts'
import { expire } from './payer.ts'

/** Handles one of the Stripe routes that we call. */
type Handler = (ledger: Ledger, params: Params, id: string, baseUrl: string) => object

export const ROUTES: Record<string, Handler> = {
  'GET /v1/account': ({ account }) => ({
    object: 'account',
    id: account.id,
    country: 'DE',
    business_profile: { name: null },
    settings: { dashboard: { display_name: account.name } },
  }),
  'POST /v1/customers': (ledger, params) => ledger.addCustomer(textAt(params, 'email') ?? null),
  'POST /v1/payment_methods/:id/attach': attachMethod,
  'GET /v1/webhook_endpoints': (ledger, params) => page(withoutSecrets(ledger), params),
  'POST /v1/webhook_endpoints': createEndpoint,
  'DELETE /v1/webhook_endpoints/:id': deleteEndpoint,
  'POST /v1/checkout/sessions': createSession,
  'GET /v1/checkout/sessions': (ledger, params) =>
    page(ledger.sessions, params, ['payment_intent', 'customer', 'status']),
  'GET /v1/checkout/sessions/:id': (ledger, params, id) =>
    expand(ledger, find(ledger.sessions, 'checkout.session', id), params),
  'POST /v1/checkout/sessions/:id/expire': expireSession,
  'POST /v1/payment_intents': createIntent,
  'GET /v1/payment_intents': (ledger, params) => {
    const customer = textAt(params, 'customer')
    if (customer !== undefined && !ledger.customers.has(customer)) {
      throw resourceMissing('customer', customer)
    }
    return page(ledger.intents, params, ['customer'])
  },
  'GET /v1/payment_intents/search': searchIntents,
  'GET /v1/payment_intents/:id': (ledger, params, id) =>
    expand(ledger, find(ledger.intents, 'payment_intent', id), params),
  'POST /v1/payment_intents/:id/cancel': cancelIntent,
  'POST /v1/refunds': createRefund,
  'GET /v1/refunds': (ledger, params) => page(ledger.refunds, params, ['payment_intent', 'charge']),
  'GET /v1/refunds/:id': (ledger, _params, id) => find(ledger.refunds, 'refund', id),
  'GET /v1/disputes': (ledger, params) =>
    page(ledger.disputes, params, ['payment_intent', 'charge']),
}

function find<T>(items: Map<string, T>, name: string, id: string): T {
  const item = items.get(id)
  if (!item) throw resourceMissing(name, id, 404)
  return item
}

/** Lists items newest first, as Stripe does, filtered by the named fields. */
function page<T extends { id: string; created?: number }>(
  items: Map<string, T>,
  params: Params,
  filters: readonly (keyof T & string)[] = [],
) {
  const { gte = 0, lte = Number.POSITIVE_INFINITY } = textsAt(params, 'created')
  const all = [...items.values()]
    .filter(({ created }) => isWithin(created, Number(gte), Number(lte)))
    .filter((one) => filters.every((field) => (params[field] ?? one[field]) === one[field]))
    .reverse()
  const after = textAt(params, 'starting_after')
  const rest = after === undefined ? all : all.slice(all.findIndex((one) => one.id === after) + 1)
  const limit = Number(textAt(params, 'limit') ?? 10)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit }
}

/** Objects of other systems may have no time. */
const isWithin = (at: number | null | undefined, from: number, to: number) =>
  typeof at !== 'number' || (at >= from && at <= to)

/** Supports the part of Stripe's query language that we use: `metadata['a']:'b' AND metadata['c']:'d'`. */
function searchIntents(ledger: Ledger, params: Params): object {
  const wanted = (textAt(params, 'query') ?? '').split(' AND ').map((clause) => {
    const [, name, value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(clause) ?? []
    if (name === undefined) throw invalidRequest('Invalid query', { param: 'query' })
    return { name, value }
  })
  const data = [...ledger.intents.values()]
    .filter(({ metadata }) => wanted.every(({ name, value }) => metadata?.[name] === value))
    .reverse()
    .slice(0, Number(textAt(params, 'limit') ?? 10))
  return { object: 'search_result', data, has_more: false }
}

/** The names of Stripe's own test cards, such as `pm_card_visa`, stand for a new card each time. */
function attachMethod(ledger: Ledger, params: Params, id: string): object {
  const customer = textAt(params, 'customer')
  if (!ledger.customers.has(customer ?? '')) throw resourceMissing('customer', customer)
  const known = ledger.methods.get(id)
  if (!known && id !== 'pm_card_visa') throw resourceMissing('payment_method', id, 404)
  const method = known ?? ledger.addMethod('good', null)
  method.customer = customer as string
  return method
}

/** Expands paths: `payment_intent.latest_charge` replaces the ids of the intent and its charge by the objects. */
function expand(ledger: Ledger, item: object, params: Params): object {
  const copy = structuredClone(item) as Record<string, unknown>
  for (const path of Object.values(textsAt(params, 'expand'))) {
    let place: Record<string, unknown> | undefined = copy
    for (const field of path.split('.')) place = expandField(ledger, place, field)
  }
  return copy
}

function expandField(
  ledger: Ledger,
  place: Record<string, unknown> | undefined,
  field: string,
): Record<string, unknown> | undefined {
  const value = place?.[field]
  if (!place || typeof value !== 'string') return value as Record<string, unknown> | undefined
  const { intents, setups, charges } = ledger
  const found =
    intents.get(value) ?? setups.get(value) ?? charges.get(value) ?? showMethod(ledger, value)
  place[field] = structuredClone(found)
  return place[field] as Record<string, unknown>
}

/** All payment methods with the same card have the same fingerprint. */
function showMethod(ledger: Ledger, id: string): object | undefined {
  const method = ledger.methods.get(id)
  return method && { ...method, card: { fingerprint: `fp_${method.card}` } }
}

const whole = (text: string | undefined, param: string): number => {
  if (!/^\d+$/.test(text ?? '')) throw invalidRequest('Invalid integer', { param })
  return Number(text)
}

const STEPS: Record<string, number> = { isk: 100, ugx: 100, kwd: 10, bhd: 10 }

/** Reads an amount in the currency's minor unit; some currencies allow only multiples of 10 or 100. */
function readAmount(amount: string | undefined, currency: string | undefined) {
  const number = whole(amount, 'amount')
  if (!/^[a-z]{3}$/.test(currency ?? ''))
    throw invalidRequest('Invalid currency', { param: 'currency' })
  const code = currency as string
  if (number % (STEPS[code] ?? 1) !== 0) {
    throw invalidRequest('Invalid amount', { code: 'invalid_charge_amount', param: 'amount' })
  }
  if (number < 50) {
    throw invalidRequest('Amount too small', { code: 'amount_too_small', param: 'amount' })
  }
  return { amount: number, currency: code }
}

function createSession(ledger: Ledger, params: Params, _id: string, baseUrl: string): object {
  const mode = textAt(params, 'mode')
  if (mode !== 'payment' && mode !== 'setup')
    throw invalidRequest('Invalid mode', { param: 'mode' })
  requireSessionParams(params)
  const price = partAt(partAt(partAt(params, 'line_items'), '0'), 'price_data')
  const total =
    mode === 'payment' ? readAmount(textAt(price, 'unit_amount'), textAt(price, 'currency')) : null
  const id = `cs_test_${newId()}`
  const session: FakeSession = {
    object: 'checkout.session',
    id,
    mode,
    status: 'open',
    payment_status: 'unpaid',
    created: ledger.seconds(),
    client_reference_id: textAt(params, 'client_reference_id') ?? null,
    customer: null,
    customer_email: textAt(params, 'customer_email') ?? null,
    metadata: textsAt(params, 'metadata'),
    amount_total: total?.amount ?? null,
    currency: total?.currency ?? textAt(params, 'currency') ?? null,
    expires_at: whole(textAt(params, 'expires_at'), 'expires_at'),
    success_url: textAt(params, 'success_url') as string,
    cancel_url: textAt(params, 'cancel_url') as string,
    url: `${baseUrl}/pay/${id}`,
    payment_intent: null,
    setup_intent: null,
  }
  const intentData = partAt(
    params,
    mode === 'payment' ? 'payment_intent_data' : 'setup_intent_data',
  )
  ledger.sessions.set(id, session)
  ledger.sessionInputs.set(id, {
    metadata: textsAt(intentData, 'metadata'),
    description: textAt(intentData, 'description') ?? null,
    setupFutureUsage: textAt(intentData, 'setup_future_usage') ?? null,
    makesCustomer: textAt(params, 'customer_creation') === 'always',
  })
  return session
}

function expireSession(ledger: Ledger, _params: Params, id: string): object {
  const session = find(ledger.sessions, 'checkout.session', id)
  if (session.status !== 'open') {
    throw invalidRequest('Only Checkout Sessions with a status in ["open"] can be expired.')
  }
  expire(ledger, id)
  return session
}

function requireSessionParams(params: Params): void {
  if (!URL.canParse(textAt(params, 'success_url') ?? '')) {
    throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: 'success_url' })
  }
  const left = whole(textAt(params, 'expires_at'), 'expires_at') - Date.now() / 1000
  if (left < 30 * 60 || left > 24 * 3600) {
    throw invalidRequest('Must be 30 minutes to 24 hours from now', { param: 'expires_at' })
  }
  const email = textAt(params, 'customer_email')
  if (email !== undefined && !/^[\x21-\x7e]+@[\w.-]+$/.test(email)) {
    throw invalidRequest('Invalid email', { code: 'email_invalid', param: 'customer_email' })
  }
}

function createIntent(ledger: Ledger, params: Params): object {
  const money = readAmount(textAt(params, 'amount'), textAt(params, 'currency'))
  const customer = textAt(params, 'customer')
  const methodId = textAt(params, 'payment_method')
  const method = ledger.methods.get(methodId ?? '')
  if (!ledger.customers.has(customer ?? '')) throw resourceMissing('customer', customer)
  if (!method) throw resourceMissing('payment_method', methodId)
  if (method.customer !== customer) {
    throw invalidRequest('The method belongs to nobody any more.', { param: 'payment_method' })
  }
  if (params.confirm !== 'true' || params.off_session !== 'true') {
    throw invalidRequest('Only charges without the payer are known here.', { param: 'off_session' })
  }
  const intent = ledger.addIntent({
    ...money,
    customer: customer as string,
    payment_method: method.id,
    description: textAt(params, 'description') ?? null,
    metadata: textsAt(params, 'metadata'),
  })
  return chargeOffSession(ledger, intent, method.card)
}

function chargeOffSession(ledger: Ledger, intent: FakeIntent, card: string): FakeIntent {
  if (card === 'declined_later') return refuse(ledger, intent, 'card_declined')
  if (card === 'needs_payer_later') return refuse(ledger, intent, 'authentication_required')
  if (card === 'asks_payer_later') intent.status = 'requires_action'
  else if (card === 'slow_later') intent.status = 'processing'
  else ledger.capture(intent)
  return intent
}

function refuse(ledger: Ledger, intent: FakeIntent, code: string): never {
  ledger.decline(intent, code)
  throw new FakeStripeError(402, {
    type: 'card_error',
    message: 'Your card was declined.',
    ...intent.last_payment_error,
    payment_intent: structuredClone(intent),
  } as FakeStripeError['error'])
}

const CANCELABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action']

function cancelIntent(ledger: Ledger, _params: Params, id: string): object {
  const intent = find(ledger.intents, 'payment_intent', id)
  if (!CANCELABLE.includes(intent.status)) {
    throw invalidRequest("You can't cancel this PaymentIntent.", {
      code: 'payment_intent_unexpected_state',
      payment_intent: structuredClone(intent),
    })
  }
  intent.status = 'canceled'
  ledger.emitEvent('payment_intent.canceled', intent)
  return intent
}

function createRefund(ledger: Ledger, params: Params): object {
  const intentId = textAt(params, 'payment_intent') ?? ''
  const intent = ledger.intents.get(intentId)
  if (!intent) throw resourceMissing('payment_intent', intentId)
  const charge = ledger.chargeOf(intent)
  if (!charge?.paid) throw invalidRequest('Nothing was charged.', { code: 'charge_not_refundable' })
  if (charge.disputed && isContested(ledger, intentId)) {
    throw invalidRequest('It is disputed.', { code: 'charge_disputed' })
  }
  if (charge.refunded) throw invalidRequest('It is refunded.', { code: 'charge_already_refunded' })
  const amount = whole(textAt(params, 'amount'), 'amount')
  if (amount < 1 || amount > charge.amount - charge.amount_refunded) {
    throw invalidRequest('Refund amount is greater than unrefunded amount on charge', {
      param: 'amount',
    })
  }
  return ledger.addRefund(charge, amount, textsAt(params, 'metadata'))
}
