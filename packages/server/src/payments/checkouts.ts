import { sql } from 'kysely'
import { getApplication } from '../apps/applications.ts'
import type { Db, Trx } from '../db/database.ts'
import type { CheckoutTable, Millis, Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { newOrderedId, newUid } from '../ids.ts'
import type { Terms } from '../resources/prices.ts'
import { findResources } from '../resources/resources.ts'
import { findOpenSubscription, getSubscription } from '../subscriptions/subscriptions.ts'
import { requireBuyer } from '../users/buyer.ts'
import { checkoutOrderOf } from './checkout-orders.ts'
import { type Desk, requireProvider } from './desk.ts'
import { termsFor, uidOf } from './terms.ts'

export type CheckoutRow = CheckoutTable

/** Time to fetch the card; the pages of Stripe live for a day at most. */
const CHECKOUT_LIFE: Seconds = 23 * 3600
/** So long after the payer has left for the provider's page we look what became of it, unless an event
 * tells. */
export const FIRST_LOOK_MS: Millis = 60_000

export interface CheckoutWish {
  aid: string
  rid: string
  /** What the buyer was shown and agreed to. */
  terms: Terms
  /** For a resource that may not exist yet, as a signed link names it. */
  resource?: { name: string; url: string } | undefined
  userRef?: string | undefined
  vouchedEmail?: string | undefined
  typedEmail?: string | undefined
  firstName: string
  lastName: string
  returnUrl?: string | undefined
  keyMark?: string | undefined
  linkMark?: string | undefined
}

/** The beginning of a purchase. What can be refused is refused here, before anybody pays; but a typed
 * address tells nothing about its person, except that there is no free trial with it. */
export async function openCheckout(desk: Desk, wish: CheckoutWish): Promise<CheckoutRow> {
  const { aid, rid } = wish
  const provider = requireProvider(desk)
  const now = desk.clock()
  const key = await desk.linkKey()
  return await desk.database.write(async (trx) => {
    if ((await getApplication(trx, aid)).archived !== null) throw fail('application_not_found')
    const [resource] = await findResources(trx, aid, [rid])
    if (!resource && !wish.resource) throw fail('resource_not_found')
    if (resource && resource.archived !== null) throw fail('resource_archived')
    await requireUnused(trx, wish.linkMark)
    await requireBuyer(trx, buyerIn(wish))
    await requireNotSubscribed(trx, wish)
    const { amount, currency, recurring, period, trial_days } = wish.terms
    // The terms never change behind the buyer's back: new ones are shown and agreed to first.
    if ((await termsFor(trx, key, wish, wish.terms)).trial_days !== trial_days) {
      throw fail('trial_used')
    }
    return await insertCheckout(trx, {
      ...blankCheckout(aid, rid, provider.name, now),
      resource_name: wish.resource?.name ?? null,
      resource_url: wish.resource?.url ?? null,
      amount,
      currency,
      recurring,
      period,
      trial_days,
      user_ref: wish.userRef ?? null,
      vouched_email: wish.vouchedEmail ?? null,
      typed_email: wish.typedEmail ?? null,
      first_name: wish.firstName,
      last_name: wish.lastName,
      return_url: wish.returnUrl ?? null,
      key_mark: wish.keyMark ?? null,
      link_mark: wish.linkMark ?? null,
    })
  })
}

/** The same purchase without its trial, which was refused when the checkout was completed. */
export async function openWithoutTrial(desk: Desk, refused: CheckoutRow): Promise<CheckoutRow> {
  const { user_ref, vouched_email, typed_email, resource_name, resource_url } = refused
  // A person who was erased meanwhile is in none of the fields.
  const isNamed = (user_ref ?? vouched_email ?? typed_email) !== null
  if (!isNamed || refused.expires <= desk.clock()) throw fail('checkout_not_found')
  const { amount, currency, recurring, period } = refused
  return await openCheckout(desk, {
    aid: refused.aid,
    rid: refused.rid,
    terms: { amount, currency, recurring, period, trial_days: 0 },
    resource: resource_name === null ? undefined : { name: resource_name, url: resource_url ?? '' },
    userRef: user_ref ?? undefined,
    vouchedEmail: vouched_email ?? undefined,
    typedEmail: typed_email ?? undefined,
    firstName: refused.first_name,
    lastName: refused.last_name,
    returnUrl: refused.return_url ?? undefined,
    keyMark: refused.key_mark ?? undefined,
    linkMark: refused.link_mark ?? undefined,
  })
}

/** A new card for a subscription; its address leads back to it, but no longer than the link that led here. */
export async function openCardChange(
  desk: Desk,
  aid: string,
  subscriptionId: string,
  until: Seconds,
): Promise<CheckoutRow> {
  const provider = requireProvider(desk)
  const now = desk.clock()
  return await desk.database.write(async (trx) => {
    const row = await getSubscription(trx, subscriptionId, aid)
    if (row.status === 'ended') throw fail('subscription_not_found')
    return await insertCheckout(trx, {
      ...blankCheckout(aid, row.rid, provider.name, now),
      purpose: 'card',
      amount: row.amount,
      currency: row.currency,
      recurring: 1,
      period: row.period,
      subscription_id: row.id,
      expires: Math.min(now + CHECKOUT_LIFE, until),
    })
  })
}

async function insertCheckout(trx: Trx, row: CheckoutRow): Promise<CheckoutRow> {
  await trx.insertInto('checkouts').values(row).execute()
  return row
}

export function blankCheckout(
  aid: string,
  rid: string,
  provider: string,
  now: Seconds,
): CheckoutRow {
  return {
    id: newUid(),
    aid,
    rid,
    purpose: 'buy',
    resource_name: null,
    resource_url: null,
    amount: 0,
    currency: '',
    recurring: 0,
    period: null,
    trial_days: 0,
    user_ref: null,
    vouched_email: null,
    typed_email: null,
    first_name: '',
    last_name: '',
    return_url: null,
    key_mark: null,
    link_mark: null,
    subscription_id: null,
    uid: null,
    payment_id: newOrderedId(),
    provider,
    provider_ref: null,
    status: 'open',
    created: now,
    expires: now + CHECKOUT_LIFE,
    paid: null,
    due: null,
    refusal: null,
    page_ends: null,
  }
}

export async function requireUnused(db: Db, linkMark: string | undefined): Promise<void> {
  if (linkMark !== undefined && (await isLinkUsed(db, linkMark))) throw fail('link_used')
}

/** Literals, so that both databases use the index of used links. */
const isUse = sql<boolean>`status = 'paid' and link_mark is not null
  and (refusal is null or refusal <> 'trial_used')`

/** Whether a link has bought something. A refused trial leaves it unused. */
export async function isLinkUsed(db: Db, linkMark: string): Promise<boolean> {
  const used = await db
    .selectFrom('checkouts')
    .select('id')
    .where('link_mark', '=', linkMark)
    .where(isUse)
    .executeTakeFirst()
  return used !== undefined
}

const buyerIn = ({ aid, userRef, vouchedEmail }: CheckoutWish) => ({ aid, userRef, vouchedEmail })

async function requireNotSubscribed(db: Db, wish: CheckoutWish): Promise<void> {
  const uid = wish.terms.recurring ? await uidOf(db, wish) : undefined
  if (uid === undefined) return
  if (await findOpenSubscription(db, { ...wish, uid })) throw fail('already_subscribed')
}

/** The provider's page for a checkout. */
export async function startCheckout(
  desk: Desk,
  checkout: CheckoutRow,
  urls: { done: string; back: string },
): Promise<string> {
  const { id, provider_ref } = checkout
  const provider = requireProvider(desk)
  if (provider.name !== checkout.provider) throw fail('checkout_not_found')
  // Begun before: a second page would be a second purchase.
  if (provider_ref !== null) {
    const { url } = await provider.find.checkout(provider_ref)
    if (url === undefined) throw fail('checkout_not_found')
    return url
  }
  const order = await checkoutOrderOf(desk, checkout, urls)
  const { ref, url } = await provider.startCheckout(order)
  const page = { provider_ref: ref, page_ends: order.expires }
  const isOpen = await desk.database.write((trx) => recordPage(trx, id, page, desk.wall()))
  if (!isOpen) throw fail('checkout_not_found')
  return url
}

/** Writes down which page of the provider belongs to a checkout. One that was ended while the provider made
 * the page is not open any more: the page is then closed by the worker, and the payer is not sent there. */
async function recordPage(
  trx: Trx,
  id: string,
  page: { provider_ref: string; page_ends: Millis },
  wall: Millis,
): Promise<boolean> {
  if (await changeOpenCheckout(trx, id, { ...page, due: wall + FIRST_LOOK_MS })) return true
  await changeExpiredCheckout(trx, id, { ...page, due: wall })
  return false
}

/** An expired checkout with a `due` still has a page at the provider that is to be closed. */
export async function changeExpiredCheckout(
  trx: Trx,
  id: string,
  change: Pick<Partial<CheckoutRow>, 'provider_ref' | 'page_ends' | 'due'>,
): Promise<void> {
  await trx
    .updateTable('checkouts')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', 'expired')
    .execute()
}

/** Nothing changes a checkout that was paid or has expired; returns whether this one was open. */
export async function changeOpenCheckout(
  trx: Trx,
  id: string,
  change: Partial<CheckoutRow>,
): Promise<boolean> {
  const changed = await trx
    .updateTable('checkouts')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

export async function findCheckout(db: Db, id: string): Promise<CheckoutRow | undefined> {
  return await db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function getCheckout(db: Db, id: string): Promise<CheckoutRow> {
  const row = await findCheckout(db, id)
  if (!row) throw fail('checkout_not_found')
  return row
}
