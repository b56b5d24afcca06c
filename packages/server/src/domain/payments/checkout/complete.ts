import type { Trx } from '../../../db/database.ts'
import { findAndLockRow, type RowKey, updateRows } from '../../../db/queries/rows.ts'
import type { CheckoutRefusal, CheckoutTable, Seconds } from '../../../db/tables.ts'
import type { Clocks } from '../../access/grants/input.ts'
import { lockOrCreateAccess, lockUnrevoked } from '../../access/sources.ts'
import { getApplication } from '../../apps/applications.ts'
import { reportChanges } from '../../history/collect.ts'
import { recordHistory } from '../../history/history.ts'
import { createResourceIfAbsent, findResources } from '../../resources/resources.ts'
import { historyEntry, isCharging, lockSubscription } from '../../subscriptions/lifecycle.ts'
import {
  findOpenSubscription,
  type SubscriptionRow,
  updateSubscription,
} from '../../subscriptions/subscriptions.ts'
import { claimTrial } from '../../subscriptions/trials.ts'
import { resolveBuyer } from '../../users/buyer.ts'
import { findLinkNumber, isLinkEnded } from '../../users/reader-links.ts'
import type { UserRow } from '../../users/users.ts'
import { applyPaymentFinding, flagAndRefund } from '../apply-payment.ts'
import { clocksOf, type PaymentContext } from '../context.ts'
import { insertPayment } from '../payments.ts'
import type { CheckoutFinding } from '../provider.ts'
import { buyerOf, isLinkUsed } from './checkouts.ts'
import {
  CHECKOUT_ACTOR,
  type Completion,
  fulfilPurchase,
  fulfilSubscription,
  newCheckoutPayment,
} from './fulfil.ts'
import { listBuyerEmails } from './terms.ts'

/** The provider's finding about a checkout, and the key for the digests of trials. */
export interface CompletionInput {
  finding: CheckoutFinding
  trialKey: Buffer
}

/** Does everything that follows from a paid checkout, once, however many processes learn of it. */
export async function completeCheckout(
  trx: Trx,
  ctx: PaymentContext,
  { aid, id }: RowKey,
  { finding, trialKey }: CompletionInput,
): Promise<void> {
  const clocks = clocksOf(ctx)
  const checkout = await findAndLockRow(trx, 'checkouts', { aid, id })
  if (!checkout || checkout.status === 'paid') return
  const { link_mark } = checkout
  // The link may have been opened in two windows before it was paid.
  const isLinkReused = link_mark !== null && (await isLinkUsed(trx, aid, link_mark))
  await updateCheckout(trx, checkout, {
    status: 'paid',
    paid: clocks.now,
    due: null,
    ...(isLinkReused ? { link_mark: null } : {}),
  })
  if (checkout.purpose === 'card') await changeCard(trx, checkout, finding, clocks)
  else await completePurchase(trx, ctx, { checkout, finding, isLinkReused, clocks }, trialKey)
}

async function updateCheckout(
  trx: Trx,
  { aid, id }: RowKey,
  change: Partial<CheckoutTable>,
): Promise<void> {
  await updateRows(trx, 'checkouts', { aid, id }, change)
}

/** Stores the new card for future charges. A renewal whose charge was declined becomes due immediately, but not one for
 * which a wrong amount was taken: nothing more is charged for that period. */
async function changeCard(
  trx: Trx,
  checkout: CheckoutTable,
  finding: CheckoutFinding,
  { now }: Clocks,
): Promise<void> {
  const { aid, subscription_id, provider } = checkout
  const row = await lockSubscription(trx, aid, subscription_id as string)
  if (row.status === 'ended' || finding.method === undefined) return
  // The link that led to the page may have been a stranger's.
  if (isLinkEnded(checkout.link_number, await findLinkNumber(trx, row))) return
  const isDeclined =
    row.status === 'past_due' && !isCharging(row) && !(await hasWrongCharge(trx, row))
  await updateSubscription(trx, row, {
    provider,
    method: finding.method,
    ...(isDeclined ? { next_due: now, next_step: 'renew' as const } : {}),
  })
  await recordHistory(trx, [{ ...historyEntry(row, now, CHECKOUT_ACTOR), action: 'card changed' }])
}

/** Whether the provider took a wrong amount for the period that is due. */
async function hasWrongCharge(
  trx: Trx,
  { aid, id, current_period_end }: SubscriptionRow,
): Promise<boolean> {
  const wrong = await trx
    .selectFrom('payments')
    .select('id')
    .where('aid', '=', aid)
    .where('subscription_id', '=', id)
    .where('period_start', '=', current_period_end)
    .where('flag', '=', 'mismatch')
    .executeTakeFirst()
  return wrong !== undefined
}

async function completePurchase(
  trx: Trx,
  ctx: PaymentContext,
  paid: Omit<Completion, 'receiptTo'>,
  trialKey: Buffer,
): Promise<void> {
  const { checkout, finding, clocks } = paid
  const { aid, rid } = checkout
  await ensureResource(trx, checkout, clocks.now)
  const erased = await findErasedOwner(trx, checkout)
  if (erased)
    return await recordRefusedPurchase(
      trx,
      { ...paid, receiptTo: undefined },
      erased,
      undefined,
      'late',
    )
  const { user, reference } = await resolveBuyer(trx, buyerOf(checkout), clocks.now, CHECKOUT_ACTOR)
  const { uid } = user
  // A user reference that could not be assigned is not passed on to the application either.
  const isLeftOut = reference === undefined && checkout.user_ref !== uid
  const { link_number } = user
  await updateCheckout(trx, checkout, {
    uid,
    link_number,
    ...(isLeftOut ? { user_ref: null } : {}),
  })
  const receiptTo = user.email === null ? (checkout.typed_email ?? undefined) : undefined
  const completion: Completion = { ...paid, receiptTo }
  const open = await lockUnrevoked(trx, { aid, rid, uid })
  const refusal =
    (await refusalReason(trx, completion, user)) ??
    (await trialRefusalReason(trx, completion, user, trialKey))
  if (refusal !== undefined) {
    await recordRefusedPurchase(trx, completion, user, open?.id, refusal)
    return
  }
  const access = await lockOrCreateAccess(
    trx,
    {
      aid,
      rid,
      uid,
      userRef: reference,
      paid: finding.payment?.money,
    },
    clocks.now,
  )
  if (checkout.recurring) await fulfilSubscription(trx, ctx, completion, access)
  else await fulfilPurchase(trx, ctx, completion, access)
  if (finding.payment) {
    await applyPaymentFinding(trx, ctx, { aid, id: checkout.payment_id }, finding.payment)
  }
  const at = clocks.now
  reportChanges(trx, [{ aid, rid, at, actor: CHECKOUT_ACTOR, action: 'checkout completed' }])
}

/** An erasure writes the uid on the checkouts that it ends: a payment that arrives there anyway belongs to that
 * person and opens nothing. */
async function findErasedOwner(
  trx: Trx,
  { aid, uid }: CheckoutTable,
): Promise<Pick<UserRow, 'uid'> | undefined> {
  if (uid === null) return undefined
  return await trx
    .selectFrom('users')
    .select('uid')
    .where((eb) => eb.and({ aid, uid }))
    .where('erased', 'is not', null)
    .executeTakeFirst()
}

async function ensureResource(trx: Trx, checkout: CheckoutTable, now: Seconds): Promise<void> {
  const { aid, rid, resource_name, resource_url } = checkout
  const [resource] = await findResources(trx, aid, [rid])
  if (resource) return
  const input = { aid, rid, name: resource_name ?? rid, url: resource_url ?? '' }
  // Another buyer may have created it since.
  await createResourceIfAbsent(trx, input, now, CHECKOUT_ACTOR)
}

/** Why a paid checkout opens no access. */
async function refusalReason(
  trx: Trx,
  { checkout, finding, isLinkReused }: Completion,
  { uid }: UserRow,
): Promise<CheckoutRefusal | undefined> {
  const { aid, rid, amount, currency } = checkout
  const money = finding.payment?.money
  const expected = checkout.trial_days === 0
  if (expected && (money?.amount !== amount || money.currency !== currency)) return 'mismatch'
  if (isLinkReused) return 'duplicate'
  if ((await getApplication(trx, aid)).archived !== null) return 'late'
  const hasOne = checkout.recurring && (await findOpenSubscription(trx, { aid, rid, uid }))
  return hasOne ? 'duplicate' : undefined
}

/** Runs only now, because the card was unknown before, and another checkout may have used the trial since. */
async function trialRefusalReason(
  trx: Trx,
  { checkout, finding, clocks }: Completion,
  user: UserRow,
  key: Buffer,
): Promise<CheckoutRefusal | undefined> {
  if (checkout.trial_days === 0) return undefined
  const { fingerprint } = finding
  const reader = {
    aid: checkout.aid,
    rid: checkout.rid,
    uid: user.uid,
    emails: listBuyerEmails(buyerOf(checkout), user),
    card: fingerprint === undefined ? undefined : `${checkout.provider}:${fingerprint}`,
  }
  return (await claimTrial(trx, key, reader, clocks.now)) ? undefined : 'trial_used'
}

/** Records a completed checkout that opens no access. Its payment is flagged for staff and refunded, unless the
 * amount differs from what was requested. A refused trial has no payment. */
async function recordRefusedPurchase(
  trx: Trx,
  { checkout, finding, clocks }: Completion,
  { uid }: Pick<UserRow, 'uid'>,
  accessId: string | undefined,
  refusal: CheckoutRefusal,
): Promise<void> {
  const { aid, rid } = checkout
  await updateCheckout(trx, checkout, { refusal })
  if (finding.payment && refusal !== 'trial_used') {
    const taken = newCheckoutPayment(checkout, finding.payment, clocks.now)
    const payment = { ...taken, uid, access_id: accessId ?? null, flag: refusal }
    await insertPayment(trx, payment)
    if (refusal !== 'mismatch') return await flagAndRefund(trx, payment, refusal, clocks)
  }
  await recordHistory(trx, [
    {
      ...{ aid, rid, uid, at: clocks.now, actor: CHECKOUT_ACTOR },
      action: finding.payment ? 'payment not wanted' : 'trial not wanted',
      after: { flag: refusal, ...(finding.payment ? { payment: checkout.payment_id } : {}) },
    },
  ])
}
