import Stripe from 'stripe'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Millis } from '../../db/tables.ts'
import { pageOf } from './answers.ts'
import { createBoundedHttp } from './http.ts'
import { troubleOf, unreadable } from './trouble.ts'

/** Written down, so that a new SDK is not a new interface: what we read of the answers belongs to it. */
const API_VERSION = '2026-10-28.endive'

const DEFAULT_TIMEOUT_MS = 20_000
export const PAGE_SIZE = 100
/** One charge a day for more than twenty years, and a million charges of an account. */
const MAX_PAGES = 10_000

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

/** Asks Stripe. Answers have the right shape, or a `ProviderTrouble` is thrown. */
export type StripeConnection = ReturnType<typeof connectStripe>

export function connectStripe({ secretKey, api, timeout = DEFAULT_TIMEOUT_MS }: StripeOptions) {
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
    for (let page = 0; page < MAX_PAGES; page++) {
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

  return { stripe, ask, list, timeout }
}

function addressOf(api: string) {
  const { protocol, hostname, port } = new URL(api)
  const isPlain = protocol === 'http:'
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port || (isPlain ? 80 : 443),
  }
}
