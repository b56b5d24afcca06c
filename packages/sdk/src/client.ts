import { ApiError, NotFoundError } from './errors.ts'
import { cursorAfter, type FollowOptions, followEvents } from './follow.ts'
import {
  type ExpectedReturn,
  makePurchaseLink,
  type PaidReturn,
  type PurchaseLink,
  readReturnUrl,
} from './links.ts'
import { type CheckedOptions, checkOptions, type GatehouseOptions } from './options.ts'
import type { UrlLike } from './runtime.ts'
import { MAX_READ_ATTEMPTS, MAX_WRITE_ATTEMPTS, type SignedRequest, send } from './send.ts'
import { encodeParameters, encodeText, type ParameterValue, sign, signedString } from './signing.ts'
import type {
  AccessChecks,
  AccessDetails,
  AccessPage,
  AccessQuery,
  AccessSearch,
  CheckQuestion,
  Clock,
  ClockStep,
  Download,
  DownloadQuery,
  DownloadUrl,
  DownloadUrlQuery,
  Entitlement,
  EntitlementPage,
  EntitlementQuery,
  Event,
  EventPage,
  EventReplay,
  EventReplayRequest,
  EventSearch,
  Grant,
  ManageLink,
  NamedSubscription,
  PaymentPage,
  PaymentSearch,
  Refund,
  RefundRequest,
  Revoke,
  RevokedAccess,
  Subscription,
  SubscriptionChange,
  SubscriptionPage,
  SubscriptionSearch,
  User,
} from './types.ts'
import { requireFiltersSet, requireLimitsSet } from './unset.ts'

/** Proxies refuse URLs that are much longer. */
const MAX_QUERY = 4_000

export interface RequestOptions {
  /** Milliseconds to wait for a response, instead of those of the client. */
  timeout?: number
  /** Whether the request may be sent a second time after a failure; by default only a GET may. */
  isRepeatable?: boolean
  /** Whether the parameters are sent as a form instead of in the query; only for a POST. */
  inBody?: boolean
}

type Parameters = Readonly<Record<string, ParameterValue>>

/** A client for the access API of one application in one environment. Names match the API. */
export class Gatehouse {
  readonly #options: CheckedOptions
  /** How far the service's clock is ahead of this one, in seconds, as far as it matters. */
  #clockOffset = 0

  /** Throws an `OptionsError` that names every option that is missing or wrong. */
  constructor(options: GatehouseOptions) {
    this.#options = checkOptions(options)
  }

  /** Returns the live access of a user to a resource; throws `NotFoundError` if there is none. */
  getAccess(query: AccessQuery): Promise<AccessDetails> {
    return this.request('GET', '/r2/access', query)
  }

  /** Like `getAccess`, but returns undefined if there is none. */
  async findAccess(query: AccessQuery): Promise<AccessDetails | undefined> {
    try {
      return await this.getAccess(query)
    } catch (error) {
      if (error instanceof NotFoundError && error.code === 'access_not_found') return undefined
      throw error
    }
  }

  /** Whether this user has live access to this resource. */
  async hasAccess(query: Omit<AccessQuery, 'show_expired'>): Promise<boolean> {
    return (await this.findAccess(query)) !== undefined
  }

  /** Says for each resource whether this reader may see it, and why: look at `granted` of each check, since the response
   * is a success also if the answer is no. Takes up to 1,000 rids. */
  async checkAccess(question: CheckQuestion, options: RequestOptions = {}): Promise<AccessChecks> {
    const { rids, ...rest } = question
    const bad = rids.find((rid) => rid === '' || /\s/.test(rid))
    // The service would take a name with a space for two names.
    if (bad !== undefined) throw new TypeError(`not a rid: ${JSON.stringify(bad)}`)
    const parameters = { ...rest, rids: rids.join(' ') }
    const isShort = rids.length <= 100 && encodeParameters(parameters).length <= MAX_QUERY
    if (isShort) return await this.request('GET', '/r2/access/check', parameters, options)
    const post = { isRepeatable: true, ...options, inBody: true }
    return await this.request('POST', '/r2/access/check', parameters, post)
  }

  /** Yields everything that a reader may see, by rid, fetching page by page. */
  async *listEntitlements(query: Omit<EntitlementQuery, 'cursor'>): AsyncGenerator<Entitlement> {
    let cursor: string | undefined
    do {
      const next = cursor === undefined ? query : { ...query, cursor }
      const page: EntitlementPage = await this.request('GET', '/r2/access/list', next)
      yield* page.data
      cursor = page.more ? page.cursor : undefined
    } while (cursor !== undefined)
  }

  searchAccess(search: AccessSearch = {}): Promise<AccessPage> {
    return this.request('GET', '/r2/access/search', search)
  }

  /** Yields all matches, newest first, fetching page by page. */
  async *listAccess(search: Omit<AccessSearch, 'page'> = {}): AsyncGenerator<AccessDetails> {
    for (let page = 0; ; page++) {
      const { data, pagesize, total } = await this.searchAccess({ ...search, page })
      yield* data
      if ((page + 1) * pagesize >= total) return
    }
  }

  grantAccess(grant: Grant): Promise<AccessDetails> {
    return this.#write('/r2/access/grant', grant)
  }

  revokeAccess(revoke: Revoke): Promise<RevokedAccess> {
    return this.#write('/r2/access/revoke', revoke)
  }

  searchSubscriptions(search: SubscriptionSearch = {}): Promise<SubscriptionPage> {
    return this.request('GET', '/r2/subscription/search', search)
  }

  /** Stops the renewal; access continues until the end of the paid period. */
  cancelSubscription(named: SubscriptionChange): Promise<Subscription> {
    return this.#write('/r2/subscription/cancel', named)
  }

  /** Reverts a cancellation, before the end of the period. */
  resumeSubscription(named: SubscriptionChange): Promise<Subscription> {
    return this.#write('/r2/subscription/resume', named)
  }

  /** Returns a link to a page where the reader changes the card, cancels or resumes. Give it to that reader only. */
  getManageLink(named: NamedSubscription): Promise<ManageLink> {
    return this.request('GET', '/r2/subscription/manage', named)
  }

  /** Returns the events after a cursor, oldest first. Store the `cursor` of the page once you have handled all of it, or
   * that of an event in `cursors`. To follow events for good, use `followEvents`. */
  searchEvents(search: EventSearch = {}): Promise<EventPage> {
    return this.request('GET', '/r2/event/search', search)
  }

  /** Yields the events after a cursor, each with the cursor after it, until there is none left. Once you have handled an
   * event, its cursor is where to go on. */
  async *listEvents(search: EventSearch = {}): AsyncGenerator<{ event: Event; cursor: string }> {
    for (let after = search.after; ; ) {
      const next = after === undefined ? search : { ...search, after }
      const page = await this.searchEvents(next)
      for (const [i, event] of page.data.entries()) {
        yield { event, cursor: cursorAfter(page, i) }
      }
      if (!page.more) return
      after = page.cursor
    }
  }

  /** Handles each event at least once, those that there are and those to come, until the `signal` is aborted. It keeps its
   * place with `load` and `save`, and outlives outages: see `FollowOptions`. */
  followEvents(options: FollowOptions): Promise<void> {
    return followEvents(this, options)
  }

  /** Sends the events of a time range to a webhook endpoint again. With `preview: true` it only counts them. */
  replayEvents(replay: EventReplayRequest): Promise<EventReplay> {
    return this.#write('/r2/event/replay', replay)
  }

  searchPayments(search: PaymentSearch = {}): Promise<PaymentPage> {
    return this.request('GET', '/r2/payment/search', search)
  }

  /** Refunds a payment, either part of it or all that is left. The service makes one refund for each reference, and one
   * for each idempotency key. */
  refundPayment(refund: RefundRequest): Promise<Refund> {
    return this.#write('/r2/payment/refund', refund)
  }

  /** Returns the download of a resource; throws `NotFoundError` if nothing is published. */
  getDownload(query: DownloadQuery): Promise<Download> {
    return this.request('GET', '/r2/download/', query)
  }

  /** Returns a link to the file that works for anyone who has it. Pass `lifetime`, `expiration` (or its alias
   * `expires`), or both. */
  getDownloadUrl(query: DownloadUrlQuery): Promise<DownloadUrl> {
    return this.request('GET', '/r2/downloads/url', query)
  }

  /** Returns the current time of the sandbox. */
  getClock(): Promise<Clock> {
    return this.request('GET', '/r2/clock')
  }

  /** Moves the sandbox clock forward and runs everything that falls due on the way. */
  advanceClock(step: ClockStep): Promise<Clock> {
    return this.#write('/r2/clock/advance', step)
  }

  async getUser(uid: string): Promise<User> {
    return await this.request('GET', `/r2/user/${encodeText('uid', uid)}`)
  }

  /** Returns the URL of a page where a reader buys access on these terms. Makes no request. */
  purchaseLink(link: PurchaseLink): Promise<string> {
    return makePurchaseLink(this.#options, link)
  }

  /** Reads the URL (path and query are enough) to which a buyer was sent back; throws `ReturnError` if the service did
   * not sign it. Makes no request. */
  readReturn(url: string | UrlLike, expected: ExpectedReturn = {}): Promise<PaidReturn> {
    return readReturnUrl(this.#options.privateKey, url, expected)
  }

  /** Sends a write under an idempotency key, so that it can be retried, and dates each attempt. If this machine's clock
   * is wrong, it uses that of the service from then on. */
  async #write<Answer>(path: string, parameters: Parameters): Promise<Answer> {
    const { idempotency_key: key = crypto.randomUUID() } = parameters
    const { now, timeout, fetch } = this.#options
    const sending = {
      sign: () => {
        const ts = Math.floor(now() / 1000) + this.#clockOffset
        return this.#sign('POST', path, { ...parameters, idempotency_key: key, ts })
      },
      ...{ fetch, timeout, maxAttempts: MAX_WRITE_ATTEMPTS },
    }
    try {
      return await send<Answer>(sending)
    } catch (error) {
      const isLate = error instanceof ApiError && error.code === 'ts_out_of_range'
      if (!isLate || error.serviceTime === undefined) throw error
      this.#clockOffset = error.serviceTime - Math.floor(now() / 1000)
      return await send<Answer>(sending)
    }
  }

  /** Signs and sends any request. The parameters go into the query, for POST too, unless `inBody` is set. Nothing is
   * added to them. */
  async request<Answer>(
    method: 'GET' | 'POST',
    path: string,
    parameters: Parameters = {},
    options: RequestOptions = {},
  ): Promise<Answer> {
    const { timeout, fetch } = this.#options
    const isRepeatable = options.isRepeatable ?? method === 'GET'
    return await send<Answer>({
      sign: () => this.#sign(method, path, parameters, options.inBody),
      fetch,
      timeout: options.timeout ?? timeout,
      maxAttempts: isRepeatable ? MAX_READ_ATTEMPTS : 1,
    })
  }

  async #sign(
    method: string,
    path: string,
    parameters: Parameters,
    inBody = false,
  ): Promise<SignedRequest> {
    const { baseUrl, aid, privateKey } = this.#options
    if (method === 'GET') requireFiltersSet(parameters)
    else requireLimitsSet(parameters)
    const encoded = encodeParameters(parameters)
    const body = inBody ? encoded : ''
    const target = encoded === '' || inBody ? path : `${path}?${encoded}`
    const signature = await sign(privateKey, signedString(method, target, body))
    return {
      ...{ method, url: baseUrl + target },
      headers: {
        Authorization: `${aid}:${signature}`,
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(body && { body }),
    }
  }
}
