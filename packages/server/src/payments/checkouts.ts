import { getApplication } from '../apps/applications.ts'
import type { Db, Trx } from '../db/database.ts'
import type { CheckoutTable, Millis, Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { newOrderedId, newUid } from '../ids.ts'
import type { Terms } from '../resources/prices.ts'
import { findResources } from '../resources/resources.ts'
import { findOpenSubscription, getSubscription, hadTrial } from '../subscriptions/subscriptions.ts'
import { requireBuyer } from '../users/buyer.ts'
import { findUidByRef, findUserByEmail } from '../users/users.ts'
import { checkoutOrderOf } from './checkout-orders.ts'
import { type Desk, requireProvider } from './desk.ts'

export type CheckoutRow = CheckoutTable

/** Time to fetch the card; the pages of Stripe live for a day at most. */
const CHECKOUT_LIFE: Seconds = 23 * 3600
/** So long after the payer has left for the provider's page we look what became of it, unless an event
 * tells. */
export const FIRST_LOOK_MS: Millis = 60_000

export interface CheckoutWish {
  aid: string
  rid: string
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

/** The beginning of a purchase. What can be refused is refused here, before anybody pays; but of a person
 * whom only a typed address names nothing is told, not even that. */
export async function openCheckout(desk: Desk, wish: CheckoutWish): Promise<CheckoutRow> {
  const { aid, rid } = wish
  const provider = requireProvider(desk)
  const now = desk.clock()
  return await desk.database.write(async (trx) => {
    if ((await getApplication(trx, aid)).archived !== null) throw fail('application_not_found')
    const [resource] = await findResources(trx, aid, [rid])
    if (!resource && !wish.resource) throw fail('resource_not_found')
    if (resource && resource.archived !== null) throw fail('resource_archived')
    await requireUnused(trx, wish.linkMark)
    await requireBuyer(trx, buyerIn(wish))
    await requireNotSubscribed(trx, wish)
    const { amount, currency, recurring, period, trial_days } = await termsFor(
      trx,
      wish,
      wish.terms,
    )
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
  }
}

export async function requireUnused(db: Db, linkMark: string | undefined): Promise<void> {
  if (linkMark === undefined) return
  const used = await db
    .selectFrom('checkouts')
    .select('id')
    .where('link_mark', '=', linkMark)
    .where('status', '=', 'paid')
    .executeTakeFirst()
  if (used) throw fail('link_used')
}

/** Whom the application vouches for, if it does and we know that reader. */
type Reader = Pick<CheckoutWish, 'aid' | 'rid' | 'userRef' | 'vouchedEmail'>

async function uidOf(db: Db, { aid, userRef, vouchedEmail }: Reader): Promise<string | undefined> {
  const byRef = userRef === undefined ? undefined : await findUidByRef(db, aid, userRef)
  if (byRef !== undefined || vouchedEmail === undefined) return byRef
  return (await findUserByEmail(db, aid, vouchedEmail))?.uid
}

const buyerIn = ({ aid, userRef, vouchedEmail }: CheckoutWish) => ({ aid, userRef, vouchedEmail })

async function requireNotSubscribed(db: Db, wish: CheckoutWish): Promise<void> {
  const uid = wish.terms.recurring ? await uidOf(db, wish) : undefined
  if (uid === undefined) return
  if (await findOpenSubscription(db, { ...wish, uid })) throw fail('already_subscribed')
}

/** Terms as they are for this reader: a trial is for those who never had one. */
export async function termsFor<T extends Terms>(db: Db, reader: Reader, terms: T): Promise<T> {
  const uid = terms.trial_days > 0 ? await uidOf(db, reader) : undefined
  if (uid === undefined || !(await hadTrial(db, { ...reader, uid }))) return terms
  return { ...terms, trial_days: 0 }
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
  const { ref, url } = await provider.startCheckout(await checkoutOrderOf(desk, checkout, urls))
  const started = { provider_ref: ref, due: desk.wall() + FIRST_LOOK_MS }
  await desk.database.write((trx) => changeOpenCheckout(trx, id, started))
  return url
}

/** Nothing changes a checkout that was paid or has expired. */
export async function changeOpenCheckout(
  trx: Trx,
  id: string,
  change: Partial<CheckoutRow>,
): Promise<void> {
  await trx
    .updateTable('checkouts')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()
}

export async function findCheckout(db: Db, id: string): Promise<CheckoutRow | undefined> {
  return await db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function getCheckout(db: Db, id: string): Promise<CheckoutRow> {
  const row = await findCheckout(db, id)
  if (!row) throw fail('checkout_not_found')
  return row
}
