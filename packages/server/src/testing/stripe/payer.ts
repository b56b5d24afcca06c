import type { FakeCard, FakeIntent, FakeSession, Ledger, SessionInput } from './ledger.ts'

/** The actions of payers and banks: paying, abandoning a payment page, disputing a charge. */

function requireOpen(ledger: Ledger, sessionId: string): [FakeSession, SessionInput] {
  const session = ledger.sessions.get(sessionId)
  const input = ledger.sessionInputs.get(sessionId)
  if (!session || !input) throw new Error(`no session ${sessionId}`)
  if (session.status !== 'open') throw new Error(`session ${sessionId} is ${session.status}`)
  return [session, input]
}

/** The payer enters a card on the hosted page. If the card is declined, the page stays open. */
export function pay(ledger: Ledger, sessionId: string, card: FakeCard): FakeSession {
  const [session, input] = requireOpen(ledger, sessionId)
  if (card === 'link' && !input.showsLink) throw new Error('the page does not offer Link')
  if (session.mode === 'setup') saveCard(ledger, session, input, card)
  else payNow(ledger, session, input, card)
  return session
}

const addCustomer = (ledger: Ledger, { customer_email }: FakeSession) =>
  ledger.addCustomer(customer_email ?? 'payer@example.com').id

function saveCard(ledger: Ledger, session: FakeSession, input: SessionInput, card: FakeCard): void {
  if (card === 'declined') return
  const customer = input.makesCustomer ? addCustomer(ledger, session) : null
  const setup = ledger.setups.get(session.setup_intent ?? '')
  if (!setup) throw new Error(`no setup intent of ${session.id}`)
  const payment_method = ledger.addMethod(card, customer).id
  Object.assign(setup, { status: 'succeeded', customer, payment_method })
  ledger.emitEvent('setup_intent.succeeded', setup)
  complete(ledger, session, { customer, payment_status: 'no_payment_required' })
}

function payNow(ledger: Ledger, session: FakeSession, input: SessionInput, card: FakeCard): void {
  const intent = intentOf(ledger, session, input)
  if (card === 'declined') {
    ledger.decline(intent, 'card_declined', 'generic_decline')
    return
  }
  const customer = input.makesCustomer ? addCustomer(ledger, session) : null
  const isKept = input.setupFutureUsage !== null
  Object.assign(intent, {
    customer,
    payment_method: ledger.addMethod(card, isKept ? customer : null).id,
    last_payment_error: null,
  })
  if (card === 'slow') intent.status = 'processing'
  else ledger.capture(intent)
  complete(ledger, session, { customer, payment_status: card === 'slow' ? 'unpaid' : 'paid' })
}

function intentOf(ledger: Ledger, session: FakeSession, input: SessionInput): FakeIntent {
  const known = session.payment_intent && ledger.intents.get(session.payment_intent)
  if (known) return known
  const intent = ledger.addIntent({
    amount: session.amount_total as number,
    currency: session.currency as string,
    metadata: input.metadata,
    description: input.description,
    setup_future_usage: input.setupFutureUsage,
  })
  session.payment_intent = intent.id
  return intent
}

function complete(ledger: Ledger, session: FakeSession, more: Partial<FakeSession>): void {
  Object.assign(session, { status: 'complete', url: null, ...more })
  ledger.emitEvent('checkout.session.completed', session)
}

export function expire(ledger: Ledger, sessionId: string): void {
  const [session] = requireOpen(ledger, sessionId)
  Object.assign(session, { status: 'expired', url: null })
  ledger.emitEvent('checkout.session.expired', session)
}

/** A payment that was processing succeeds or fails. */
export function finishSlow(ledger: Ledger, intentId: string, isPaid: boolean): void {
  const intent = requireIntent(ledger, intentId)
  if (intent.status !== 'processing') throw new Error(`${intentId} is ${intent.status}`)
  if (isPaid) ledger.capture(intent)
  else ledger.decline(intent, 'card_declined', 'generic_decline')
  const session = [...ledger.sessions.values()].find((one) => one.payment_intent === intentId)
  if (!session) return
  if (isPaid) session.payment_status = 'paid'
  ledger.emitEvent(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session)
}

function requireIntent(ledger: Ledger, intentId: string): FakeIntent {
  const intent = ledger.intents.get(intentId)
  if (!intent) throw new Error(`no payment intent ${intentId}`)
  return intent
}

/** Staff refund in Stripe's own dashboard: everything that is left, or a part. Returns the refund's id. */
export function refundByHand(ledger: Ledger, intentId: string, amount?: number): string {
  const charge = ledger.chargeOf(requireIntent(ledger, intentId))
  if (!charge?.paid) throw new Error(`${intentId} was not charged`)
  const paidBack = amount ?? charge.amount - charge.amount_refunded
  return ledger.addRefund(charge, paidBack, {}).id
}

/** A pending refund succeeds or bounces. */
export function settleRefund(ledger: Ledger, id: string, status: 'succeeded' | 'failed'): void {
  const refund = ledger.refunds.get(id)
  const charge = refund && ledger.charges.get(refund.charge)
  if (!refund || !charge) throw new Error(`no refund ${id}`)
  refund.status = status
  if (status === 'failed') {
    refund.failure_reason = 'expired_or_canceled_card'
    charge.amount_refunded -= refund.amount
    charge.refunded = false
    ledger.emitEvent('refund.failed', refund)
  }
  ledger.emitEvent('refund.updated', refund)
  ledger.emitEvent('charge.refund.updated', refund)
}
