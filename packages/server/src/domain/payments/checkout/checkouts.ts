import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/database.ts'
import { findApplicationOf } from '../../../db/find-application.ts'
import { findRow, type RowKey, updateRows } from '../../../db/queries/rows.ts'
import type { CheckoutTable, Millis, Seconds } from '../../../db/tables.ts'
import { fail, requireFound } from '../../../errors.ts'
import { newSortedId } from '../../../ids.ts'
import type { LinkedRow } from '../../../signing/links.ts'
import { getApplication } from '../../apps/applications.ts'
import { reportChanges } from '../../history/collect.ts'
import type { Terms } from '../../resources/prices.ts'
import { findResources } from '../../resources/resources.ts'
import { findOpenSubscription, getSubscription } from '../../subscriptions/subscriptions.ts'
import { type Buyer, requireBuyer } from '../../users/buyer.ts'
import { type PaymentContext, requireProvider } from '../context.ts'
import { aidInCheckoutId, newCheckoutId } from './checkout-ids.ts'
import { CHECKOUT_ACTOR } from './fulfil.ts'
import { orderPage } from './order-page.ts'
import { checkoutOrderOf } from './orders.ts'
import { findVouchedUid, termsFor } from './terms.ts'

export type CheckoutRow = CheckoutTable

/** Leaves the payer time to fetch the card. Stripe keeps a page open for at most a day. */
const CHECKOUT_LIFETIME_S: Seconds = 23 * 3600
/** How long after the page was opened the worker first asks for the outcome, if no event has arrived. */
export const FIRST_POLL_MS: Millis = 60_000

export interface CheckoutInput {
  aid: string
  rid: string
  /** The terms that the buyer saw and agreed to. */
  terms: Terms
  /** Name and URL from a signed link, for a resource that may not exist yet. */
  resource?: { name: string; url: string } | undefined
  userRef?: string | undefined
  vouchedEmail?: string | undefined
  typedEmail?: string | undefined
  firstName: string
  lastName: string
  returnUrl?: string | undefined
  keyFingerprint?: string | undefined
  linkDigest?: string | undefined
}

/** Creates a checkout. It refuses here whatever it can, before the buyer pays: a refusal later means a refund. Its error
 * says nothing about the owner of a typed email address, except that the free trial was used with it. */
export async function createCheckout(
  ctx: PaymentContext,
  input: CheckoutInput,
): Promise<CheckoutRow> {
  const { aid, rid } = input
  const provider = requireProvider(ctx)
  const now = ctx.clock()
  const key = await ctx.trialKey()
  return await ctx.database.write(async (trx) => {
    if ((await getApplication(trx, aid)).archived !== null) throw fail('application_not_found')
    const [resource] = await findResources(trx, aid, [rid])
    if (!resource && !input.resource) throw fail('resource_not_found')
    if (resource && resource.archived !== null) throw fail('resource_archived')
    await requireUnusedLink(trx, aid, input.linkDigest)
    await requireBuyer(trx, input)
    await requireNotSubscribed(trx, input)
    const { amount, currency, recurring, period, trial_days } = input.terms
    // The terms never change without the buyer's consent: new ones are displayed and confirmed first.
    if ((await termsFor(trx, key, input, input.terms)).trial_days !== trial_days) {
      throw fail('trial_used')
    }
    reportChanges(trx, [{ aid, rid, at: now, actor: CHECKOUT_ACTOR, action: 'checkout begun' }])
    return await insertCheckout(trx, {
      ...newCheckoutRow(aid, rid, provider.name, now),
      resource_name: input.resource?.name ?? null,
      resource_url: input.resource?.url ?? null,
      ...{ amount, currency, recurring, period, trial_days },
      ...buyerAndLinkColumns(input),
    })
  })
}

/** Creates the same checkout again, but without the trial: completing the first one has shown that the trial was used. */
export async function recreateWithoutTrial(
  ctx: PaymentContext,
  refused: CheckoutRow,
): Promise<CheckoutRow> {
  const { user_ref, vouched_email, typed_email, resource_name, resource_url } = refused
  // An erasure has cleared all of these fields.
  const isNamed = (user_ref ?? vouched_email ?? typed_email) !== null
  if (!isNamed || refused.expires <= ctx.clock()) throw fail('checkout_not_found')
  const { amount, currency, recurring, period } = refused
  return await createCheckout(ctx, {
    rid: refused.rid,
    terms: { amount, currency, recurring, period, trial_days: 0 },
    resource: resource_name === null ? undefined : { name: resource_name, url: resource_url ?? '' },
    ...buyerOf(refused),
    returnUrl: refused.return_url ?? undefined,
    keyFingerprint: refused.key_mark ?? undefined,
    linkDigest: refused.link_mark ?? undefined,
  })
}

/** Creates a checkout in which a subscriber saves a new card. The checkout's URL leads back to that subscription, so it
 * expires no later than the manage link that led here (`until`), and ends with it. */
export async function createCardChangeCheckout(
  ctx: PaymentContext,
  { aid, id, linkNumber }: LinkedRow,
  until: Seconds,
): Promise<CheckoutRow> {
  const provider = requireProvider(ctx)
  const now = ctx.clock()
  return await ctx.database.write(async (trx) => {
    const row = await getSubscription(trx, aid, id)
    if (row.status === 'ended') throw fail('subscription_not_found')
    return await insertCheckout(trx, {
      ...newCheckoutRow(aid, row.rid, provider.name, now),
      purpose: 'card',
      amount: row.amount,
      currency: row.currency,
      recurring: 1,
      period: row.period,
      subscription_id: row.id,
      expires: Math.min(now + CHECKOUT_LIFETIME_S, until),
      link_number: linkNumber,
    })
  })
}

async function insertCheckout(trx: Trx, row: CheckoutRow): Promise<CheckoutRow> {
  await trx.insertInto('checkouts').values(row).execute()
  return row
}

/** The values of a checkout that holds no personal data: nothing was typed, and its link names nobody. */
export const EMPTY_PERSONAL_COLUMNS = {
  user_ref: null,
  vouched_email: null,
  typed_email: null,
  first_name: '',
  last_name: '',
  return_url: null,
}

export function newCheckoutRow(
  aid: string,
  rid: string,
  provider: string,
  now: Seconds,
): CheckoutRow {
  return {
    id: newCheckoutId(aid),
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
    ...EMPTY_PERSONAL_COLUMNS,
    key_mark: null,
    link_mark: null,
    subscription_id: null,
    uid: null,
    payment_id: newSortedId(),
    provider,
    provider_ref: null,
    status: 'open',
    created: now,
    expires: now + CHECKOUT_LIFETIME_S,
    paid: null,
    due: null,
    refusal: null,
    page_ends: null,
    link_number: 0,
  }
}

export async function requireUnusedLink(
  db: Db,
  aid: string,
  linkDigest: string | undefined,
): Promise<void> {
  if (linkDigest !== undefined && (await isLinkUsed(db, aid, linkDigest))) throw fail('link_used')
}

/** Literals instead of parameters, so that both databases use the index of used links. */
const usesUpLink = sql<boolean>`status = 'paid' and link_mark is not null
  and (refusal is null or refusal <> 'trial_used')`

/** Whether a link was already used for a purchase. A refused trial does not use it up. */
export async function isLinkUsed(db: Db, aid: string, linkDigest: string): Promise<boolean> {
  const used = await db
    .selectFrom('checkouts')
    .select('id')
    .where((eb) => eb.and({ aid, link_mark: linkDigest }))
    .where(usesUpLink)
    .executeTakeFirst()
  return used !== undefined
}

/** The buyer, and the purchase link that led to the checkout, if any. */
const buyerAndLinkColumns = (input: CheckoutInput) => ({
  user_ref: input.userRef ?? null,
  vouched_email: input.vouchedEmail ?? null,
  typed_email: input.typedEmail ?? null,
  first_name: input.firstName,
  last_name: input.lastName,
  return_url: input.returnUrl ?? null,
  key_mark: input.keyFingerprint ?? null,
  link_mark: input.linkDigest ?? null,
})

export const buyerOf = (checkout: CheckoutRow): Buyer => ({
  aid: checkout.aid,
  userRef: checkout.user_ref ?? undefined,
  vouchedEmail: checkout.vouched_email ?? undefined,
  typedEmail: checkout.typed_email ?? undefined,
  firstName: checkout.first_name,
  lastName: checkout.last_name,
})

async function requireNotSubscribed(db: Db, input: CheckoutInput): Promise<void> {
  const uid = input.terms.recurring ? await findVouchedUid(db, input) : undefined
  if (uid === undefined) return
  if (await findOpenSubscription(db, { ...input, uid })) throw fail('already_subscribed')
}

/** Returns the URL of the provider's page for a checkout, and creates the page if there is none. */
export async function startCheckout(
  ctx: PaymentContext,
  checkout: CheckoutRow,
  urls: { done: string; back: string },
): Promise<string> {
  const { provider_ref } = checkout
  const provider = requireProvider(ctx)
  if (provider.name !== checkout.provider) throw fail('checkout_not_found')
  // The page exists already: a second page would be a second purchase.
  if (provider_ref !== null) {
    const { url } = await provider.find.checkout(provider_ref)
    if (url === undefined) throw fail('checkout_not_found')
    return url
  }
  const order = await checkoutOrderOf(ctx, checkout, urls)
  const { ref, url } = await orderPage(ctx, provider, order)
  const page = { provider_ref: ref, page_ends: order.expires }
  const isOpen = await ctx.database.write((trx) => recordPage(trx, checkout, page, ctx.realTime()))
  if (!isOpen) throw fail('checkout_not_found')
  return url
}

/** Stores which provider page belongs to a checkout. Returns false if the checkout was ended while the page was
 * being created: the worker then closes the page, and the payer is not sent there. */
async function recordPage(
  trx: Trx,
  key: RowKey,
  page: { provider_ref: string; page_ends: Millis },
  realTime: Millis,
): Promise<boolean> {
  if (await changeOpenCheckout(trx, key, { ...page, due: realTime + FIRST_POLL_MS })) return true
  await changeExpiredCheckout(trx, key, { ...page, due: realTime })
  return false
}

/** Changes a checkout that has expired. Its `due` is the time at which the worker closes the page at the provider; null
 * if no page is open there. */
export async function changeExpiredCheckout(
  trx: Trx,
  { aid, id }: RowKey,
  change: Pick<Partial<CheckoutRow>, 'provider_ref' | 'page_ends' | 'due'>,
): Promise<void> {
  await updateRows(trx, 'checkouts', { aid, id, status: 'expired' }, change)
}

/** Changes a checkout only while it is open; returns whether it was. */
export async function changeOpenCheckout(
  trx: Trx,
  { aid, id }: RowKey,
  change: Partial<CheckoutRow>,
): Promise<boolean> {
  return (await updateRows(trx, 'checkouts', { aid, id, status: 'open' }, change)) > 0
}

export async function getCheckout(db: Db, { aid, id }: RowKey): Promise<CheckoutRow> {
  return requireFound(await findRow(db, 'checkouts', { aid, id }), 'checkout_not_found')
}

/** Finds a checkout by its id alone, as it is in a URL or an event. */
export async function findCheckoutById(db: Db, id: string): Promise<CheckoutRow | undefined> {
  const aid = aidInCheckoutId(id) ?? (await findApplicationOf(db, 'checkouts', id))
  return aid === undefined ? undefined : await findRow(db, 'checkouts', { aid, id })
}

export async function getCheckoutById(db: Db, id: string): Promise<CheckoutRow> {
  return requireFound(await findCheckoutById(db, id), 'checkout_not_found')
}
