import { describe, expect, it } from 'vitest'
import { newId } from '../../../ids.ts'
import type { FakeIntent } from '../../../testing/stripe/ledger.ts'
import {
  CANCEL_INTENT,
  chargeOrder,
  refundOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import { readDisputes, readIntent } from './findings.ts'

const { fake, stripe, saveCard, charged, failWith, callsTo } = useStripeProvider()

const FIND_INTENT = 'GET /v1/payment_intents/:id'

/** Adds a payment to Stripe's ledger, and returns how to look at it. */
function addPayment(more: Partial<FakeIntent>, labels: Record<string, string> = {}) {
  const paymentId = newId()
  const metadata = { gatehouse_payment: paymentId, ...labels }
  const intent = fake.ledger.addIntent({ amount: 999, currency: 'eur', metadata, ...more })
  const wanted = { paymentId, method: undefined, ref: intent.id }
  return { intent, find: () => stripe.find.payment(wanted) }
}

const ATTENDED = { gatehouse_checkout: 'c1' }
const error = (code: string, decline_code?: string) => ({
  last_payment_error: { type: 'card_error', code, ...(decline_code && { decline_code }) },
})

describe('a payment at Stripe', () => {
  it.each<[string, Partial<FakeIntent>, Record<string, string>]>([
    ['that is being processed', { status: 'processing' }, {}],
    ['that is to be captured', { status: 'requires_capture' }, {}],
    ['whose payer is asked on the page', { status: 'requires_action' }, ATTENDED],
    ['whose payer may enter another card', { status: 'requires_payment_method' }, ATTENDED],
    ['whose payer has not paid yet', { status: 'requires_confirmation', created: 0 }, ATTENDED],
    ['that was begun just now', { status: 'requires_confirmation' }, {}],
    ['that has no card yet', { status: 'requires_payment_method' }, {}],
  ])('%s is pending, and is left alone', async (_what, more, labels) => {
    const { intent, find } = addPayment(more, labels)
    const { status } = intent
    expect(await find()).toEqual({
      status: 'pending',
      ref: intent.id,
      money: { amount: 999, currency: 'EUR' },
    })
    expect(callsTo(CANCEL_INTENT)).toEqual([])
    expect(intent.status).toBe(status)
  })

  it.each([
    [9, 'pending', 'requires_confirmation'],
    [11, 'failed', 'canceled'],
  ])('that nobody has confirmed for %d minutes is %s', async (minutes, status, after) => {
    const created = Math.floor(Date.now() / 1000) - minutes * 60
    const { intent, find } = addPayment({ created })
    expect(await find()).toMatchObject({ status })
    expect(intent.status).toBe(after)
  })

  it.each([
    ['card_declined', 'generic_decline', 'declined'],
    ['card_declined', 'authentication_required', 'needs_payer'],
    ['authentication_required', undefined, 'needs_payer'],
    ['card_declined', undefined, 'declined'],
  ])('that was declined as %s (%s) has failed: %s', async (code, decline, failure) => {
    const more = { status: 'requires_payment_method', ...error(code, decline) }
    const { intent, find } = addPayment(more)
    expect(await find()).toMatchObject({ status: 'failed', failure })
    expect(intent.status).toBe('canceled')
  })

  it('that was canceled has failed, without a further order', async () => {
    const { find } = addPayment({ status: 'canceled' })
    expect(await find()).toMatchObject({ status: 'failed', failure: 'declined' })
    expect(callsTo(CANCEL_INTENT)).toEqual([])
  })

  it('has succeeded even if Stripe does not name its charge', async () => {
    const { intent, find } = addPayment({ status: 'succeeded', amount_received: 999 })
    expect(intent.latest_charge).toBeNull()
    expect(await find()).toMatchObject({ status: 'succeeded' })
  })

  it('of another id of ours, or of nobody’s, is not the one that is looked for', async () => {
    const { order, ref } = await charged()
    const { method } = order
    await troubleOf(stripe.find.payment({ paymentId: newId(), method, ref }))
    const { id } = fake.ledger.addIntent({ amount: 999, currency: 'eur', metadata: {} })
    await troubleOf(stripe.find.payment({ paymentId: undefined, method: undefined, ref: id }))
    const known = { paymentId: undefined, method: undefined, ref }
    expect(await stripe.find.payment(known)).toMatchObject({ status: 'succeeded', ref })
    failWith({ rewrite: (body) => ({ ...body, id: 'pi_other' }) }, FIND_INTENT)
    await troubleOf(stripe.find.payment(known))
  })

  it('is not looked for without its name or its card', async () => {
    const order = chargeOrder(await saveCard())
    await stripe.charge(order)
    const { paymentId, method } = order
    const customer = method.split(':')[0] as string
    fake.ledger.addIntent({ amount: 999, currency: 'eur', customer, metadata: {} })
    fake.calls.length = 0
    const ref = undefined
    expect(await stripe.find.payment({ paymentId, method: undefined, ref })).toBeUndefined()
    expect(await stripe.find.payment({ paymentId, method: 'test-card-4242', ref })).toBeUndefined()
    expect(await stripe.find.payment({ paymentId: undefined, method, ref })).toBeUndefined()
    expect(fake.calls).toEqual([])
  })
})

describe('a disputed payment', () => {
  it('is disputed as soon as its charge says so, before the dispute is listed', async () => {
    const { order, ref } = await charged()
    const [charge] = fake.ledger.chargesOf(order.paymentId)
    if (charge) charge.disputed = true
    const wanted = { paymentId: order.paymentId, method: undefined, ref }
    expect(await stripe.find.payment(wanted)).toMatchObject({
      dispute: { lost: 0, open: { amount: 999, isRefundable: false } },
    })
  })

  it.each([null, { type: 'card', card: null }, { type: 'card', card: { case_type: null } }])(
    'is won if the dispute was prevented and Stripe says no more than %j',
    async (details) => {
      const { order, ref } = await charged()
      const id = fake.openDispute(ref, { status: 'prevented' })
      const dispute = fake.ledger.disputes.get(id) as object
      fake.ledger.markOdd(id, "a dispute with less than Stripe's types promise")
      Object.assign(dispute, { payment_method_details: details })
      const wanted = { paymentId: order.paymentId, method: undefined, ref }
      expect(await stripe.find.payment(wanted)).toMatchObject({ dispute: { lost: 0 } })
    },
  )
})

describe('a refund at Stripe', () => {
  it.each([
    ['charge_for_pending_refund_disputed', 'disputed'],
    ['expired_or_canceled_card', 'refused'],
  ])('that failed because of %s is %s', async (reason, failure) => {
    fake.ledger.newRefundStatus = 'pending'
    const order = refundOrder((await charged()).ref)
    const { ref } = await stripe.refund(order)
    fake.settleRefund(ref as string, 'failed')
    Object.assign(fake.ledger.refunds.get(ref as string) as object, { failure_reason: reason })
    const { refundId, paymentRef, money } = order
    const failed = { status: 'failed', ref, money, failure }
    expect(await stripe.find.refund({ refundId, paymentRef })).toEqual(failed)
  })
})

describe('the disputes of a charge', () => {
  const charged = { amount: 999, currency: 'EUR' }
  const dispute = (status: string, more: object = {}) =>
    ({ status, amount: 999, currency: 'eur', is_charge_refundable: false, ...more }) as never
  const prevented = (case_type?: string) =>
    dispute('prevented', { payment_method_details: case_type && { card: { case_type } } })
  const open = { amount: 999, isRefundable: false }

  it.each([
    [['won'], { lost: 0 }],
    [['warning_closed'], { lost: 0 }],
    [['needs_response'], { lost: 0, open }],
    [['something new'], { lost: 0, open }],
    [['won', 'under_review'], { lost: 0, open }],
    [['won', 'under_review', 'lost'], { lost: 999, open }],
    [['appeal_needs_response'], { lost: 0, open }],
    [['appeal_under_review'], { lost: 0, open }],
    [['lost', 'lost'], { lost: 999 }],
  ])('of the states %j count as %j', (states, found) => {
    expect(
      readDisputes(
        states.map((one) => dispute(one)),
        charged,
      ),
    ).toEqual(found)
  })

  it('that were prevented are lost if the payer got the money back', () => {
    expect(readDisputes([prevented('resolution')], charged)).toEqual({ lost: 999 })
    expect(readDisputes([prevented('other')], charged)).toEqual({ lost: 0 })
    expect(readDisputes([prevented()], charged)).toEqual({ lost: 0 })
  })

  it('about parts of it add up, never to more than it', () => {
    const part = (amount: number, status = 'lost') => dispute(status, { amount })
    expect(readDisputes([part(300), part(200, 'won'), part(100)], charged)).toEqual({ lost: 400 })
    expect(readDisputes([part(300), part(200, 'under_review')], charged)).toEqual({
      lost: 300,
      open: { amount: 200, isRefundable: false },
    })
    expect(readDisputes([part(300), part(900)], charged)).toEqual({ lost: 999 })
  })

  it('count for all of it if their amount is in another currency, or in none that we know', () => {
    for (const currency of ['usd', 'zzz']) {
      const lost = dispute('lost', { amount: 5, currency })
      expect(readDisputes([lost], charged)).toEqual({ lost: 999 })
    }
  })

  it('can be refunded if Stripe says so of all that are open', () => {
    const inquiry = dispute('warning_needs_response', { is_charge_refundable: true })
    expect(readDisputes([inquiry], charged).open).toEqual({ amount: 999, isRefundable: true })
    expect(readDisputes([inquiry, dispute('won')], charged).open?.isRefundable).toBe(true)
    const both = [inquiry, dispute('under_review')]
    expect(readDisputes(both, charged).open?.isRefundable).toBe(false)
  })
})

it('a payment that nobody has confirmed is given up after ten minutes, and not before', () => {
  const intent = {
    ...{ id: 'pi_1', amount: 999, amount_received: 0, currency: 'eur', metadata: {} },
    ...{ status: 'requires_confirmation', created: 1_000, last_payment_error: null },
  } as never
  expect(readIntent(intent, 1_600_000).status).toBe('pending')
  expect(readIntent(intent, 1_600_001).status).toBe('failed')
})
