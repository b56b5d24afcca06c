import type { ChargesQuery, LedgerCharge, LedgerRefund, ProviderLedger } from '../provider.ts'
import { fromStripeAmount } from './amounts.ts'
import { type StripeApi, unlessMissing } from './api.ts'
import { isUnavailable } from './errors.ts'
import { readIntent, readRefund } from './findings.ts'
import { METADATA_KEYS, readLabels } from './metadata.ts'
import { decodeSavedCard, encodeSavedCard } from './saved-card.ts'
import type { Intent, Refund } from './schemas.ts'

/** Reads Stripe's records, for comparing them with ours. */
export function createLedger(api: StripeApi): ProviderLedger {
  return {
    async *charges(since) {
      for await (const intent of api.intentsSince(since)) {
        if (isOwnIntent(intent)) yield toCharge(intent)
      }
    },
    async charge(ref) {
      const intent = await api.findIntent(ref)
      return intent && isOwnIntent(intent) ? toCharge(intent) : undefined
    },
    async *refunds(since) {
      for await (const one of api.refundsSince(since)) {
        const refund = toRefund(one)
        if (refund) yield refund
      }
    },
    async refund(ref) {
      const one = await api.findRefund(ref)
      return one && toRefund(one)
    },
    async *disputes(since) {
      for await (const { payment_intent } of api.disputesSince(since)) {
        if (payment_intent !== null) yield payment_intent
      }
    },
    async checkoutOf(paymentRef) {
      for await (const one of api.sessionsOf(paymentRef)) {
        return { ref: one.id, email: one.customer_email ?? undefined }
      }
      return undefined
    },
  }
}

const isOwnIntent = ({ metadata }: Intent) => metadata[METADATA_KEYS.payment] !== undefined

function toCharge(intent: Intent): LedgerCharge {
  const { status, money } = readIntent(intent, Date.now())
  const isKept = intent.customer !== null && intent.payment_method !== null
  return {
    ref: intent.id,
    status,
    money,
    created: intent.created,
    labels: readLabels(intent.metadata),
    method: isKept ? encodeSavedCard(intent, undefined) : undefined,
  }
}

/** Returns undefined for a refund without a payment intent, or with an amount that our units can't express. */
function toRefund(refund: Refund): LedgerRefund | undefined {
  if (refund.payment_intent === null || !fromStripeAmount(refund)) return undefined
  return {
    finding: { ...readRefund(refund), ref: refund.id },
    paymentRef: refund.payment_intent,
    created: refund.created,
    labels: readLabels(refund.metadata),
  }
}

/** Combines the list of the customer's charges, which is always up to date, with Stripe's search, which also finds
 * charges to a card that the reader has replaced since. */
export async function findCharges(
  api: StripeApi,
  { renewal, method }: ChargesQuery,
): Promise<LedgerCharge[]> {
  const found = new Map<string, Intent>()
  for (const intent of await listChargesOf(api, method)) found.set(intent.id, intent)
  for (const intent of await searchCharges(api, renewal)) found.set(intent.id, intent)
  return [...found.values()].filter(isOwnIntent).map(toCharge)
}

async function listChargesOf(api: StripeApi, method: string): Promise<Intent[]> {
  const customer = decodeSavedCard(method)?.customer
  if (customer === undefined) return []
  const all: Intent[] = []
  await unlessMissing(async () => {
    for await (const intent of api.intentsOf(customer)) all.push(intent)
  })
  return all
}

/** Where Stripe offers no search, the list and the idempotency key must suffice. */
async function searchCharges(
  api: StripeApi,
  { installation, subscriptionId }: ChargesQuery['renewal'],
): Promise<Intent[]> {
  const query =
    `metadata['${METADATA_KEYS.installation}']:'${installation}' AND ` +
    `metadata['${METADATA_KEYS.subscription}']:'${subscriptionId}'`
  try {
    return await api.searchIntents(query)
  } catch (error) {
    if (isUnavailable(error)) return []
    throw error
  }
}
