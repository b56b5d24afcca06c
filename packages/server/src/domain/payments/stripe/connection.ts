import Stripe from 'stripe'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Millis } from '../../../db/tables.ts'
import { AnswerTooLarge, toProviderError, unreadable } from './errors.ts'
import { createBoundedHttp, type HttpOptions } from './http.ts'
import { type ListedObject, ListPage, readObject, toListed } from './listed.ts'

/** Pinned, so that an SDK update does not change the API: our response schemas depend on this version. */
export const API_VERSION = '2026-10-28.endive'

const DEFAULT_TIMEOUT_MS = 20_000
export const PAGE_SIZE = 100
/** Limits a list to one million items. */
const MAX_PAGES = 10_000
/** A page that is larger than the largest answer that we read is asked for again with a tenth of the items, for example of
 * disputes, which carry all of their evidence. */
const PAGE_SHRINKS_BY = 10

export interface StripeOptions extends HttpOptions {
  secretKey: string
  /** Undefined if Stripe sends us no events. */
  webhookSecret: string | undefined
  /** Where the key is set, for error messages; by default the operator's variable. */
  keySetting?: string | undefined
  /** Whether the publisher wants Link on the pages where readers pay; false by default. */
  offersLink?: boolean | undefined
  /** Base URL of a Stripe replacement. */
  api?: string | undefined
  /** Limit for one whole call. */
  timeout?: Millis
  /** Sees all requests and responses. */
  wrapHttp?: ((http: Stripe.HttpClient) => Stripe.HttpClient) | undefined
}

/** Sends requests to Stripe. Responses are validated; anything else throws a `ProviderError`. */
export type StripeConnection = ReturnType<typeof connectStripe>

export function connectStripe(options: Omit<StripeOptions, 'webhookSecret'>) {
  const { secretKey, api, timeout = DEFAULT_TIMEOUT_MS } = options
  const http = createBoundedHttp(options)
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    httpClient: options.wrapHttp?.(http) ?? http,
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
    if (Value.Check(schema, answer)) return answer as Static<T>
    throw unreadable('the answer')
  }

  /** Asks for one object, and names it if it can't be read. */
  async function askForObject<T extends TSchema>(
    schema: T,
    call: () => Promise<unknown>,
  ): Promise<Static<T>> {
    const answer = await ask(Type.Unknown(), call)
    if (!toListed(answer)) throw unreadable('the answer')
    return readObject(schema, answer)
  }

  /** Lists objects of any system on the account: only whose they are is read here. */
  async function* list(
    call: (page: Stripe.PaginationParams) => Promise<unknown>,
  ): AsyncGenerator<ListedObject> {
    let after: string | undefined
    let limit = PAGE_SIZE
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = { limit, ...(after === undefined ? {} : { starting_after: after }) }
      let answer: Static<typeof ListPage>
      try {
        answer = await ask(ListPage, () => call(params))
      } catch (error) {
        if (!(error instanceof AnswerTooLarge) || limit === 1) throw error
        limit /= PAGE_SHRINKS_BY
        continue
      }
      const { data, has_more } = answer
      yield* data.flatMap((one) => toListed(one) ?? [])
      if (!has_more) return
      after = toListed(data.at(-1))?.id
      if (after === undefined) break
    }
    throw unreadable('a list without an end')
  }

  return { stripe, ask, askForObject, list, timeout, isTestKey }
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
