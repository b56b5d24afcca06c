import { ApiError, ConnectionError } from '../errors.ts'
import type { PurchaseLink } from '../links.ts'
import { isCloudflare } from '../runtime.ts'
import type { AccessCheck, AccessChecks } from '../types.ts'
import { AnswerCache, type KnownAnswer } from './cache.ts'
import { type Decision, withoutAnswer } from './decision.ts'
import { type CheckedGateOptions, checkGateOptions, type GateOptions } from './gate-options.ts'

/** Your own id of a reader; nothing if nobody is signed in. */
export type UserRef = string | number | null | undefined

/** The terms of a purchase link besides the resource and the reader. */
export type PurchaseTerms = Omit<Partial<PurchaseLink>, 'user_ref'>

export interface Question {
  userRef: UserRef
  rid: string
  /** Goes into `checkoutUrl`: where the buyer returns to, their email address, or a price. */
  purchase?: PurchaseTerms | undefined
  /** Asks the service even if the answer is known. */
  isFresh?: boolean
}

/** How long known answers are used without asking again after a failed check. */
const BACKOFF_MS = 5_000

/** Decides who may see what. It caches answers, and falls back on them while the service can't be reached. */
export class Gate {
  readonly #options: CheckedGateOptions
  readonly #cache: AnswerCache
  readonly #inFlight = new Map<string, Promise<KnownAnswer>>()

  constructor(options: GateOptions) {
    this.#options = checkGateOptions(options)
    this.#cache = new AnswerCache(this.#options.maxEntries)
  }

  /** Decides whether a reader may see a resource. Throws only if the question or the configuration is wrong: an outage
   * is a decision too. */
  async decide(question: Question): Promise<Decision> {
    const { rid, userRef } = readQuestion(question)
    if (userRef === undefined) return withoutAnswer('anonymous', false, { rid, userRef })
    // A rid is never empty and has no spaces; the service would read it as several rids.
    if (rid === '' || /\s/.test(rid)) return withoutAnswer('never_granted', false, { rid, userRef })
    const key = keyOf(userRef, rid)
    const now = this.#options.now()
    const known = this.#cache.find(key)
    if (known && !question.isFresh && now < known.freshUntil) {
      return await this.#toDecision(known.check, userRef, question, false)
    }
    if (known && now < known.backoffUntil && now < known.staleUntil) {
      return await this.#toDecision(known.check, userRef, question, true)
    }
    return await this.#decideByAsking(question, rid, userRef)
  }

  /** Forgets what is known about a reader and a resource: the next decision asks the service. */
  forget(userRef: string | number, rid: string): void {
    this.#cache.forget(keyOf(String(userRef), rid))
  }

  async #decideByAsking(question: Question, rid: string, userRef: string): Promise<Decision> {
    try {
      const { check } = await this.#askOnce(rid, userRef, question.isFresh ?? false)
      return await this.#toDecision(check, userRef, question, false)
    } catch (error) {
      if (!isOutage(error)) throw error
      this.#options.onError(error)
      const now = this.#options.now()
      const known = this.#cache.find(keyOf(userRef, rid))
      if (known && now < known.staleUntil) {
        known.backoffUntil = now + BACKOFF_MS
        return await this.#toDecision(known.check, userRef, question, true)
      }
      const isOpen = this.#options.whenUnavailable === 'open'
      return withoutAnswer('unavailable', isOpen, { rid, userRef })
    }
  }

  /** Makes one request for all callers that ask the same question at the same time. */
  async #askOnce(rid: string, userRef: string, isFresh: boolean): Promise<KnownAnswer> {
    // In Cloudflare's runtime a request must not wait for the response to another one. And a check that began before
    // the purchase does not know of it.
    if (isFresh || isCloudflare()) return await this.#ask(rid, userRef)
    const key = keyOf(userRef, rid)
    const running = this.#inFlight.get(key)
    if (running) return await running
    const asked = this.#ask(rid, userRef).finally(() => this.#inFlight.delete(key))
    this.#inFlight.set(key, asked)
    return await asked
  }

  async #ask(rid: string, userRef: string): Promise<KnownAnswer> {
    const { gatehouse, timeout, now } = this.#options
    // The answer is at least as old as the question.
    const askedAt = now()
    const answer = await gatehouse.checkAccess({ user_ref: userRef, rids: [rid] }, { timeout })
    const known = this.#toKnown(answer, checkOf(answer, rid), askedAt)
    this.#cache.store(keyOf(userRef, rid), known)
    return known
  }

  /** Converts times by the service's own clock, because the sandbox's clock can be moved. */
  #toKnown({ now }: AccessChecks, check: AccessCheck, askedAt: number): KnownAnswer {
    const { cacheFor, cacheRefusalsFor, staleIfError } = this.#options
    // `now` is cut to whole seconds: up to a second of what is left may have passed.
    const timeTo = (at = Number.POSITIVE_INFINITY) => Math.max(0, at - now - 1) * 1000
    const fresh = Math.min(check.granted ? cacheFor : cacheRefusalsFor, timeTo(check.next_change))
    const end = check.granted ? check.until : check.next_change
    return {
      check,
      freshUntil: askedAt + fresh,
      staleUntil: askedAt + Math.min(Math.max(staleIfError, fresh), timeTo(end)),
      backoffUntil: 0,
    }
  }

  async #toDecision(
    check: AccessCheck,
    userRef: string,
    { purchase }: Question,
    stale: boolean,
  ): Promise<Decision> {
    const { rid, granted, code, until, since, via, offers } = check
    const checkoutUrl = granted ? undefined : await this.#makeLink(check, userRef, purchase)
    return { granted, code, rid, userRef, offers, checkoutUrl, until, since, via, stale }
  }

  /** The resource itself if it is for sale, or else the first pass that opens it. */
  async #makeLink(
    { rid, offers }: AccessCheck,
    userRef: string,
    purchase: PurchaseTerms = {},
  ): Promise<string | undefined> {
    const offered = offers.find((offer) => offer.rid === rid) ?? offers[0]
    const sold = purchase.rid ?? (purchase.amount === undefined ? offered?.rid : rid)
    if (sold === undefined) return undefined
    const terms = { ...purchase, rid: sold, user_ref: userRef }
    return await this.#options.gatehouse.purchaseLink(terms)
  }
}

/** Creates a gate: one for the whole site is enough. */
export const createGate = (options: GateOptions): Gate => new Gate(options)

function readQuestion({ rid, userRef }: Question): { rid: string; userRef: string | undefined } {
  if (typeof rid !== 'string') throw new TypeError('rid must be a string')
  const isAnonymous = userRef === undefined || userRef === null || userRef === ''
  return { rid, userRef: isAnonymous ? undefined : String(userRef) }
}

/** The cache key of a reader and a resource. No two pairs have the same key. */
const keyOf = (userRef: string, rid: string) => `${userRef.length}:${userRef}${rid}`

/** Returns the check of the resource; throws if the response has no clear yes or no for it. */
function checkOf(answer: AccessChecks, rid: string): AccessCheck {
  const [check] = answer?.checks ?? []
  if (check?.rid === rid && typeof check.granted === 'boolean') return check
  throw new ConnectionError('What came back is not an answer of Gatehouse.', {
    reason: 'unreadable',
  })
}

/** Whether the service is unavailable. A wrong key or a wrong address is no outage: the site must notice it at once. */
function isOutage(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reason !== 'redirected'
  return error instanceof ApiError && (error.status >= 500 || error.status === 429)
}
