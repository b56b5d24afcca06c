import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import type { Millis } from '../../db/tables.ts'
import { isMailed } from '../../domain/mail/outbox.ts'
import {
  type CheckoutState,
  findAccessOf,
  findShownEnd,
  readCheckoutState,
} from '../../domain/payments/checkout/checkout-state.ts'
import {
  type CheckoutRow,
  getCheckout,
  getCheckoutById,
  recreateWithoutTrial,
} from '../../domain/payments/checkout/checkouts.ts'
import { refreshCheckout } from '../../domain/payments/checkout/poll-checkouts.ts'
import { isReturnAllowed } from '../../domain/payments/checkout/purchase-link.ts'
import { ProviderError } from '../../domain/payments/provider-error.ts'
import { findReadersSubscription } from '../../domain/subscriptions/subscriptions.ts'
import { requireLinkNotEnded } from '../../domain/users/reader-links.ts'
import { keyFingerprint, signReturn } from '../../signing/links.ts'
import { requireOwnForm } from '../pages/form.ts'
import { sendPage } from '../pages/page.ts'
import { providerPageUrl, startAtProvider } from './buy.ts'
import {
  type CheckoutPageData,
  endedPage,
  expiredPage,
  notPaidPage,
  waitingPage,
} from './done-page.ts'
import { loadFiles, NO_FILES } from './files.ts'
import type { CheckoutLimits } from './limits.ts'
import { outcomePage } from './outcome-page.ts'
import { loadSubject } from './subject.ts'

type Route = { Params: { id: string }; Querystring: { gave_up?: string; looks?: string } }

/** Routes of the page to which the payer returns from the provider's page. */
export function doneRoutes(app: FastifyInstance, env: Environment, limits: CheckoutLimits): void {
  app.get<Route>('/checkout/done/:id', async (request, reply) => {
    const { params, query } = request
    const { checkout, isKnown } = await refreshThrottled(env, limits, params.id)
    const data = await loadPageData(env, checkout, request)
    if (hasPageEnded(env, checkout)) return sendPage(env, reply, 410, endedPage(data))
    await requireCardLink(env, checkout)
    const gaveUp = query.gave_up !== undefined && isKnown
    const state = await readCheckoutState(env.database.read, checkout, env.clock())
    const next =
      checkout.purpose === 'card'
        ? await newManageUrl(env, checkout, gaveUp)
        : await signedReturnUrl(env, data, state)
    if (next !== undefined) return reply.redirect(next, 303)
    if (state.kind === 'expired') return sendPage(env, reply, 410, expiredPage(data))
    if (state.kind !== 'open') {
      const files = await filesOf(env, checkout, state)
      return sendPage(env, reply, 200, outcomePage({ ...data, files }, state))
    }
    if (gaveUp) return sendPage(env, reply, 200, notPaidPage(data))
    return sendPage(env, reply, 200, waitingPage(data, parseReloads(query.looks)))
  })

  /** Redirects to the provider's page again: for a checkout that is still open, or for the same purchase
   * without the trial that was refused. */
  app.post<Route>(
    '/checkout/done/:id',
    { onRequest: [requireOwnForm(env), limits.countForm] },
    async (request, reply) => {
      const { params } = request
      const { checkout, isThrottled } = await refreshThrottled(env, limits, params.id)
      await requireCardLink(env, checkout)
      const { kind } = await readCheckoutState(env.database.read, checkout, env.clock())
      const hasNext = kind === 'open' || kind === 'trial_used'
      if (hasPageEnded(env, checkout) || !hasNext || isThrottled) return reply.redirect('?', 303)
      if (kind === 'open') {
        limits.countProviderCall()
        return reply.redirect(await providerPageUrl(env, checkout), 303)
      }
      const start = async () =>
        await startAtProvider(env, await recreateWithoutTrial(env, checkout))
      return reply.redirect(await limits.begin(request, start), 303)
    },
  )
}

/** The address of the page stays in histories of browsers, and it leads to the files that were bought. */
const PAGE_ENDS_AFTER_SECONDS = 30 * 86_400

const hasPageEnded = ({ clock }: Environment, { paid }: CheckoutRow) =>
  paid !== null && clock() >= paid + PAGE_ENDS_AFTER_SECONDS

const parseReloads = (looks: string | undefined) =>
  /^\d{1,3}$/.test(looks ?? '') ? Number(looks) : 0

const WINDOW_MS = 10_000
const MAX_IN_WINDOW = 10
const MAX_REMEMBERED = 10_000
const recentRequests = new Map<string, { since: Millis; count: number }>()

/** Throttles provider requests per checkout, so that reloading its page can't flood the provider. */
function mayAskProvider(id: string, realTime: Millis): boolean {
  const known = recentRequests.get(id)
  if (known && realTime - known.since < WINDOW_MS) return ++known.count <= MAX_IN_WINDOW
  if (recentRequests.size >= MAX_REMEMBERED) recentRequests.clear()
  recentRequests.set(id, { since: realTime, count: 1 })
  return true
}

/** Updates a checkout from the provider and returns it. Returns the stored state with `isThrottled`, and with
 * `isKnown: false` if the provider can't be reached. */
async function refreshThrottled(env: Environment, limits: CheckoutLimits, id: string) {
  const checkout = await getCheckoutById(env.database.read, id)
  // The provider is also asked about an expired checkout: its page may have been paid before it closed.
  const isFinal = checkout.status === 'paid' || checkout.provider_ref === null
  const isThrottled = !isFinal && !(mayAskProvider(id, env.realTime()) && limits.mayCallProvider())
  if (isThrottled) return { checkout, isKnown: true, isThrottled }
  try {
    return { checkout: await refreshCheckout(env, checkout), isKnown: true, isThrottled }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const stored = await getCheckout(env.database.read, checkout)
    return { checkout: stored, isKnown: false, isThrottled }
  }
}

async function loadPageData(
  env: Environment,
  checkout: CheckoutRow,
  request: FastifyRequest,
): Promise<CheckoutPageData> {
  const { aid, rid, resource_name, resource_url, payment_id } = checkout
  const { read } = env.database
  const { resource, ...subject } = await loadSubject(env, checkout, request)
  return {
    ...subject,
    checkout,
    title: resource?.name ?? resource_name ?? rid,
    url: resource?.url ?? resource_url ?? '',
    isMailed: await isMailed(read, aid, `receipt:${payment_id}`),
    sendsMail: env.delivery === 'queued',
    ends: await findShownEnd(read, checkout),
    files: NO_FILES,
  }
}

/** Finds the files that the purchase opens. A purchase that opened nothing shows none, even if the address that was
 * typed has access. */
async function filesOf(env: Environment, checkout: CheckoutRow, { kind }: CheckoutState) {
  const isOpen = kind === 'granted' || kind === 'disputed'
  const access = isOpen ? await findAccessOf(env.database.read, checkout) : undefined
  return await loadFiles(env, access, checkout.link_number)
}

/** Long enough to return from a bank's page. After that, a signed "just paid" would no longer be true. */
const RETURN_WITHIN_SECONDS = 900

/** Returns the application's return URL, signed to confirm that the buyer has paid. It is signed only while the
 * payment grants access. */
async function signedReturnUrl(
  env: Environment,
  { checkout, app }: CheckoutPageData,
  { kind }: CheckoutState,
): Promise<string | undefined> {
  const { id, rid, paid, user_ref, return_url } = checkout
  if (kind !== 'granted') return undefined
  const isFresh = paid !== null && env.clock() < paid + RETURN_WITHIN_SECONDS
  if (!isFresh || return_url === null || !isReturnAllowed(app, return_url)) return undefined
  const key = await findSigningKey(env, checkout)
  if (key === undefined) return undefined
  return signReturn(key, return_url, {
    status: 'paid',
    checkout: id,
    rid,
    ...(user_ref === null ? {} : { user_ref }),
    time: Math.floor(env.realTime() / 1000),
    // An application may have several sites; the confirmation is valid for this one only.
    origin: new URL(return_url).origin,
  })
}

/** Returns the key that signed the link, or else the newest; undefined if the application was archived meanwhile. */
async function findSigningKey(
  { keyring }: Environment,
  { aid, key_mark }: CheckoutRow,
): Promise<string | undefined> {
  await keyring.refreshIfStale()
  // Another process may have created the key a moment ago.
  if (keyring.keysOf(aid).length === 0) await keyring.refresh()
  const keys = keyring.keysOf(aid)
  return keys.find((key) => keyFingerprint(key) === key_mark) ?? keys[0]
}

/** Refuses the page of a change of card once the link that led to it was ended: otherwise it would lead to a new one. */
async function requireCardLink(
  { database }: Environment,
  { aid, subscription_id, purpose, link_number }: CheckoutRow,
): Promise<void> {
  if (purpose !== 'card' || subscription_id === null) return
  const subscription = await findReadersSubscription(database.read, subscription_id, aid)
  if (subscription) requireLinkNotEnded(link_number, subscription.link_number)
}

/** Lifetime of the manage link that the reader gets when coming back from the card page. */
const MANAGE_AGAIN_SECONDS = 3_600

/** Returns a new link to the manage page of the subscription whose card was changed; undefined while the change is under
 * way, and once the checkout has expired. The provider sends readers back to the checkout's URL, so it never sees a
 * manage link. */
async function newManageUrl(
  env: Environment,
  { aid, status, expires, subscription_id, link_number }: CheckoutRow,
  gaveUp: boolean,
): Promise<string | undefined> {
  const now = env.clock()
  const isUnderWay = status === 'open' && !gaveUp
  if (isUnderWay || subscription_id === null || now >= expires) return undefined
  const until = Math.min(now + MANAGE_AGAIN_SECONDS, expires)
  const subscription = { aid, id: subscription_id, linkNumber: link_number }
  const url = await env.manageLink(subscription, now, until - now)
  return status === 'paid' ? `${url}?notice=card` : url
}
