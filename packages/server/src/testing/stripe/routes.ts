import { newId } from '../../ids.ts'
import { isContested } from './bank.ts'
import { readAmount, readCurrency, requireSessionParams, whole } from './checks.ts'
import { createEndpoint, deleteEndpoint, withoutSecrets } from './endpoints.ts'
import { FakeStripeError, invalidRequest, resourceMissing } from './errors.ts'
import { type Params, partAt, textAt, textsAt } from './form.ts'
import type { FakeSession, Ledger } from './ledger.ts'
import { page, searchIntents } from './lists.ts'
import { expire } from './payer.ts'
import { REFUSALS } from './refusals.ts'
import { requireParamsOfMode } from './session-modes.ts'
import {
  attachMethod,
  chargeOffSession,
  deleteCustomer,
  detachMethod,
  newTestCard,
  showMethod,
} from './test-cards.ts'

/** Handles one of the Stripe routes that we call. */
type Handler = (ledger: Ledger, params: Params, id: string, baseUrl: string) => object

export const ROUTES: Record<string, Handler> = {
  'GET /v1/account': ({ account }) => ({
    object: 'account',
    id: account.id,
    country: 'DE',
    default_currency: 'eur',
    charges_enabled: account.charges_enabled,
    details_submitted: account.details_submitted,
    payouts_enabled: account.payouts_enabled,
    capabilities: { card_payments: account.card_payments },
    business_profile: { name: null },
    settings: { dashboard: { display_name: account.name } },
  }),
  'POST /v1/customers': (ledger, params) => ledger.addCustomer(textAt(params, 'email') ?? null),
  'GET /v1/payment_methods/:id': (ledger, _params, id) => {
    find(ledger.methods, 'payment_method', id)
    return showMethod(ledger, id) as object
  },
  'DELETE /v1/customers/:id': deleteCustomer,
  'POST /v1/payment_methods/:id/attach': attachMethod,
  'POST /v1/payment_methods/:id/detach': detachMethod,
  'GET /v1/webhook_endpoints': (ledger, params) => page(withoutSecrets(ledger), params),
  'POST /v1/webhook_endpoints': createEndpoint,
  'DELETE /v1/webhook_endpoints/:id': deleteEndpoint,
  'POST /v1/checkout/sessions': createSession,
  'GET /v1/checkout/sessions': (ledger, params) =>
    page(ledger.sessions, params, ['payment_intent', 'customer', 'status']),
  'GET /v1/checkout/sessions/:id': (ledger, _params, id) =>
    find(ledger.sessions, 'checkout.session', id),
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
  'GET /v1/payment_intents/:id': (ledger, _params, id) =>
    find(ledger.intents, 'payment_intent', id),
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

function createSession(ledger: Ledger, params: Params, _id: string, baseUrl: string): object {
  const mode = textAt(params, 'mode')
  if (mode !== 'payment' && mode !== 'setup')
    throw invalidRequest('Invalid mode', { param: 'mode' })
  requireParamsOfMode(mode, params)
  requireSessionParams(ledger, params)
  const price = partAt(partAt(partAt(params, 'line_items'), '0'), 'price_data')
  const total =
    mode === 'payment'
      ? readAmount(
          textAt(price, 'unit_amount'),
          textAt(price, 'currency'),
          'line_items[0][price_data][currency]',
        )
      : null
  const currency = textAt(params, 'currency')
  if (currency !== undefined) readCurrency(currency, 'currency')
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
    currency: total?.currency ?? currency ?? null,
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
    showsLink: textAt(partAt(partAt(params, 'wallet_options'), 'link'), 'display') !== 'never',
  })
  if (mode === 'setup') session.setup_intent = ledger.addSetup(textsAt(intentData, 'metadata')).id
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

function createIntent(ledger: Ledger, params: Params): object {
  const money = readAmount(textAt(params, 'amount'), textAt(params, 'currency'))
  const customer = textAt(params, 'customer')
  const methodId = textAt(params, 'payment_method')
  const method = ledger.methods.get(methodId ?? '') ?? newTestCard(ledger, methodId, customer)
  if (!ledger.customers.has(customer ?? '')) throw resourceMissing('customer', customer)
  if (!method) throw resourceMissing('payment_method', methodId)
  if (method.customer !== customer) {
    throw invalidRequest('The method belongs to nobody any more.', { param: 'payment_method' })
  }
  if (!Object.values(textsAt(params, 'allowed_payment_method_types')).includes(method.type)) {
    const message = `The type of the provided PaymentMethod is ${method.type}.`
    throw invalidRequest(message, { param: 'payment_method' })
  }
  if (params.confirm !== 'true' || params.off_session !== 'true') {
    throw invalidRequest('Only charges without the payer are known here.', { param: 'off_session' })
  }
  if (ledger.demandsReturnUrl && params.return_url === undefined) {
    throw new FakeStripeError(400, REFUSALS.returnUrl.refuse)
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
  const left = charge.amount - charge.amount_refunded
  const amount = whole(textAt(params, 'amount') ?? String(left), 'amount')
  if (amount < 1 || amount > left) {
    throw invalidRequest('Refund amount is greater than unrefunded amount on charge', {
      param: 'amount',
    })
  }
  return ledger.addRefund(charge, amount, textsAt(params, 'metadata'))
}
