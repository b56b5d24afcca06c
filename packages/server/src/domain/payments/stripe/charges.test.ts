import { describe, expect, it } from 'vitest'
import { newId } from '../../../ids.ts'
import type { FakeCard } from '../../../testing/stripe/ledger.ts'
import {
  CANCEL_INTENT,
  CREATE_INTENT,
  chargeOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { PaymentFinding } from '../provider.ts'

const { fake, stripe, saveCard, charged, failWith, callsTo } = useStripeProvider()

describe('a charge by Stripe while nobody is there', () => {
  it('takes the money, and is found by its name or by our id', async () => {
    const order = chargeOrder(await saveCard())
    const { paymentId, method, money } = order
    expect(await stripe.find.payment({ paymentId, method, ref: undefined })).toBeUndefined()
    const finding = await stripe.charge(order)
    expect(finding).toEqual({ status: 'succeeded', ref: expect.stringMatching(/^pi_/), money })
    expect(await stripe.find.payment({ paymentId, method, ref: undefined })).toEqual(finding)
    expect(await stripe.find.payment({ paymentId, method: undefined, ref: finding.ref })).toEqual(
      finding,
    )
  })

  it('is ordered at once, by card, with our names on it', async () => {
    const labels = { installation: 'i1', rid: 'pass', attempt: 2 }
    const order = chargeOrder(await saveCard(), { labels })
    await stripe.charge(order)
    const [call] = callsTo(CREATE_INTENT)
    const [customer, card] = order.method.split(':')
    expect(Object.fromEntries(new URLSearchParams(call?.text))).toEqual({
      amount: '999',
      currency: 'eur',
      customer,
      payment_method: card,
      'allowed_payment_method_types[0]': 'card',
      confirm: 'true',
      off_session: 'true',
      return_url: 'https://stripe.com/',
      description: 'Monthly pass',
      'metadata[gatehouse_installation]': 'i1',
      'metadata[gatehouse_aid]': order.aid,
      'metadata[gatehouse_rid]': 'pass',
      'metadata[gatehouse_attempt]': '2',
      'metadata[gatehouse_payment]': order.paymentId,
    })
    expect(call?.idempotencyKey).toBe(`gatehouse-charge-${order.paymentId}`)
  })

  it('asked for again is the same charge', async () => {
    const order = chargeOrder(await saveCard())
    expect(await stripe.charge(order)).toEqual(await stripe.charge(order))
    expect(fake.ledger.chargesOf(order.paymentId)).toHaveLength(1)
  })

  /** Cards that can be saved, and why their charges fail later. */
  const failingCards: [FakeCard, PaymentFinding['failure']][] = [
    ['declined_later', 'declined'],
    ['needs_payer_later', 'needs_payer'],
    ['asks_payer_later', 'needs_payer'],
  ]

  it.each(failingCards)('of a card that is %s has failed for good', async (card, failure) => {
    const order = chargeOrder(await saveCard(card))
    const finding = await stripe.charge(order)
    expect(finding).toMatchObject({ status: 'failed', failure, money: order.money })
    const { paymentId, method } = order
    expect(fake.ledger.intents.get(finding.ref as string)?.status).toBe('canceled')
    expect(await stripe.find.payment({ paymentId, method, ref: undefined })).toMatchObject({
      status: 'failed',
      ref: finding.ref,
    })
    expect(fake.ledger.chargesOf(paymentId)).toEqual([])
  })

  it.each(failingCards)(
    'of a card that is %s has not failed before it is canceled',
    async (card, failure) => {
      const order = chargeOrder(await saveCard(card))
      const { paymentId, method } = order
      failWith('reset_before', CANCEL_INTENT)
      await troubleOf(stripe.charge(order))
      await troubleOf(stripe.find.payment({ paymentId, method, ref: undefined }))
      failWith(undefined, CANCEL_INTENT)
      const finding = await stripe.find.payment({ paymentId, method, ref: undefined })
      expect(finding).toMatchObject({ status: 'failed', failure })
      expect(fake.ledger.intents.get(finding?.ref as string)?.status).toBe('canceled')
    },
  )

  it('that succeeds while it is being given up has succeeded', async () => {
    const order = chargeOrder(await saveCard('asks_payer_later'))
    fake.fault = ({ route, id }) => {
      const intent = fake.ledger.intents.get(id)
      if (route === CANCEL_INTENT && intent?.status === 'requires_action') {
        fake.ledger.capture(intent)
      }
      return undefined
    }
    expect(await stripe.charge(order)).toMatchObject({ status: 'succeeded', money: order.money })
  })

  it.each<[string, (method: string) => string]>([
    ['a customer who is gone', (method) => method.replace(/^\w+/, 'cus_gone')],
    ['a card that is gone', (method) => method.replace(/\w+$/, 'pm_gone')],
    ['a card that was saved elsewhere', () => 'test-card-4242'],
  ])('of %s has no card', async (_what, change) => {
    const order = chargeOrder(change(await saveCard()))
    const { money } = order
    const failed = { status: 'failed', ref: undefined, money, failure: 'no_card' }
    expect(await stripe.charge(order)).toEqual(failed)
    const { paymentId, method } = order
    expect(await stripe.find.payment({ paymentId, method, ref: undefined })).toBeUndefined()
  })

  it('of a card that was taken from its customer has no card', async () => {
    const method = await saveCard()
    const saved = fake.ledger.methods.get(method.split(':')[1] as string)
    if (saved) saved.customer = null
    expect(await stripe.charge(chargeOrder(method))).toMatchObject({ failure: 'no_card' })
  })

  it.each([
    ['too small for Stripe', { amount: 1, currency: 'EUR' }],
    ['that Stripe has no units for', { amount: 1235, currency: 'KWD' }],
  ])('of an amount %s is declined', async (_what, money) => {
    const finding = await stripe.charge(chargeOrder(await saveCard(), { money }))
    expect(finding).toEqual({ status: 'failed', ref: undefined, money, failure: 'declined' })
  })

  it('is pending while the bank thinks it over', async () => {
    const order = chargeOrder(await saveCard('slow_later'))
    const { paymentId, method } = order
    const finding = await stripe.charge(order)
    expect(finding).toMatchObject({ status: 'pending', ref: expect.stringMatching(/^pi_/) })
    fake.finishSlow(finding.ref as string, true)
    expect(await stripe.find.payment({ paymentId, method, ref: finding.ref })).toMatchObject({
      status: 'succeeded',
    })
  })

  it('that was begun and never confirmed is pending for a while, and then given up', async () => {
    const method = await saveCard()
    const paymentId = newId()
    const intent = fake.ledger.addIntent({
      amount: 999,
      currency: 'eur',
      customer: method.split(':')[0] as string,
      metadata: { gatehouse_payment: paymentId },
    })
    const wanted = { paymentId, method, ref: undefined }
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'pending' })
    intent.created -= 3600
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'failed' })
    expect(intent.status).toBe('canceled')
  })

  it('is found among hundreds of others', async () => {
    const order = chargeOrder(await saveCard())
    const { ref } = await stripe.charge(order)
    const customer = order.method.split(':')[0] as string
    for (let count = 0; count < 250; count++) {
      fake.ledger.addIntent({ amount: 999, currency: 'eur', customer, metadata: {} })
    }
    fake.calls.length = 0
    const { paymentId, method } = order
    expect(await stripe.find.payment({ paymentId, method, ref: undefined })).toMatchObject({ ref })
    expect(callsTo('GET /v1/payment_intents')).toHaveLength(3)
    const unknown = { paymentId: newId(), method, ref: undefined }
    expect(await stripe.find.payment(unknown)).toBeUndefined()
  })

  it('is not known where there is no such name', async () => {
    const wanted = { paymentId: newId(), ref: 'pi_unknown', method: undefined }
    expect(await stripe.find.payment(wanted)).toBeUndefined()
  })

  it.each<[string, (body: Record<string, unknown>) => unknown]>([
    ['another amount', (body) => ({ ...body, amount: 1, amount_received: 1 })],
    ['less than was asked for', (body) => ({ ...body, amount_received: 998 })],
    ['another currency', (body) => ({ ...body, currency: 'usd' })],
    ['no known currency', (body) => ({ ...body, currency: 'zzz' })],
    ['half a cent', (body) => ({ ...body, amount_received: 499.5 })],
    ['less than nothing', (body) => ({ ...body, amount: -999, amount_received: -999 })],
    ['another payment', (body) => ({ ...body, metadata: { gatehouse_payment: 'other' } })],
    ['no payment of ours', (body) => ({ ...body, metadata: null })],
    ['another kind of thing', (body) => ({ ...body, object: 'charge' })],
    ['no known state', (body) => ({ ...body, status: 'great' })],
    ['a state of its own kind', (body) => ({ ...body, status: { is: 'succeeded' } })],
    ['nothing', () => ({})],
    ['null', () => null],
    ['a list', (body) => [body]],
    ['a text', () => '"succeeded"'],
    ['a number', () => 7],
    ['an error that is none', () => ({ error: true })],
    ['an error without words', () => ({ error: {} })],
  ])('is not settled by an answer of %s', async (_what, rewrite) => {
    const order = chargeOrder(await saveCard())
    failWith({ rewrite }, CREATE_INTENT)
    await troubleOf(stripe.charge(order))
  })
})

const OPENED = { lost: 0, open: { amount: 999, isRefundable: false } }
const INQUIRY = { lost: 0, open: { amount: 999, isRefundable: true } }
const WON = { lost: 0 }
const LOST = { lost: 999 }

describe('a dispute', () => {
  it.each([
    ['needs_response', OPENED],
    ['under_review', OPENED],
    ['warning_needs_response', INQUIRY],
    ['warning_under_review', INQUIRY],
    ['appeal_needs_response', OPENED],
    ['something_new', OPENED],
    ['won', WON],
    ['warning_closed', WON],
    ['lost', LOST],
  ])('that is %s is %j', async (status, dispute) => {
    const { order, ref } = await charged()
    const wanted = { paymentId: order.paymentId, method: undefined, ref }
    const id = fake.openDispute(ref)
    if (status === 'something_new') fake.ledger.markOdd(id, 'a status of a later version')
    fake.settleDispute(id, status)
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'succeeded', dispute })
  })

  it.each([
    ['resolution', LOST],
    ['block', WON],
  ])('that was prevented by a %s is %j', async (caseType, dispute) => {
    const { order, ref } = await charged()
    const id = fake.openDispute(ref, { status: 'prevented' })
    const details = fake.ledger.disputes.get(id)?.payment_method_details
    if (details) details.card.case_type = caseType
    const wanted = { paymentId: order.paymentId, method: undefined, ref }
    expect(await stripe.find.payment(wanted)).toMatchObject({ dispute })
  })

  it('that is lost stays lost when there is another', async () => {
    const { order, ref } = await charged()
    const wanted = { paymentId: order.paymentId, method: undefined, ref }
    fake.settleDispute(fake.openDispute(ref), 'won')
    const second = fake.openDispute(ref)
    expect(await stripe.find.payment(wanted)).toMatchObject({ dispute: OPENED })
    fake.settleDispute(second, 'lost')
    fake.openDispute(ref)
    expect(await stripe.find.payment(wanted)).toMatchObject({
      dispute: { lost: 999, open: OPENED.open },
    })
  })

  it('is told of no payment that was never disputed', async () => {
    const { order, ref } = await charged()
    const wanted = { paymentId: order.paymentId, method: undefined, ref }
    expect(await stripe.find.payment(wanted)).not.toHaveProperty('dispute')
    expect(callsTo('GET /v1/disputes')).toEqual([])
  })
})
