import { readAnswer } from './answers.ts'
import type { components, operations } from './api.ts'
import { ConnectionError, NotFoundError } from './errors.ts'
import {
  type ExpectedReturn,
  makePurchaseLink,
  type PaidReturn,
  type PurchaseLink,
  readReturnUrl,
} from './links.ts'
import { encodeParameters, type ParameterValue, sign, signedString } from './signing.ts'

export type AccessDetails = components['schemas']['AccessDetails']
export type AccessPage = components['schemas']['AccessPage']
export type RevokedAccess = components['schemas']['RevokedAccess']
export type Refund = components['schemas']['Refund']
export type Subscription = components['schemas']['Subscription']
export type SubscriptionPage = components['schemas']['SubscriptionPage']
export type Payment = components['schemas']['Payment']
export type PaymentPage = components['schemas']['PaymentPage']
export type ManageLink = components['schemas']['ManageLink']
export type Download = components['schemas']['Download']
export type DownloadUrl = components['schemas']['DownloadUrl']
export type Clock = components['schemas']['Clock']
export type User = components['schemas']['User']

type Query<Operation extends keyof operations> = NonNullable<
  operations[Operation]['parameters']['query']
>
export type AccessQuery = Query<'getAccess'>
export type AccessSearch = Query<'searchAccess'>
export type Grant = Query<'grantAccess'>
export type Revoke = Query<'revokeAccess'>
export type SubscriptionSearch = Query<'searchSubscriptions'>
export type NamedSubscription = Query<'cancelSubscription'>
export type PaymentSearch = Query<'searchPayments'>
/** A part of a payment needs a reference, so that a repeated request does not refund twice. */
export type RefundWish = Omit<Query<'refundPayment'>, 'amount' | 'reference'> &
  ({ amount?: never; reference?: string } | { amount: string; reference: string })
export type DownloadQuery = Query<'getDownload'>
export type DownloadUrlWish = Query<'getDownloadUrl'>
export type ClockStep = Query<'advanceClock'>

export interface GatehouseOptions {
  /** The address of the environment: `https://access.example.com`, or the same with `/sandbox`. */
  baseUrl: string
  aid: string
  privateKey: string
  /** Milliseconds to wait for an answer; 30 seconds unless set. */
  timeout?: number
  /** Stands in for the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** The access API of one application in one environment. Names are those of the interface. */
export class Gatehouse {
  readonly #options: GatehouseOptions & { timeout: number }

  constructor(options: GatehouseOptions) {
    const baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.#options = { ...options, baseUrl, timeout: options.timeout ?? 30_000 }
  }

  /** The live access of a user to a resource; `NotFoundError` if there is none. */
  getAccess(query: AccessQuery): Promise<AccessDetails> {
    return this.request('GET', '/r2/access', query)
  }

  /** The same, but undefined if there is none. */
  async findAccess(query: AccessQuery): Promise<AccessDetails | undefined> {
    try {
      return await this.getAccess(query)
    } catch (error) {
      if (error instanceof NotFoundError && error.code === 'access_not_found') return undefined
      throw error
    }
  }

  /** May this user see this resource? */
  async hasAccess(query: Omit<AccessQuery, 'show_expired'>): Promise<boolean> {
    return (await this.findAccess(query)) !== undefined
  }

  searchAccess(search: AccessSearch = {}): Promise<AccessPage> {
    return this.request('GET', '/r2/access/search', search)
  }

  /** All matches, page after page, newest first. */
  async *listAccess(search: Omit<AccessSearch, 'page'> = {}): AsyncGenerator<AccessDetails> {
    for (let page = 0; ; page++) {
      const { data, pagesize, total } = await this.searchAccess({ ...search, page })
      yield* data
      if ((page + 1) * pagesize >= total) return
    }
  }

  grantAccess(grant: Grant): Promise<AccessDetails> {
    return this.request('POST', '/r2/access/grant', grant)
  }

  revokeAccess(revoke: Revoke): Promise<RevokedAccess> {
    return this.request('POST', '/r2/access/revoke', revoke)
  }

  searchSubscriptions(search: SubscriptionSearch = {}): Promise<SubscriptionPage> {
    return this.request('GET', '/r2/subscription/search', search)
  }

  /** Stops its renewal; access goes on to the end of the paid period. */
  cancelSubscription(named: NamedSubscription): Promise<Subscription> {
    return this.request('POST', '/r2/subscription/cancel', named)
  }

  /** Takes a cancellation back, before the end of the period. */
  resumeSubscription(named: NamedSubscription): Promise<Subscription> {
    return this.request('POST', '/r2/subscription/resume', named)
  }

  /** A page where the reader changes the card, cancels or resumes; for its reader alone. */
  getManageLink(named: NamedSubscription): Promise<ManageLink> {
    return this.request('GET', '/r2/subscription/manage', named)
  }

  searchPayments(search: PaymentSearch = {}): Promise<PaymentPage> {
    return this.request('GET', '/r2/payment/search', search)
  }

  /** Pays back all that is left of a payment, or part of it. */
  refundPayment(refund: RefundWish): Promise<Refund> {
    return this.request('POST', '/r2/payment/refund', refund)
  }

  /** What a resource has to download; `NotFoundError` if nothing is published. */
  getDownload(query: DownloadQuery): Promise<Download> {
    return this.request('GET', '/r2/download/', query)
  }

  /** A link to the file, for whoever has it; give `lifetime`, `expiration` (or `expires`, which means the same), or both. */
  getDownloadUrl(wish: DownloadUrlWish): Promise<DownloadUrl> {
    return this.request('GET', '/r2/downloads/url', wish)
  }

  /** What time it is in the sandbox. */
  getClock(): Promise<Clock> {
    return this.request('GET', '/r2/clock')
  }

  /** Moves the sandbox's clock forward, and with it everything that falls due on the way. */
  advanceClock(step: ClockStep): Promise<Clock> {
    return this.request('POST', '/r2/clock/advance', step)
  }

  getUser(uid: string): Promise<User> {
    return this.request('GET', `/r2/user/${encodeURIComponent(uid)}`)
  }

  /** The address of a page where a reader buys access on these terms. Nothing is sent for it. */
  purchaseLink(link: PurchaseLink): Promise<string> {
    return makePurchaseLink(this.#options, link)
  }

  /** What the address says that a buyer came back with (path and query are enough); `ReturnError` if it
   * is not the service's word. Nothing is sent for it. */
  readReturn(url: string | URL, expected: ExpectedReturn = {}): Promise<PaidReturn> {
    return readReturnUrl(this.#options.privateKey, url, expected)
  }

  /** Signs and sends any call; parameters travel in the query, for POST too. */
  async request<Answer>(
    method: 'GET' | 'POST',
    path: string,
    parameters: Readonly<Record<string, ParameterValue>> = {},
  ): Promise<Answer> {
    const { baseUrl, aid, privateKey } = this.#options
    const query = encodeParameters(parameters)
    const target = query === '' ? path : `${path}?${query}`
    const signature = await sign(privateKey, signedString(method, target))
    const answer = await this.#send(baseUrl + target, {
      method,
      headers: { Authorization: `${aid}:${signature}`, Accept: 'application/json' },
      redirect: 'error',
    })
    return await readAnswer<Answer>(answer)
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const { timeout, fetch = globalThis.fetch } = this.#options
    try {
      return await fetch(url, { ...init, signal: AbortSignal.timeout(timeout) })
    } catch (error) {
      throw new ConnectionError('Gatehouse could not be reached.', { cause: error })
    }
  }
}
