import type { Times } from '../access/grant-wish.ts'
import {
  addPaidSource,
  listOpenSources,
  lockUnrevoked,
  openPaidAccess,
  periodFrom,
} from '../access/sources.ts'
import type { Trx } from '../db/database.ts'
import type { AccessTable, CheckoutTable, PaymentFlag, Seconds } from '../db/tables.ts'
import { recordHistory } from '../history/history.ts'
import { createResource, findResources } from '../resources/resources.ts'
import { changeOf, isCharging, lockSubscription } from '../subscriptions/change.ts'
import { tell } from '../subscriptions/mails.ts'
import {
  createSubscription,
  findOpenSubscription,
  type SubscriptionRow,
  updateSubscription,
} from '../subscriptions/subscriptions.ts'
import { resolveBuyer } from '../users/buyer.ts'
import type { UserRow } from '../users/users.ts'
import { type Desk, timesOf } from './desk.ts'
import type { PaymentRow } from './payments.ts'
import type { CheckoutFinding, PaymentFinding } from './provider.ts'
import { refundUnwanted } from './settle.ts'

const ACTOR = 'checkout'

/** A checkout was paid: whoever hears of it first does all that follows, once. */
export async function completeCheckout(
  trx: Trx,
  desk: Desk,
  id: string,
  finding: CheckoutFinding,
): Promise<void> {
  const times = timesOf(desk)
  const checkout = await trx
    .selectFrom('checkouts')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!checkout || checkout.status === 'paid') return
  const isSecond = await isLinkUsed(trx, checkout)
  await updateCheckout(trx, id, {
    status: 'paid',
    paid: times.now,
    due: null,
    ...(isSecond ? { link_mark: null } : {}),
  })
  if (checkout.purpose === 'card') await changeCard(trx, checkout, finding, times)
  else await completePurchase(trx, desk, { checkout, finding, isSecond, times })
}

async function updateCheckout(trx: Trx, id: string, change: Partial<CheckoutTable>): Promise<void> {
  await trx.updateTable('checkouts').set(change).where('id', '=', id).execute()
}

/** Opened twice before it was paid, in two windows. */
async function isLinkUsed(trx: Trx, { link_mark }: CheckoutTable): Promise<boolean> {
  if (link_mark === null) return false
  const used = await trx
    .selectFrom('checkouts')
    .select('id')
    .where('link_mark', '=', link_mark)
    .where('status', '=', 'paid')
    .execute()
  return used.length > 0
}

/** The new card is charged from now on; at once, where a renewal waits for it. */
async function changeCard(
  trx: Trx,
  checkout: CheckoutTable,
  finding: CheckoutFinding,
  { now }: Times,
): Promise<void> {
  const { aid, subscription_id, provider } = checkout
  const row = await lockSubscription(trx, aid, subscription_id as string)
  if (row.status === 'ended' || finding.method === undefined) return
  const waits = row.status === 'past_due' && !isCharging(row)
  await updateSubscription(trx, row, {
    provider,
    method: finding.method,
    ...(waits ? { next_due: now, next_step: 'renew' as const } : {}),
  })
  await recordHistory(trx, [{ ...changeOf(row, now, ACTOR), action: 'card changed' }])
}

interface Completion {
  checkout: CheckoutTable
  finding: CheckoutFinding
  /** The link was used for another purchase already. */
  isSecond: boolean
  times: Times
}

async function completePurchase(trx: Trx, desk: Desk, completion: Completion): Promise<void> {
  const { checkout, finding, times } = completion
  const { aid, rid } = checkout
  await requireResource(trx, checkout, times.now)
  const user = await resolveBuyer(trx, buyerOf(checkout), times.now, ACTOR)
  const open = await lockUnrevoked(trx, { aid, rid, uid: user.uid })
  const objection = await objectionTo(trx, completion, user)
  if (objection !== undefined) {
    await takeUnwanted(trx, completion, user, open?.id, objection)
    return
  }
  const access = await openPaidAccess(
    trx,
    {
      aid,
      rid,
      uid: user.uid,
      userRef: referenceOf(checkout, user),
      paid: finding.payment?.money,
    },
    times.now,
  )
  if (checkout.recurring) await subscribe(trx, desk, completion, access)
  else await purchase(trx, desk, completion, access)
}

const buyerOf = (checkout: CheckoutTable) => ({
  aid: checkout.aid,
  userRef: checkout.user_ref ?? undefined,
  vouchedEmail: checkout.vouched_email ?? undefined,
  typedEmail: checkout.typed_email ?? undefined,
  firstName: checkout.first_name,
  lastName: checkout.last_name,
})

/** One's own uid in place of a reference is no reference. */
const referenceOf = ({ user_ref }: CheckoutTable, { uid }: UserRow) =>
  user_ref === null || user_ref === uid ? undefined : user_ref

async function requireResource(trx: Trx, checkout: CheckoutTable, now: Seconds): Promise<void> {
  const { aid, rid, resource_name, resource_url } = checkout
  const [resource] = await findResources(trx, aid, [rid])
  if (resource) return
  const wish = { aid, rid, name: resource_name ?? rid, url: resource_url ?? '' }
  await createResource(trx, wish, now, ACTOR)
}

/** Why what was paid opens nothing. */
async function objectionTo(
  trx: Trx,
  { checkout, finding, isSecond }: Completion,
  { uid }: UserRow,
): Promise<PaymentFlag | undefined> {
  const { aid, rid, amount, currency } = checkout
  const money = finding.payment?.money
  const expected = checkout.trial_days === 0
  if (expected && (money?.amount !== amount || money.currency !== currency)) return 'mismatch'
  if (isSecond) return 'duplicate'
  const hasOne = checkout.recurring && (await findOpenSubscription(trx, { aid, rid, uid }))
  return hasOne ? 'duplicate' : undefined
}

/** Flagged for staff; and paid back, unless it is not even what was asked for. */
async function takeUnwanted(
  trx: Trx,
  { checkout, finding, times }: Completion,
  user: UserRow,
  accessId: string | undefined,
  flag: PaymentFlag,
): Promise<void> {
  if (!finding.payment) return
  const payment = {
    ...paymentOf(checkout, finding.payment, times.now),
    uid: user.uid,
    access_id: accessId ?? null,
    flag,
  }
  await trx.insertInto('payments').values(payment).execute()
  if (flag !== 'mismatch') return await refundUnwanted(trx, payment, flag, times)
  const { aid, rid, id } = payment
  const change = { aid, rid, uid: user.uid, at: times.now, actor: ACTOR }
  await recordHistory(trx, [
    { ...change, action: 'payment not wanted', after: { payment: id, flag } },
  ])
}

function paymentOf(
  checkout: CheckoutTable,
  { money, ref }: PaymentFinding,
  now: Seconds,
): Omit<PaymentRow, 'uid' | 'access_id'> {
  return {
    id: checkout.payment_id,
    aid: checkout.aid,
    rid: checkout.rid,
    subscription_id: null,
    checkout_id: checkout.id,
    period_start: null,
    period_end: null,
    ...money,
    refunded: 0,
    provider: checkout.provider,
    provider_ref: ref ?? null,
    method: null,
    status: 'succeeded',
    flag: null,
    failure: null,
    created: now,
    settled: now,
    attempts: 0,
    due: null,
    lease_until: null,
  }
}

async function purchase(
  trx: Trx,
  desk: Desk,
  { checkout, finding, times }: Completion,
  access: AccessTable,
): Promise<void> {
  const { now } = times
  const { starts, ends } = periodFrom(await listOpenSources(trx, access), checkout.period, now)
  const payment: PaymentRow = {
    ...paymentOf(checkout, finding.payment as PaymentFinding, now),
    uid: access.uid,
    access_id: access.id,
    period_start: starts,
    period_end: ends,
  }
  await trx.insertInto('payments').values(payment).execute()
  const source = { kind: 'purchase' as const, starts, ends, period: checkout.period }
  const accessEnds = await addPaidSource(trx, access, { ...source, payment_id: payment.id }, now)
  const payload = {
    payment: payment.id,
    ends,
    subscription: null,
    period: checkout.period,
    price: checkout.amount,
  }
  const mailKey = await tell(
    trx,
    { kind: 'receipt', key: `receipt:${payment.id}`, about: payment, payload },
    times,
    desk.delivery,
  )
  await recordHistory(trx, [
    {
      ...changeOfAccess(access, now),
      action: 'purchased',
      ...(access.ends > now ? { before: { ends: access.ends } } : {}),
      after: { payment: payment.id, starts, purchase_ends: ends, ends: accessEnds },
      ...(mailKey === undefined ? {} : { mailKey }),
    },
  ])
}

const changeOfAccess = ({ aid, uid, rid, id }: AccessTable, now: Seconds) => ({
  aid,
  uid,
  rid,
  accessId: id,
  at: now,
  actor: ACTOR,
})

async function subscribe(
  trx: Trx,
  desk: Desk,
  { checkout, finding, times }: Completion,
  access: AccessTable,
): Promise<void> {
  const { now } = times
  const { aid, rid, uid, id: accessId } = access
  const subscription = await createSubscription(
    trx,
    {
      aid,
      rid,
      uid,
      accessId,
      terms: checkout,
      provider: checkout.provider,
      method: finding.method,
    },
    now,
  )
  await updateCheckout(trx, checkout.id, { subscription_id: subscription.id })
  const { current_period_start: starts, current_period_end: ends } = subscription
  if (finding.payment) {
    const payment = {
      ...paymentOf(checkout, finding.payment, now),
      uid,
      access_id: accessId,
      subscription_id: subscription.id,
      period_start: starts,
      period_end: ends,
    }
    await trx.insertInto('payments').values(payment).execute()
  }
  const source = { kind: 'subscription' as const, ends, subscription_id: subscription.id }
  const accessEnds = await addPaidSource(trx, access, source, now)
  const mailKey = await tellSubscribed(trx, desk, checkout, subscription, times)
  await recordHistory(trx, [
    {
      ...changeOfAccess(access, now),
      action: 'subscribed',
      ...(access.ends > now ? { before: { ends: access.ends } } : {}),
      after: {
        subscription: subscription.id,
        status: subscription.status,
        current_period_end: ends,
        ends: accessEnds,
      },
      ...(mailKey === undefined ? {} : { mailKey }),
    },
  ])
}

/** A trial has a receipt too, over nothing: its reader needs the way to cancel. */
async function tellSubscribed(
  trx: Trx,
  desk: Desk,
  checkout: CheckoutTable,
  row: SubscriptionRow,
  times: Times,
): Promise<string | undefined> {
  const payload = {
    payment: checkout.payment_id,
    ends: row.current_period_end,
    subscription: row.id,
    period: row.period,
    price: row.amount,
  }
  const about = row.trial_ends === null ? row : { ...row, amount: 0 }
  return await tell(
    trx,
    { kind: 'receipt', key: `receipt:${checkout.payment_id}`, about, payload },
    times,
    desk.delivery,
  )
}
