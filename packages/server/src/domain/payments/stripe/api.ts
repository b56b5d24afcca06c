import type Stripe from 'stripe'
import { type Static, type TSchema, Type } from 'typebox'
import type { Seconds } from '../../../db/tables.ts'
import { PAGE_SIZE, type StripeConnection } from './connection.ts'
import { StripeRefusal } from './errors.ts'
import { type ListedObject, ListPage, readListed, toListed } from './listed.ts'
import { METADATA_KEYS } from './metadata.ts'
import {
  CheckoutSession,
  Dispute,
  ExpiredCheckoutSession,
  Intent,
  ListedCheckoutSession,
  Method,
  NewCheckoutSession,
  Refund,
} from './schemas.ts'

/** Short, because someone waits for the result at a terminal. */
const CHECK_TIMEOUT_MS = 5_000

/** The Stripe calls that we make. Each returns a validated response or throws a `ProviderError`. */
export type StripeApi = ReturnType<typeof createStripeApi>

export function createStripeApi(connection: StripeConnection) {
  return { ...sessionCalls(connection), ...intentCalls(connection), ...refundCalls(connection) }
}

const sessionCalls = ({ stripe, ask, askForObject, list }: StripeConnection) => ({
  createSession: (params: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
    ask(NewCheckoutSession, () => stripe.checkout.sessions.create(params, { idempotencyKey })),
  findSession: (id: string) =>
    unlessMissing(() =>
      askForObject(CheckoutSession, () =>
        stripe.checkout.sessions.retrieve(id, {
          expand: ['payment_intent.latest_charge', 'setup_intent.payment_method'],
        }),
      ),
    ),
  expireSession: (id: string) =>
    ask(ExpiredCheckoutSession, () => stripe.checkout.sessions.expire(id)),
  /** Sessions for one checkout of ours. */
  sessionsFor: (checkoutId: string, since: Seconds) =>
    readAll(
      ListedCheckoutSession,
      list((page) => stripe.checkout.sessions.list({ ...after(since), ...page })),
      ({ client_reference_id }) => client_reference_id === checkoutId,
    ),
  sessionsOf: (intentId: string) =>
    readAll(
      ListedCheckoutSession,
      list((page) => stripe.checkout.sessions.list({ payment_intent: intentId, ...page })),
    ),
})

const intentCalls = ({ stripe, ask, askForObject, list, timeout }: StripeConnection) => ({
  createIntent: (params: Stripe.PaymentIntentCreateParams, idempotencyKey: string) =>
    ask(Intent, () => stripe.paymentIntents.create(params, { idempotencyKey })),
  findIntent: (id: string) =>
    unlessMissing(() =>
      askForObject(Intent, () => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })),
    ),
  findMethod: (id: string) =>
    unlessMissing(() => ask(Method, () => stripe.paymentMethods.retrieve(id))),
  /** Returns only the labels of a payment intent, which may be of another system. */
  findIntentLabels: async (id: string) => {
    const intent = await unlessMissing(() =>
      ask(Type.Unknown(), () => stripe.paymentIntents.retrieve(id)),
    )
    return toListed(intent)?.metadata
  },
  cancelIntent: (id: string) => ask(Intent, () => stripe.paymentIntents.cancel(id)),
  /** The payment intents of a customer that are ours. */
  intentsOf: (customer: string) =>
    readAll(
      Intent,
      list((page) => stripe.paymentIntents.list({ customer, ...page })),
      isOwnIntent,
    ),
  /** All payment intents, of any system. */
  intentsSince: (since: Seconds) =>
    list((page) => stripe.paymentIntents.list({ ...after(since), ...page })),
  /** Reads one page only, which holds years of charges of a subscription. The search lags by about a minute and is
   * not available in every country. */
  searchIntents: async (query: string): Promise<Intent[]> => {
    const search = () => stripe.paymentIntents.search({ query, limit: PAGE_SIZE })
    const { data } = await ask(ListPage, search)
    const own = data.flatMap((one) => toListed(one) ?? []).filter(isOwnIntent)
    return own.map((one) => readListed(Intent, one))
  },
  /** Lists at most one payment, which changes nothing. */
  check: () =>
    ask(ListPage, () =>
      stripe.paymentIntents.list({ limit: 1 }, { timeout: Math.min(timeout, CHECK_TIMEOUT_MS) }),
    ),
})

/** Calls for refunds and disputes. */
const refundCalls = ({ stripe, ask, askForObject, list }: StripeConnection) => ({
  createRefund: (params: Stripe.RefundCreateParams, idempotencyKey: string) =>
    ask(Refund, () => stripe.refunds.create(params, { idempotencyKey })),
  findRefund: (id: string) =>
    unlessMissing(() => askForObject(Refund, () => stripe.refunds.retrieve(id))),
  refundsOf: (intentId: string, isWanted?: (refund: ListedObject) => boolean) =>
    readAll(
      Refund,
      list((page) => stripe.refunds.list({ payment_intent: intentId, ...page })),
      isWanted,
    ),
  /** All refunds, of any system. */
  refundsSince: (since: Seconds) =>
    list((page) => stripe.refunds.list({ ...after(since), ...page })),
  disputesOf: (intentId: string) =>
    readAll(
      Dispute,
      list((page) => stripe.disputes.list({ payment_intent: intentId, ...page })),
    ),
  /** All disputes, of any system. */
  disputesSince: (since: Seconds) =>
    list((page) => stripe.disputes.list({ ...after(since), ...page })),
})

/** Whether we created a payment intent. Other systems on the account have no such label. */
export const isOwnIntent = ({ metadata }: Pick<ListedObject, 'metadata'>): boolean =>
  metadata[METADATA_KEYS.payment] !== undefined

/** Reads the wanted objects of a list, and skips all others, whatever they look like. */
async function* readAll<T extends TSchema>(
  schema: T,
  items: AsyncIterable<ListedObject>,
  isWanted: (item: ListedObject) => boolean = () => true,
): AsyncGenerator<Static<T>> {
  for await (const item of items) if (isWanted(item)) yield readListed(schema, item)
}

const after = (since: Seconds) => ({ created: { gte: since } })

/** Returns undefined if Stripe says that the object does not exist. */
export async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof StripeRefusal && error.code === 'resource_missing') return undefined
    throw error
  }
}
