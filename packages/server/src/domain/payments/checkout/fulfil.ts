import type { Trx } from '../../../db/database.ts'
import { updateRows } from '../../../db/queries/rows.ts'
import type { AccessTable, CheckoutTable, Seconds } from '../../../db/tables.ts'
import type { Clocks } from '../../access/grants/input.ts'
import { addPaidSource, listOpenSources, scheduleNewPeriod } from '../../access/sources.ts'
import { recordHistory } from '../../history/history.ts'
import { recordNotice } from '../../mail/notices.ts'
import { enqueuePaymentMail } from '../../subscriptions/mails.ts'
import { createSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions.ts'
import type { PaymentContext } from '../context.ts'
import { insertPayment, type PaymentRow, UNDISPUTED } from '../payments.ts'
import type { CheckoutFinding, PaymentFinding } from '../provider.ts'

/** The actor in the history for what buyers do. */
export const CHECKOUT_ACTOR = 'checkout'

/** A paid checkout. */
export interface Completion {
  checkout: CheckoutTable
  finding: CheckoutFinding
  /** Whether the link was already used for another purchase. */
  isLinkReused: boolean
  clocks: Clocks
  /** The typed address for the receipt, if the buyer has no verified one. */
  receiptTo: string | undefined
}

/** Returns the payment that was part of a checkout. */
export function newCheckoutPayment(
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
    ...UNDISPUTED,
    refusals: 0,
    last_error: null,
    deadline: null,
  }
}

/** Opens access for one period, or without an end. */
export async function fulfilPurchase(
  trx: Trx,
  ctx: PaymentContext,
  { checkout, finding, clocks, receiptTo }: Completion,
  access: AccessTable,
): Promise<void> {
  const { now } = clocks
  const { starts, ends } = scheduleNewPeriod(
    await listOpenSources(trx, access),
    checkout.period,
    now,
  )
  const payment: PaymentRow = {
    ...newCheckoutPayment(checkout, finding.payment as PaymentFinding, now),
    uid: access.uid,
    access_id: access.id,
  }
  await insertPayment(trx, payment)
  await recordNotice(trx, 'sale', 'purchase', payment, clocks)
  const source = { kind: 'purchase' as const, starts, ends, period: checkout.period }
  const accessEnds = await addPaidSource(trx, access, { ...source, payment_id: payment.id }, now)
  const payload = {
    payment: payment.id,
    ends,
    subscription: null,
    period: checkout.period,
    price: checkout.amount,
  }
  const mailKey = await enqueuePaymentMail(
    trx,
    { kind: 'receipt', key: `receipt:${payment.id}`, to: receiptTo, about: payment, payload },
    clocks,
    ctx.delivery,
  )
  await recordHistory(trx, [
    {
      ...accessHistoryEntry(access, now),
      action: 'purchased',
      ...(access.ends > now ? { before: { ends: access.ends } } : {}),
      after: { payment: payment.id, starts, purchase_ends: ends, ends: accessEnds },
      mailKey,
    },
  ])
}

const accessHistoryEntry = ({ aid, uid, rid, id }: AccessTable, now: Seconds) => ({
  aid,
  uid,
  rid,
  accessId: id,
  at: now,
  actor: CHECKOUT_ACTOR,
})

/** Opens access that lasts as long as it is renewed. */
export async function fulfilSubscription(
  trx: Trx,
  ctx: PaymentContext,
  completion: Completion,
  access: AccessTable,
): Promise<void> {
  const { checkout, finding, clocks } = completion
  const { now } = clocks
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
  await updateRows(trx, 'checkouts', { aid, id: checkout.id }, { subscription_id: subscription.id })
  const { current_period_start: starts, current_period_end: ends } = subscription
  if (finding.payment) {
    const payment = {
      ...newCheckoutPayment(checkout, finding.payment, now),
      uid,
      access_id: accessId,
      subscription_id: subscription.id,
      period_start: starts,
      period_end: ends,
    }
    await insertPayment(trx, payment)
    await recordNotice(trx, 'sale', 'subscription', payment, clocks)
  }
  const source = { kind: 'subscription' as const, ends, subscription_id: subscription.id }
  const accessEnds = await addPaidSource(trx, access, source, now)
  const mailKey = await enqueueSubscribedMail(trx, ctx, completion, subscription)
  await recordHistory(trx, [
    {
      ...accessHistoryEntry(access, now),
      action: 'subscribed',
      ...(access.ends > now ? { before: { ends: access.ends } } : {}),
      after: {
        subscription: subscription.id,
        status: subscription.status,
        current_period_end: ends,
        ends: accessEnds,
      },
      mailKey,
      told: { payment: finding.payment && checkout.payment_id },
    },
  ])
}

/** A trial gets a receipt too, with an amount of 0, because the reader needs its link to cancel. */
async function enqueueSubscribedMail(
  trx: Trx,
  ctx: PaymentContext,
  { checkout, clocks, receiptTo }: Completion,
  row: SubscriptionRow,
): Promise<string | undefined> {
  const payload = {
    payment: checkout.payment_id,
    ends: row.current_period_end,
    subscription: row.id,
    period: row.period,
    price: row.amount,
  }
  const about = row.trial_ends === null ? row : { ...row, amount: 0 }
  return await enqueuePaymentMail(
    trx,
    { kind: 'receipt', key: `receipt:${checkout.payment_id}`, to: receiptTo, about, payload },
    clocks,
    ctx.delivery,
  )
}
