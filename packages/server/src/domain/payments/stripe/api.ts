import type Stripe from 'stripe'
import { Type } from 'typebox'
import type { Seconds } from '../../../db/tables.ts'
import { PAGE_SIZE, type StripeConnection } from './connection.ts'
import { StripeRefusal } from './errors.ts'
import {
  CheckoutSession,
  Dispute,
  ExpiredCheckoutSession,
  Intent,
  ListedCheckoutSession,
  listPageOf,
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

const sessionCalls = ({ stripe, ask, list }: StripeConnection) => ({
  createSession: (params: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
    ask(NewCheckoutSession, () => stripe.checkout.sessions.create(params, { idempotencyKey })),
  findSession: (id: string) =>
    unlessMissing(() =>
      ask(CheckoutSession, () =>
        stripe.checkout.sessions.retrieve(id, {
          expand: ['payment_intent.latest_charge', 'setup_intent.payment_method'],
        }),
      ),
    ),
  expireSession: (id: string) =>
    ask(ExpiredCheckoutSession, () => stripe.checkout.sessions.expire(id)),
  sessionsSince: (since: Seconds) =>
    list<ListedCheckoutSession>(ListedCheckoutSession, (page) =>
      stripe.checkout.sessions.list({ ...after(since), ...page }),
    ),
  sessionsOf: (intentId: string) =>
    list<ListedCheckoutSession>(ListedCheckoutSession, (page) =>
      stripe.checkout.sessions.list({ payment_intent: intentId, ...page }),
    ),
})

const intentCalls = ({ stripe, ask, list, timeout }: StripeConnection) => ({
  createIntent: (params: Stripe.PaymentIntentCreateParams, idempotencyKey: string) =>
    ask(Intent, () => stripe.paymentIntents.create(params, { idempotencyKey })),
  findIntent: (id: string) =>
    unlessMissing(() =>
      ask(Intent, () => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })),
    ),
  findMethod: (id: string) =>
    unlessMissing(() => ask(Method, () => stripe.paymentMethods.retrieve(id))),
  cancelIntent: (id: string) => ask(Intent, () => stripe.paymentIntents.cancel(id)),
  intentsOf: (customer: string) =>
    list<Intent>(Intent, (page) => stripe.paymentIntents.list({ customer, ...page })),
  intentsSince: (since: Seconds) =>
    list<Intent>(Intent, (page) => stripe.paymentIntents.list({ ...after(since), ...page })),
  /** Reads one page only, which holds years of charges of a subscription. The search lags by about a minute and is
   * not available in every country. */
  searchIntents: async (query: string): Promise<Intent[]> =>
    (await ask(listPageOf(Intent), () => stripe.paymentIntents.search({ query, limit: PAGE_SIZE })))
      .data,
  /** Lists at most one payment, which changes nothing. */
  check: () =>
    ask(listPageOf(Type.Unknown()), () =>
      stripe.paymentIntents.list({ limit: 1 }, { timeout: Math.min(timeout, CHECK_TIMEOUT_MS) }),
    ),
})

/** Calls for refunds and disputes. */
const refundCalls = ({ stripe, ask, list }: StripeConnection) => ({
  createRefund: (params: Stripe.RefundCreateParams, idempotencyKey: string) =>
    ask(Refund, () => stripe.refunds.create(params, { idempotencyKey })),
  findRefund: (id: string) => unlessMissing(() => ask(Refund, () => stripe.refunds.retrieve(id))),
  refundsOf: (intentId: string) =>
    list<Refund>(Refund, (page) => stripe.refunds.list({ payment_intent: intentId, ...page })),
  refundsSince: (since: Seconds) =>
    list<Refund>(Refund, (page) => stripe.refunds.list({ ...after(since), ...page })),
  disputesOf: (intentId: string) =>
    list<Dispute>(Dispute, (page) => stripe.disputes.list({ payment_intent: intentId, ...page })),
  disputesSince: (since: Seconds) =>
    list<Dispute>(Dispute, (page) => stripe.disputes.list({ ...after(since), ...page })),
})

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
