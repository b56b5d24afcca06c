import { describe, expect, it } from 'vitest'
import { newOrderedId } from '../../ids.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { useDomainShop } from '../../testing/payments/use-domain-shop.ts'
import { DAY } from '../../testing/time.ts'
import type { Terms } from '../resources/prices.ts'
import { getSubscription } from '../subscriptions/subscriptions.ts'
import { applyPaymentFinding } from './apply-payment.ts'
import { newCheckoutPayment } from './checkout/fulfil.ts'
import { getPayment, listRefunds, type PaymentRow, type RefundRow } from './payments.ts'
import type { PaymentFinding, RefundFinding } from './provider.ts'
import { applyRefundFinding } from './refunds/refunds.ts'

const { service, shop, env, db, historyOf } = useDomainShop()
const ann = { rid: 'pass', user_ref: 'ann' }
const hasAccess = () => shop.client.hasAccess(ann)
const paymentNow = ({ id }: PaymentRow) => getPayment(db().read, shop.aid, id)
const subscriptionNow = async () => (await shop.client.searchSubscriptions(ann)).data[0]
const refundsOf = ({ id }: PaymentRow) => listRefunds(db().read, shop.aid, [id])

async function change(payment: PaymentRow, values: Partial<PaymentRow>): Promise<PaymentRow> {
  await db().write((trx) =>
    trx.updateTable('payments').set(values).where('id', '=', payment.id).execute(),
  )
  return await paymentNow(payment)
}

async function apply(payment: PaymentRow, finding: Partial<PaymentFinding>): Promise<PaymentRow> {
  const { aid, id, amount, currency } = payment
  const money = { amount, currency }
  const whole: PaymentFinding = { status: 'succeeded', ref: `ch_${id}`, money, ...finding }
  await db().write((trx) => applyPaymentFinding(trx, env(), { aid, id }, whole))
  return await paymentNow(payment)
}

async function buy(terms = {}): Promise<PaymentRow> {
  const { payment_id } = await shop.buy({ rid: 'pass', userRef: 'ann', terms })
  return await getPayment(db().read, shop.aid, payment_id)
}

/** Returns a renewal that was ordered and whose outcome is not known. The clock stays: orders of other tests that
 * nobody carries out would keep it from moving. */
async function renewing(terms: Partial<Terms> = MONTHLY): Promise<PaymentRow> {
  const checkout = await shop.buy({ rid: 'pass', userRef: 'ann', terms })
  const id = checkout.subscription_id as string
  const subscription = await getSubscription(db().read, shop.aid, id)
  const { uid, access_id, amount, currency, current_period_end: start } = subscription
  const unknown = { status: 'pending', ref: undefined, money: { amount, currency } } as const
  const renewal: PaymentRow = {
    ...newCheckoutPayment(checkout, unknown, env().clock()),
    ...{ id: newOrderedId(), uid, access_id, subscription_id: id, checkout_id: null },
    period_start: start,
    period_end: start + 31 * DAY,
    status: 'pending',
    settled: null,
    attempts: 1,
    due: 1,
  }
  await db().write(async (trx) => {
    await trx.insertInto('payments').values(renewal).execute()
    await trx
      .updateTable('subscriptions')
      .set({ next_due: null, next_step: null })
      .where('id', '=', id)
      .execute()
  })
  return renewal
}

describe('a charge whose outcome is not known', () => {
  it('is asked for again after a pause', async () => {
    const renewal = await renewing()
    const after = await apply(renewal, { status: 'pending' })
    expect(after).toMatchObject({
      status: 'pending',
      provider_ref: `ch_${renewal.id}`,
      lease_until: null,
    })
    const pause = (after.due as number) - env().realTime()
    expect(pause).toBeGreaterThan(0)
    expect(pause).toBeLessThan(60_000)
  })

  it('renews once it has succeeded', async () => {
    const renewal = await renewing()
    service.clock.advance(60)
    const settled = { status: 'succeeded', flag: null, failure: null, due: null } as const
    expect(await apply(renewal, {})).toMatchObject({
      ...settled,
      provider_ref: `ch_${renewal.id}`,
      settled: env().clock(),
    })
    const renewed = await subscriptionNow()
    expect(renewed?.status).toBe('active')
    expect(renewed?.current_period_end).toBeGreaterThan(renewal.period_start as number)
  })

  it.each([
    ['declined', undefined],
    ['needs_payer', 'needs_payer'],
  ] as const)('leaves the subscription past due: %s', async (failure, said) => {
    const renewal = await renewing()
    const finding = { status: 'failed' as const, ...(said ? { failure: said } : {}) }
    expect(await apply(renewal, finding)).toMatchObject({ status: 'failed', failure, flag: null })
    expect(await subscriptionNow()).toMatchObject({ status: 'past_due' })
  })

  it.each([
    { amount: 498, currency: 'EUR' },
    { amount: 499, currency: 'USD' },
  ])('renews nothing with $amount $currency, and staff have to look at it', async (money) => {
    const renewal = await renewing()
    expect(await apply(renewal, { money })).toMatchObject({
      status: 'failed',
      flag: 'mismatch',
      failure: null,
    })
    expect((await subscriptionNow())?.status).toBe('past_due')
    // Flagged money is left to staff also when the provider tells of it again.
    expect(await apply(renewal, {})).toMatchObject({ status: 'failed', flag: 'mismatch' })
    expect(await refundsOf(renewal)).toEqual([])
  })

  it('is refunded when the subscription has ended meanwhile', async () => {
    const renewal = await renewing()
    await shop.client.revokeAccess(ann)
    expect(await apply(renewal, {})).toMatchObject({ status: 'succeeded', flag: 'late' })
    expect(await refundsOf(renewal)).toMatchObject([{ amount: 499, reason: 'late' }])
    expect(await hasAccess()).toBe(false)
    expect(await historyOf('payment not wanted')).toHaveLength(1)
  })

  it('is refunded too when it was the first after a trial', async () => {
    const renewal = await renewing({ ...MONTHLY, trial_days: 7 })
    await shop.client.revokeAccess(ann)
    const { aid, amount, currency } = await apply(renewal, {})
    const [{ id }] = (await refundsOf(renewal)) as [RefundRow]
    const money = { amount, currency }
    const paidBack: RefundFinding = { status: 'succeeded', ref: 're_1', money }
    await db().write((trx) => applyRefundFinding(trx, env(), { aid, id }, paidBack))
    expect(await paymentNow(renewal)).toMatchObject({ status: 'refunded', refunded: amount })
  })

  it('that fails after the subscription has ended changes no more', async () => {
    const renewal = await renewing()
    await shop.client.revokeAccess(ann)
    expect(await apply(renewal, { status: 'failed' })).toMatchObject({ status: 'failed' })
    expect(await subscriptionNow()).toMatchObject({ status: 'ended' })
  })
})

describe('a charge that had failed', () => {
  it('and was taken after all is refunded, once', async () => {
    const payment = await change(await buy(), { status: 'failed', failure: 'declined' })
    const taken = {
      status: 'succeeded',
      flag: 'late',
      failure: null,
      provider_ref: `ch_${payment.id}`,
    }
    expect(await apply(payment, {})).toMatchObject(taken)
    await apply(payment, {})
    expect(await refundsOf(payment)).toMatchObject([{ amount: 499, reason: 'late' }])
  })

  it('and failed again stays as it is', async () => {
    const payment = await change(await buy(), { status: 'failed', failure: 'declined' })
    expect(await apply(payment, { status: 'failed' })).toEqual(payment)
    expect(await apply(payment, { status: 'pending' })).toEqual(payment)
  })
})

it('a payment that nobody knows is ignored', async () => {
  const payment = await buy()
  await expect(apply({ ...payment, id: 'unknown' }, {})).rejects.toMatchObject({
    code: 'payment_not_found',
  })
})
