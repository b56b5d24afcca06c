import { openDispute } from './bank.ts'
import { FakeStripeError, resourceMissing } from './errors.ts'
import { type Params, textAt } from './form.ts'
import type { FakeCard, FakeIntent, FakeMethod, Ledger } from './ledger.ts'

/** The names of Stripe's own test cards, https://docs.stripe.com/testing. Each use of a name is a new card. */
const TEST_CARDS: Readonly<Record<string, FakeCard>> = {
  pm_card_visa: 'good',
  pm_card_bypassPending: 'good',
  pm_card_visa_chargeDeclined: 'declined',
  pm_card_visa_chargeDeclinedInsufficientFunds: 'insufficient_funds',
  pm_card_visa_chargeDeclinedLostCard: 'lost',
  pm_card_visa_chargeDeclinedStolenCard: 'stolen',
  pm_card_chargeDeclinedExpiredCard: 'expired',
  pm_card_chargeDeclinedIncorrectCvc: 'incorrect_cvc',
  pm_card_chargeDeclinedProcessingError: 'processing_error',
  pm_card_visa_chargeDeclinedVelocityLimitExceeded: 'velocity_exceeded',
  pm_card_radarBlock: 'fraudulent',
  pm_card_chargeCustomerFail: 'declined_later',
  pm_card_authenticationRequired: 'needs_payer_later',
  pm_card_createDispute: 'disputed_later',
  pm_card_createDisputeInquiry: 'inquired_later',
}

/** The `code` and `decline_code` of cards that are declined without the payer. */
const DECLINES: Partial<Record<FakeCard, readonly [code: string, declineCode?: string]>> = {
  declined: ['card_declined', 'generic_decline'],
  declined_later: ['card_declined', 'generic_decline'],
  insufficient_funds: ['card_declined', 'insufficient_funds'],
  lost: ['card_declined', 'lost_card'],
  stolen: ['card_declined', 'stolen_card'],
  expired: ['expired_card'],
  incorrect_cvc: ['incorrect_cvc'],
  processing_error: ['processing_error'],
  velocity_exceeded: ['card_declined', 'card_velocity_exceeded'],
  fraudulent: ['card_declined', 'fraudulent'],
  needs_payer_later: ['authentication_required', 'authentication_required'],
}

const NEVER_SAVED: readonly FakeCard[] = [
  'declined',
  'insufficient_funds',
  'lost',
  'stolen',
  'expired',
  'incorrect_cvc',
  'processing_error',
  'velocity_exceeded',
]

/** Returns a card for one charge of this customer, without saving it. */
export function newTestCard(
  ledger: Ledger,
  name: string | undefined,
  customer: string | undefined,
): FakeMethod | undefined {
  const card = TEST_CARDS[name ?? '']
  return card && ledger.addMethod(card, customer ?? null)
}

const CARD = {
  ...{ brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 },
  ...{ country: 'DE', funding: 'credit' },
}

/** All payment methods with the same card have the same fingerprint. Link doesn't show the card that is behind it. */
export function showMethod(ledger: Ledger, id: string): object | undefined {
  const method = ledger.methods.get(id)
  if (method?.type === 'link') {
    const { card: _, ...shown } = method
    return { ...shown, link: { email: 'Payer@example.com' } }
  }
  return method && { ...method, card: { ...CARD, fingerprint: `fp_${method.card}` } }
}

export function attachMethod(ledger: Ledger, params: Params, id: string): object {
  const customer = textAt(params, 'customer')
  if (!ledger.customers.has(customer ?? '')) throw resourceMissing('customer', customer)
  const method = ledger.methods.get(id) ?? newTestCard(ledger, id, undefined)
  if (!method) throw resourceMissing('payment_method', id, 404)
  if (NEVER_SAVED.includes(method.card)) throw declinedError(method.card)
  method.customer = customer as string
  return showMethod(ledger, method.id) as object
}

export function detachMethod(ledger: Ledger, _params: Params, id: string): object {
  const method = ledger.methods.get(id)
  if (!method) throw resourceMissing('payment_method', id, 404)
  method.customer = null
  return showMethod(ledger, id) as object
}

export function deleteCustomer(ledger: Ledger, _params: Params, id: string): object {
  if (!ledger.customers.delete(id)) throw resourceMissing('customer', id, 404)
  for (const method of ledger.methods.values()) if (method.customer === id) method.customer = null
  return { object: 'customer', id, deleted: true }
}

/** Charges a card while nobody is there. */
export function chargeOffSession(ledger: Ledger, intent: FakeIntent, card: FakeCard): FakeIntent {
  const decline = DECLINES[card]
  if (decline) {
    ledger.decline(intent, ...decline)
    throw declinedError(card, intent)
  }
  if (card === 'asks_payer_later') intent.status = 'requires_action'
  else if (card === 'slow_later') intent.status = 'processing'
  else ledger.capture(intent)
  if (card === 'disputed_later') openDispute(ledger, intent.id)
  if (card === 'inquired_later')
    openDispute(ledger, intent.id, { status: 'warning_needs_response' })
  return intent
}

function declinedError(card: FakeCard, intent?: FakeIntent): FakeStripeError {
  const [code, decline_code] = DECLINES[card] as readonly [string, string?]
  return new FakeStripeError(402, {
    type: 'card_error',
    message: 'Your card was declined.',
    code,
    ...(decline_code === undefined ? {} : { decline_code }),
    ...(intent === undefined ? {} : { payment_intent: structuredClone(intent) }),
  })
}
