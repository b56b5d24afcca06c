import type {
  ChargesQuery,
  LedgerCharge,
  LedgerRefund,
  ListedRecord,
  ProviderLedger,
} from '../provider.ts'
import { isOwnIntent, type StripeApi, unlessMissing } from './api.ts'
import { isUnavailable } from './errors.ts'
import { readIntent, readRefund } from './findings.ts'
import { type ListedObject, readListed } from './listed.ts'
import { METADATA_KEYS, readLabels } from './metadata.ts'
import { decodeSavedCard, encodeSavedCard } from './saved-card.ts'
import { Intent, Refund } from './schemas.ts'

/** Reads Stripe's records, for comparing them with ours. */
export function createLedger(api: StripeApi): ProviderLedger {
  return {
    async *charges(since) {
      for await (const one of api.intentsSince(since)) {
        if (isOwnIntent(one)) yield toRecord(one, () => toCharge(readListed(Intent, one)))
      }
    },
    async charge(ref) {
      const intent = await api.findIntent(ref)
      return intent && isOwnIntent(intent) ? toCharge(intent) : undefined
    },
    async *refunds(since) {
      for await (const one of api.refundsSince(since)) {
        const { payment_intent: paymentRef } = one
        // A refund without a payment intent is of no charge of ours.
        if (paymentRef === undefined) continue
        const read = () => toRefund(readListed(Refund, one), paymentRef)
        yield { ...toRecord(one, read), paymentRef }
      }
    },
    async refund(ref) {
      const one = await api.findRefund(ref)
      return one?.payment_intent ? toRefund(one, one.payment_intent) : undefined
    },
    async *disputes(since) {
      for await (const { payment_intent } of api.disputesSince(since)) {
        if (payment_intent !== undefined) yield payment_intent
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

const toRecord = <T>({ id, metadata, created }: ListedObject, read: () => T): ListedRecord<T> => ({
  ref: id,
  labels: readLabels(metadata),
  created,
  read,
})

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

const toRefund = (refund: Refund, paymentRef: string): LedgerRefund => ({
  finding: { ...readRefund(refund), ref: refund.id },
  paymentRef,
  created: refund.created,
  labels: readLabels(refund.metadata),
})

/** Combines the list of the customer's charges, which is always up to date, with Stripe's search, which also finds
 * charges to a card that the reader has replaced since. */
export async function findCharges(
  api: StripeApi,
  { renewal, method }: ChargesQuery,
): Promise<LedgerCharge[]> {
  const found = new Map<string, Intent>()
  for (const intent of await listChargesOf(api, method)) found.set(intent.id, intent)
  for (const intent of await searchCharges(api, renewal)) found.set(intent.id, intent)
  return [...found.values()].map(toCharge)
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
