import type Stripe from 'stripe'
import type { ChargeFailure, ChargeOrder, PaymentFinding, PaymentQuery } from '../provider.ts'
import { OrderRefused } from '../provider-error.ts'
import { type StripeMoney, toStripeAmount } from './amounts.ts'
import { type StripeApi, unlessMissing } from './api.ts'
import { isUnavailable, StripeRefusal, unreadable } from './errors.ts'
import { readDisputes, readIntent } from './findings.ts'
import { METADATA_KEYS, toMetadata } from './metadata.ts'
import { orderKey } from './order-key.ts'
import { chargeFailureOf } from './refusals.ts'
import { CARD, decodeSavedCard, stripeTitle } from './saved-card.ts'
import type { Intent } from './schemas.ts'

type SavedCard = NonNullable<ReturnType<typeof decodeSavedCard>>

/** Stripe demands it where the account accepts payment methods that redirect. Nobody is ever sent there: a charge that
 * needs the payer is canceled. A constant, so that a repeated request is identical. */
const RETURN_URL = 'https://stripe.com/'

/** Charges a saved card. Returns `failed` only if the charge can never succeed any more. */
export async function chargeCard(api: StripeApi, order: ChargeOrder): Promise<PaymentFinding> {
  const method = decodeSavedCard(order.method)
  const money = toStripeAmount(order.money)
  if (!method) return refused(order, 'no_card')
  if (!money) return refused(order, 'declined')
  let intent: Intent
  try {
    intent = await createIntent(api, order, { money, method })
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    return await afterRefusal(api, order, error)
  }
  const finding = await finalizeIntent(api, requirePaymentId(intent, order.paymentId))
  const { amount, currency } = finding.money
  if (amount !== order.money.amount || currency !== order.money.currency) {
    throw unreadable('a charge of another amount')
  }
  return finding
}

/** Charges a payment method by its own type: a saved Link account that is charged as a card is refused. If the type is not
 * known and Stripe refuses the method as a card, Stripe is asked what it is. */
async function createIntent(
  api: StripeApi,
  order: ChargeOrder,
  { money, method }: { money: StripeMoney; method: SavedCard },
): Promise<Intent> {
  const create = (type: string, key: string) =>
    api.createIntent(
      {
        ...money,
        customer: method.customer,
        payment_method: method.paymentMethod,
        allowed_payment_method_types: [
          type as Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType,
        ],
        confirm: true,
        off_session: true,
        return_url: RETURN_URL,
        description: stripeTitle(order.title),
        metadata: toMetadata({ ...order.labels, aid: order.aid, paymentId: order.paymentId }),
      },
      key,
    )
  const key = orderKey('charge', order.paymentId, order.refusals)
  try {
    return await create(method.type ?? CARD, key)
  } catch (error) {
    const isDoubtful = method.type === undefined && isRefusalOfMethod(error)
    const type = isDoubtful ? await typeOf(api, method.paymentMethod) : undefined
    if (type === undefined || type === CARD) throw error
    return await create(type, `${key}-${type}`)
  }
}

/** Returns undefined also if the key may not read payment methods. */
async function typeOf(api: StripeApi, paymentMethod: string): Promise<string | undefined> {
  try {
    return (await api.findMethod(paymentMethod))?.type
  } catch (error) {
    if (isUnavailable(error)) return undefined
    throw error
  }
}

const isRefusalOfMethod = (error: unknown): boolean =>
  error instanceof StripeRefusal &&
  !error.isCardError &&
  (/payment_method/.test(error.param ?? '') || /^payment_method_/.test(error.code ?? ''))

/** A charge that was refused before Stripe created anything. */
const refused = ({ money }: ChargeOrder, failure: ChargeFailure): PaymentFinding => ({
  status: 'failed',
  ref: undefined,
  money,
  failure,
})

/** Decides on a refused charge once the customer's list has shown whether anything was made of it. */
async function afterRefusal(
  api: StripeApi,
  order: ChargeOrder,
  refusal: StripeRefusal,
): Promise<PaymentFinding> {
  const intent = refusal.intent ?? (await findByMetadata(api, order.method, order.paymentId))
  if (intent) return await finalizeIntent(api, requirePaymentId(intent, order.paymentId))
  const failure = chargeFailureOf(refusal)
  if (failure === undefined) throw new OrderRefused(refusal.message)
  return refused(order, failure)
}

export async function findPayment(
  api: StripeApi,
  { paymentId, ref, method }: PaymentQuery,
): Promise<PaymentFinding | undefined> {
  const known = ref ?? (await findOwnRef(api, method, paymentId))
  if (known === undefined) return undefined
  const intent = await api.findIntent(known)
  if (!intent) return undefined
  if (paymentId !== undefined) requirePaymentId(intent, paymentId)
  return await finalizeIntent(api, requireOwnIntent(intent, known))
}

async function findOwnRef(
  api: StripeApi,
  method: string | undefined,
  paymentId: string | undefined,
): Promise<string | undefined> {
  if (method === undefined || paymentId === undefined) return undefined
  return (await findByMetadata(api, method, paymentId))?.id
}

/** Checks an intent that was found by Stripe's id. It may carry another id of ours, from an order that a restore
 * has lost. */
function requireOwnIntent(intent: Intent, ref: string): Intent {
  const isOwnIntent = intent.id === ref && intent.metadata[METADATA_KEYS.payment] !== undefined
  if (!isOwnIntent) throw unreadable('a payment that is not ours')
  return intent
}

/** Searches the list of the customer's charges, which is always up to date; Stripe's search lags behind. */
async function findByMetadata(
  api: StripeApi,
  method: string,
  paymentId: string,
): Promise<Intent | undefined> {
  const customer = decodeSavedCard(method)?.customer
  if (customer === undefined) return undefined
  return await unlessMissing(async () => {
    for await (const intent of api.intentsOf(customer)) {
      if (intent.metadata[METADATA_KEYS.payment] === paymentId) return intent
    }
    return undefined
  })
}

function requirePaymentId(intent: Intent, paymentId: string): Intent {
  if (intent.metadata[METADATA_KEYS.payment] !== paymentId)
    throw unreadable('a payment that is not ours')
  return intent
}

/** Returns the state of a payment. A failed one is canceled first: another charge may follow, and this one must not
 * succeed later. */
export async function finalizeIntent(api: StripeApi, intent: Intent): Promise<PaymentFinding> {
  const finding = readIntent(intent, Date.now())
  if (finding.status === 'succeeded') return await withDispute(api, intent, finding)
  if (finding.status === 'failed' && intent.status !== 'canceled') {
    return await cancel(api, intent, finding)
  }
  return finding
}

async function cancel(
  api: StripeApi,
  { id }: Intent,
  failed: PaymentFinding,
): Promise<PaymentFinding> {
  try {
    const { status } = await api.cancelIntent(id)
    if (status === 'canceled') return failed
  } catch (error) {
    const isOver =
      error instanceof StripeRefusal && error.code === 'payment_intent_unexpected_state'
    if (!isOver) throw error
  }
  // The payment has changed in the meantime.
  const intent = await api.findIntent(id)
  const finding = intent && readIntent(intent, Date.now())
  if (!finding || (finding.status === 'failed' && intent.status !== 'canceled')) {
    throw unreadable("a payment that can't be canceled")
  }
  return finding
}

async function withDispute(
  api: StripeApi,
  { id, latest_charge: charge }: Intent,
  finding: PaymentFinding,
): Promise<PaymentFinding> {
  if (typeof charge !== 'object' || !charge?.disputed) return finding
  const disputes = []
  for await (const dispute of api.disputesOf(id)) disputes.push(dispute)
  if (disputes.length > 0) return { ...finding, dispute: readDisputes(disputes, finding.money) }
  // The charge says that it is disputed, and the dispute is not listed yet.
  const open = { amount: finding.money.amount, isRefundable: false }
  return { ...finding, dispute: { lost: 0, open } }
}
