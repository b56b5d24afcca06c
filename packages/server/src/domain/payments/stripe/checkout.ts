import type Stripe from 'stripe'
import type { Millis } from '../../../db/tables.ts'
import { fail } from '../../../errors.ts'
import { parseUrl } from '../../../parse-url.ts'
import { foldCase } from '../../../unicode.ts'
import { showMoney } from '../../apps/currency.ts'
import type { CheckoutFinding, CheckoutOrder, Money, StartedCheckout } from '../provider.ts'
import { CurrencyRefused } from '../provider-error.ts'
import { toStripeAmount } from './amounts.ts'
import type { StripeApi } from './api.ts'
import { finalizeIntent } from './charges.ts'
import { createPage } from './create-page.ts'
import { IdempotencyKeyReused, isCurrencyRefusal, StripeRefusal, unreadable } from './errors.ts'
import { METADATA_KEYS, toMetadata } from './metadata.ts'
import { encodeSavedCard, stripeTitle } from './saved-card.ts'
import type { CheckoutSession, Method } from './schemas.ts'

/** Creates a Checkout session. `apiOverride` is the base URL of a Stripe replacement, if one is configured. */
export async function startCheckout(
  api: StripeApi,
  order: CheckoutOrder,
  apiOverride: string | undefined,
  offersLink = false,
): Promise<StartedCheckout> {
  const { charge, checkoutId, currency } = order
  const params = {
    ...commonParams(order),
    ...(charge ? paymentParams(order, charge) : setupParams(order)),
    // A Link account hides which card is behind it, so that a trial could be had once more with the same card.
    ...(offersLink && charge ? {} : WITHOUT_LINK),
  }
  try {
    const { session, leftOut } = await createPage(api, params, `gatehouse-checkout-${checkoutId}`)
    if (session.client_reference_id !== checkoutId) throw unreadable('a checkout of another')
    const page = { ref: session.id, url: requireSafePageUrl(session.url, apiOverride) }
    return leftOut.includes('wallet_options') ? { ...page, showsLink: true } : page
  } catch (error) {
    if (charge && error instanceof StripeRefusal && error.isAmountError)
      throw amountNotAccepted(charge)
    if (isCurrencyRefusal(error)) throw new CurrencyRefused(currency)
    if (error instanceof IdempotencyKeyReused)
      return await findStarted(api, order, error, apiOverride)
    throw error
  }
}

/** Link brings bank payments and Klarna to a page for cards, with other fees and disputes. */
const WITHOUT_LINK: Stripe.Checkout.SessionCreateParams = {
  wallet_options: { link: { display: 'never' } },
}

/** Upper limit for the difference between the clocks. */
const CLOCK_SKEW_S = 3600

/** Finds a page that was created by an earlier request whose response was lost. Something in the request has
 * changed since, such as the resource's name or the service's address, but the page is still valid. */
async function findStarted(
  api: StripeApi,
  { checkoutId, created }: CheckoutOrder,
  trouble: IdempotencyKeyReused,
  apiOverride: string | undefined,
): Promise<{ ref: string; url: string }> {
  const since = Math.floor(created / 1000) - CLOCK_SKEW_S
  for await (const one of api.sessionsFor(checkoutId, since)) {
    if (one.status !== 'open') break
    return { ref: one.id, url: requireSafePageUrl(one.url, apiOverride) }
  }
  throw trouble
}

/** A retry does not help: the price has to change. */
const amountNotAccepted = ({ amount, currency }: Money) =>
  fail('payments_not_set_up', `Stripe can't take ${showMoney(amount, currency)}.`)

const metadataOf = ({ labels, aid, checkoutId, paymentId }: CheckoutOrder) =>
  toMetadata({ ...labels, aid, checkoutId, paymentId })

function commonParams(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const { email, keepCard, charge } = order
  return {
    client_reference_id: order.checkoutId,
    metadata: metadataOf(order),
    success_url: order.doneUrl,
    cancel_url: order.backUrl,
    expires_at: expiryOf(order, Date.now()),
    // A card payment is usually confirmed immediately, and the card can be charged again.
    allowed_payment_method_types: ['card'],
    ...(email !== undefined && isPlainEmail(email) ? { customer_email: email } : {}),
    ...(keepCard || !charge ? { customer_creation: 'always' } : {}),
  }
}

function paymentParams(order: CheckoutOrder, charge: Money): Stripe.Checkout.SessionCreateParams {
  const money = toStripeAmount(charge)
  if (!money) throw amountNotAccepted(charge)
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: money.currency,
          unit_amount: money.amount,
          product_data: { name: stripeTitle(order.title) },
        },
      },
    ],
    // The payer sees the price in its own currency.
    adaptive_pricing: { enabled: false },
    payment_intent_data: {
      description: stripeTitle(order.title),
      metadata: metadataOf(order),
      ...(order.keepCard ? { setup_future_usage: 'off_session' } : {}),
    },
  }
}

const setupParams = (order: CheckoutOrder): Stripe.Checkout.SessionCreateParams => ({
  mode: 'setup',
  currency: order.currency.toLowerCase(),
  setup_intent_data: { description: stripeTitle(order.title), metadata: metadataOf(order) },
})

const MINUTE_MS = 60_000
/** Stripe accepts 30 minutes to 24 hours by its own clock, which may differ from ours. */
const MIN_MS = 32 * MINUTE_MS
const MAX_MS = 24 * 60 * MINUTE_MS - 2 * MINUTE_MS

/** Returns seconds, computed from the start of the checkout: a repeated request must be identical, or Stripe
 * refuses its idempotency key. Only a page that is requested very late gets a new expiry. */
function expiryOf({ created, expires }: CheckoutOrder, now: Millis): number {
  const wanted = clamp(expires, created + MIN_MS, created + MAX_MS)
  return Math.floor(clamp(wanted, now + MIN_MS - MINUTE_MS, now + MAX_MS) / 1000)
}

const clamp = (at: Millis, from: Millis, to: Millis) => Math.min(Math.max(at, from), to)

/** Only plain addresses are sent: others would cost a call that Stripe refuses. Without one, the page asks the payer. */
function isPlainEmail(email: string): boolean {
  const [name = '', host = '', ...more] = email.split('@')
  const labels = host.split('.')
  return (
    more.length === 0 &&
    labels.length > 1 &&
    name.split('.').every((part) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(part)) &&
    labels.every((label) => /^[A-Za-z0-9-]+$/.test(label) && !/^-|-$/.test(label))
  )
}

/** Accepts only an HTTPS page, or a page of the configured Stripe replacement, because the payer is sent there. */
function requireSafePageUrl(url: string | null, apiOverride: string | undefined): string {
  const page = url === null ? undefined : parseUrl(url)
  const isSafe =
    page?.protocol === 'https:' ||
    (apiOverride !== undefined && page?.origin === new URL(apiOverride).origin)
  if (!page || !isSafe) throw unreadable('the address of the page')
  return page.href
}

/** Reads the state of a checkout at Stripe. A session that Stripe does not know counts as expired. */
export async function getCheckoutFinding(
  api: StripeApi,
  ref: string,
  apiOverride: string | undefined,
): Promise<CheckoutFinding> {
  const session = await api.findSession(ref)
  // The session may belong to an account whose key was replaced: it can no longer be paid.
  if (!session) return { status: 'expired' }
  const isOwnSession = session.id === ref && session.metadata[METADATA_KEYS.checkout] !== undefined
  if (!isOwnSession) throw unreadable('a checkout that is not ours')
  if (session.status === 'open') {
    return { status: 'open', url: requireSafePageUrl(session.url, apiOverride) }
  }
  if (session.status === 'expired') return { status: 'expired' }
  return session.mode === 'payment' ? await findPaid(api, session) : findSaved(session)
}

/** Stripe refuses to expire a session that was paid or has expired. In either case, its state is read afterwards. */
export async function expireCheckout(
  api: StripeApi,
  ref: string,
  apiOverride: string | undefined,
): Promise<CheckoutFinding> {
  try {
    await api.expireSession(ref)
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
  }
  return await getCheckoutFinding(api, ref, apiOverride)
}

async function findPaid(api: StripeApi, session: CheckoutSession): Promise<CheckoutFinding> {
  const { payment_intent: intent, metadata } = session
  if (!intent || intent.metadata[METADATA_KEYS.checkout] !== metadata[METADATA_KEYS.checkout]) {
    throw unreadable('the payment of a checkout')
  }
  const payment = await finalizeIntent(api, intent)
  if (payment.status === 'succeeded') {
    const isKept = intent.setup_future_usage === 'off_session'
    const method = isKept ? { method: encodeSavedCard(intent, typeOfPayment(intent)) } : {}
    return { status: 'paid', payment, ...method }
  }
  // The payer has left a completed page: a payment that has not succeeded by then never will.
  const isOver = payment.status === 'failed' || intent.status === 'requires_payment_method'
  if (!isOver) return { status: 'open', payment }
  return { status: 'expired', payment: { ...payment, status: 'failed', failure: 'declined' } }
}

function findSaved({ setup_intent: intent, metadata }: CheckoutSession): CheckoutFinding {
  const isOwnIntent = intent?.metadata[METADATA_KEYS.checkout] === metadata[METADATA_KEYS.checkout]
  if (!intent || !isOwnIntent || intent.status !== 'succeeded') throw unreadable('a saved card')
  const { customer, payment_method: saved } = intent
  if (typeof saved === 'string' || saved === null)
    return {
      status: 'paid',
      method: encodeSavedCard({ customer, payment_method: saved }, undefined),
    }
  const method = encodeSavedCard({ customer, payment_method: saved.id }, saved.type)
  const fingerprint = fingerprintOf(saved)
  return { status: 'paid', method, ...(fingerprint ? { fingerprint } : {}) }
}

const typeOfPayment = ({ latest_charge: charge }: CheckoutSession['payment_intent'] & object) =>
  typeof charge === 'object' ? charge?.payment_method_details?.type : undefined

/** What a trial can be recognized by: the card, or the Link account if there is no card to see. */
function fingerprintOf({ card, link }: Method): string | undefined {
  if (card?.fingerprint) return card.fingerprint
  return link?.email ? `link:${foldCase(link.email)}` : undefined
}
