import Stripe from 'stripe'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Millis } from '../../../db/tables.ts'
import { toProviderError, unreadable } from './errors.ts'
import { createBoundedHttp, type HttpOptions } from './http.ts'
import { listPageOf } from './schemas.ts'

/** Pinned, so that an SDK update does not change the API: our response schemas depend on this version. */
export const API_VERSION = '2026-10-28.endive'

const DEFAULT_TIMEOUT_MS = 20_000
export const PAGE_SIZE = 100
/** Limits a list to one million items. */
const MAX_PAGES = 10_000

export interface StripeOptions extends HttpOptions {
  secretKey: string
  /** Undefined if Stripe sends us no events. */
  webhookSecret: string | undefined
  /** Where the key is set, for error messages; by default the operator's variable. */
  keySetting?: string | undefined
  /** Base URL of a Stripe replacement. */
  api?: string | undefined
  /** Limit for one whole call. */
  timeout?: Millis
}

interface Item {
  id: string
}

/** Sends requests to Stripe. Responses are validated; anything else throws a `ProviderError`. */
export type StripeConnection = ReturnType<typeof connectStripe>

export function connectStripe(options: Omit<StripeOptions, 'webhookSecret'>) {
  const { secretKey, api, timeout = DEFAULT_TIMEOUT_MS } = options
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    httpClient: createBoundedHttp(options),
    // Before a failed call is retried, we look up its outcome, which the SDK can't do.
    maxNetworkRetries: 0,
    telemetry: false,
    timeout,
    ...(api === undefined ? {} : hostOptions(api)),
  })
  const isTestKey = /^.k_test_/.test(secretKey)
  const variable = `GATEHOUSE_${isTestKey ? 'SANDBOX_' : ''}STRIPE_SECRET_KEY`
  const keySetting = options.keySetting ?? variable

  async function ask<T extends TSchema>(
    schema: T,
    call: () => Promise<unknown>,
  ): Promise<Static<T>> {
    let answer: unknown
    try {
      answer = await call()
    } catch (error) {
      throw toProviderError(error, keySetting)
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
      const answer = await ask(listPageOf(schema), () => call(params))
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

function hostOptions(api: string) {
  const { protocol, hostname, port } = new URL(api)
  const isPlain = protocol === 'http:'
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port || (isPlain ? 80 : 443),
  }
}
