import Stripe from 'stripe'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Millis, Seconds } from '../../db/tables.ts'
import {
  Dispute,
  ExpiredSession,
  Intent,
  ListedSession,
  NewSession,
  pageOf,
  Refund,
  Session,
} from './answers.ts'
import { createBoundedHttp } from './http.ts'
import { Refusal, troubleOf, unreadable } from './trouble.ts'

/** Written down, so that a new SDK is not a new interface: what we read of the answers belongs to it. */
const API_VERSION = '2026-10-28.endive'

const DEFAULT_TIMEOUT_MS = 20_000
const PAGE_SIZE = 100
/** One charge a day for more than twenty years, and a million charges of an account. */
const MOST_PAGES = 10_000
/** Somebody waits for the answer at a terminal. */
const CHECK_TIMEOUT_MS = 5_000

export interface StripeOptions {
  secretKey: string
  webhookSecret: string
  /** In place of Stripe's own address. */
  api?: string | undefined
  /** Of one call, from the first byte to the last. */
  timeout?: Millis
}

interface Item {
  id: string
}

/** The calls that we make. Each answers with what has the right shape, or throws a `ProviderTrouble`. */
export type StripeApi = ReturnType<typeof createStripeApi>

export function createStripeApi({ secretKey, api, timeout = DEFAULT_TIMEOUT_MS }: StripeOptions) {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    httpClient: createBoundedHttp(),
    // What failed is asked about before it is tried again, which the SDK can't do.
    maxNetworkRetries: 0,
    telemetry: false,
    timeout,
    ...(api === undefined ? {} : addressOf(api)),
  })
  const isTestKey = /^.k_test_/.test(secretKey)
  const keySetting = `GATEHOUSE_${isTestKey ? 'SANDBOX_' : ''}STRIPE_SECRET_KEY`

  async function ask<T extends TSchema>(
    schema: T,
    call: () => Promise<unknown>,
  ): Promise<Static<T>> {
    let answer: unknown
    try {
      answer = await call()
    } catch (error) {
      throw troubleOf(error, keySetting)
    }
    if (!Value.Check(schema, answer)) throw unreadable('the answer')
    return answer as Static<T>
  }

  async function* list<T extends Item>(
    schema: TSchema & { static?: T },
    call: (page: Stripe.PaginationParams) => Promise<unknown>,
  ): AsyncGenerator<T> {
    let after: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const params = { limit: PAGE_SIZE, ...(after === undefined ? {} : { starting_after: after }) }
      const answer = await ask(pageOf(schema), () => call(params))
      const data = answer.data as T[]
      yield* data
      if (!answer.has_more) return
      after = data.at(-1)?.id
      if (after === undefined) break
    }
    throw unreadable('a list without an end')
  }

  return {
    createSession: (params: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
      ask(NewSession, () => stripe.checkout.sessions.create(params, { idempotencyKey })),
    findSession: (id: string) =>
      unlessMissing(() =>
        ask(Session, () =>
          stripe.checkout.sessions.retrieve(id, {
            expand: ['payment_intent.latest_charge', 'setup_intent.payment_method'],
          }),
        ),
      ),
    expireSession: (id: string) => ask(ExpiredSession, () => stripe.checkout.sessions.expire(id)),
    createIntent: (params: Stripe.PaymentIntentCreateParams, idempotencyKey: string) =>
      ask(Intent, () => stripe.paymentIntents.create(params, { idempotencyKey })),
    findIntent: (id: string) =>
      unlessMissing(() =>
        ask(Intent, () => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })),
      ),
    cancelIntent: (id: string) => ask(Intent, () => stripe.paymentIntents.cancel(id)),
    intentsSince: (since: Seconds) =>
      list<Intent>(Intent, (page) => stripe.paymentIntents.list({ ...after(since), ...page })),
    /** One page, which is more than a subscription is ever charged in years. The search lags behind by a
     * minute, and does not exist everywhere. */
    searchIntents: async (query: string): Promise<Intent[]> =>
      (await ask(pageOf(Intent), () => stripe.paymentIntents.search({ query, limit: PAGE_SIZE })))
        .data,
    /** The first that there is, or none: nothing changes by it. */
    check: () =>
      ask(pageOf(Type.Unknown()), () =>
        stripe.paymentIntents.list({ limit: 1 }, { timeout: Math.min(timeout, CHECK_TIMEOUT_MS) }),
      ),
    sessionsSince: (since: Seconds) =>
      list<ListedSession>(ListedSession, (page) =>
        stripe.checkout.sessions.list({ ...after(since), ...page }),
      ),
    sessionsOf: (intentId: string) =>
      list<ListedSession>(ListedSession, (page) =>
        stripe.checkout.sessions.list({ payment_intent: intentId, ...page }),
      ),
    intentsOf: (customer: string) =>
      list<Intent>(Intent, (page) => stripe.paymentIntents.list({ customer, ...page })),
    createRefund: (params: Stripe.RefundCreateParams, idempotencyKey: string) =>
      ask(Refund, () => stripe.refunds.create(params, { idempotencyKey })),
    findRefund: (id: string) => unlessMissing(() => ask(Refund, () => stripe.refunds.retrieve(id))),
    refundsOf: (intentId: string) =>
      list<Refund>(Refund, (page) => stripe.refunds.list({ payment_intent: intentId, ...page })),
    refundsSince: (since: Seconds) =>
      list<Refund>(Refund, (page) => stripe.refunds.list({ ...after(since), ...page })),
    disputesSince: (since: Seconds) =>
      list<Dispute>(Dispute, (page) => stripe.disputes.list({ ...after(since), ...page })),
    disputesOf: (intentId: string) =>
      list<Dispute>(Dispute, (page) => stripe.disputes.list({ payment_intent: intentId, ...page })),
  }
}

const after = (since: Seconds) => ({ created: { gte: since } })

function addressOf(api: string) {
  const { protocol, hostname, port } = new URL(api)
  const isPlain = protocol === 'http:'
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port || (isPlain ? 80 : 443),
  }
}

/** Undefined in place of a refusal that says that there is no such thing. */
export async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'resource_missing') return undefined
    throw error
  }
}
