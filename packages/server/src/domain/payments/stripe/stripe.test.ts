import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../ids.ts'
import { seededRandom } from '../../../testing/random.ts'
import { startSmtp } from '../../../testing/smtp/smtp.ts'
import {
  type FakeStripe,
  type Fault,
  randomFaults,
  startFakeStripe,
} from '../../../testing/stripe/fake-stripe.ts'
import { QUICK_FAULTS } from '../../../testing/stripe/faults.ts'
import type { FakeCard, FakeSession } from '../../../testing/stripe/ledger.ts'
import { useFakeStripe } from '../../../testing/use-service.ts'
import { decimalsOf } from '../../apps/currency.ts'
import type {
  ChargeOrder,
  CheckoutOrder,
  EventSubject,
  PaymentFinding,
  PaymentProvider,
  RefundFinding,
  RefundOrder,
} from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { fromStripeAmount, toStripeAmount } from './amounts.ts'
import { createStripe } from './stripe.ts'

const TIMEOUT_MS = 250
const HOUR_MS = 3600_000

const fake = useFakeStripe()
let stripe: PaymentProvider
beforeAll(async () => {
  stripe = connect()
})
afterEach(() => {
  fake.fault = () => undefined
  fake.ledger.newRefundStatus = 'succeeded'
  fake.calls.length = 0
})

const connect = (more: { timeout?: number; secretKey?: string } = {}) =>
  createStripe({
    secretKey: fake.secretKey,
    webhookSecret: fake.webhookSecret,
    api: fake.url,
    timeout: 5_000,
    ...more,
  })

const checkoutOrder = (more: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
  aid: 'AppAppApp1',
  checkoutId: newId(),
  paymentId: newId(),
  labels: {},
  charge: { amount: 499, currency: 'EUR' },
  currency: 'EUR',
  keepCard: true,
  title: 'Spring issue',
  email: 'reader@example.com',
  doneUrl: 'https://gate.example.com/checkout/done/1',
  backUrl: 'https://gate.example.com/checkout/back',
  created: Date.now(),
  expires: Date.now() + HOUR_MS,
  ...more,
})

const chargeOrder = (method: string, more: Partial<ChargeOrder> = {}): ChargeOrder => ({
  aid: 'AppAppApp1',
  paymentId: newId(),
  money: { amount: 999, currency: 'EUR' },
  method,
  title: 'Monthly pass',
  labels: {},
  ...more,
})

/** Saves a card and returns it as later charges name it. */
async function saveCard(card: FakeCard = 'good'): Promise<string> {
  const { ref } = await stripe.startCheckout(checkoutOrder({ charge: undefined }))
  fake.pay(ref, card)
  return (await stripe.find.checkout(ref)).method as string
}

/** Makes a charge that can be refunded or disputed. */
async function charged(more: Partial<ChargeOrder> = {}) {
  const order = chargeOrder(await saveCard(), more)
  const { ref } = await stripe.charge(order)
  return { order, ref: ref as string }
}

const refundOrder = (paymentRef: string, more: Partial<RefundOrder> = {}): RefundOrder => ({
  aid: 'AppAppApp1',
  refundId: newId(),
  paymentRef,
  money: { amount: 999, currency: 'EUR' },
  labels: {},
  ...more,
})

const isOf =
  ({ checkoutId }: CheckoutOrder) =>
  (session: FakeSession) =>
    session.client_reference_id === checkoutId

const failWith = (fault: Fault | undefined, route: string) => {
  fake.fault = (call) => (call.route === route ? fault : undefined)
}

async function troubleOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    (result) => expect.fail(`no trouble: ${inspect(result)}`),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ProviderError)
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/sk_test|whsec|@example/)
  return error as ProviderError
}

const callsTo = (route: string) => fake.calls.filter((call) => call.route === route)

const CREATE_INTENT = 'POST /v1/payment_intents'
const CANCEL_INTENT = 'POST /v1/payment_intents/:id/cancel'
const CREATE_REFUND = 'POST /v1/refunds'

describe('a checkout by Stripe', () => {
  it('takes the price once, and keeps the card for later charges', async () => {
    const order = checkoutOrder()
    const { ref, url } = await stripe.startCheckout(order)
    expect(url).toBe(`${fake.url}/pay/${ref}`)
    expect(await stripe.find.checkout(ref)).toEqual({ status: 'open', url })

    const session = fake.pay(ref)
    const intent = fake.ledger.intents.get(session.payment_intent as string)
    const method = `${session.customer}:${intent?.payment_method}`
    expect(await stripe.find.checkout(ref)).toEqual({
      status: 'paid',
      payment: { status: 'succeeded', ref: intent?.id, money: order.charge },
      method,
    })
    expect(fake.ledger.chargesOf(order.paymentId)).toHaveLength(1)

    const later = chargeOrder(method)
    expect(await stripe.charge(later)).toMatchObject({ status: 'succeeded', money: later.money })
  })

  it('names the payment wherever it can be looked for', async () => {
    const order = checkoutOrder()
    const { ref } = await stripe.startCheckout(order)
    const session = fake.pay(ref)
    const names = {
      gatehouse_aid: order.aid,
      gatehouse_checkout: order.checkoutId,
      gatehouse_payment: order.paymentId,
    }
    expect(session).toMatchObject({ client_reference_id: order.checkoutId, metadata: names })
    expect(fake.ledger.intents.get(session.payment_intent as string)?.metadata).toEqual(names)

    const saving = checkoutOrder({ charge: undefined })
    const setup = fake.pay((await stripe.startCheckout(saving)).ref)
    expect(fake.ledger.setups.get(setup.setup_intent as string)?.metadata).toMatchObject({
      gatehouse_payment: saving.paymentId,
    })
  })

  it('keeps no card where none was asked for', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ keepCard: false }))
    const session = fake.pay(ref)
    expect(session.customer).toBeNull()
    const finding = await stripe.find.checkout(ref)
    expect(finding).toMatchObject({ status: 'paid', payment: { status: 'succeeded' } })
    expect(finding).not.toHaveProperty('method')
  })

  it('saves a card without a charge', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ charge: undefined }))
    const session = fake.pay(ref)
    expect(session).toMatchObject({ mode: 'setup', payment_intent: null, currency: 'eur' })
    const finding = await stripe.find.checkout(ref)
    expect(finding).toEqual({
      status: 'paid',
      method: expect.stringMatching(/^cus_\w+:pm_\w+$/),
      fingerprint: 'fp_good',
    })
  })

  it('is the same page when it is asked for twice', async () => {
    const order = checkoutOrder()
    const pages = [await stripe.startCheckout(order), await stripe.startCheckout(order)]
    expect(pages[1]).toEqual(pages[0])
  })

  it('is the same page when it is asked for later, and the service has another address since', async () => {
    const order = checkoutOrder()
    failWith('reset_after', 'POST /v1/checkout/sessions')
    await troubleOf(stripe.startCheckout(order))
    fake.fault = () => undefined
    const page = await stripe.startCheckout({ ...order, doneUrl: 'https://other.example.com/done' })
    expect([...fake.ledger.sessions.values()].filter(isOf(order))).toHaveLength(1)
    expect(page.ref).toBe([...fake.ledger.sessions.values()].find(isOf(order))?.id)
  })

  it('is asked for with the same bytes, a minute later too', async () => {
    const order = checkoutOrder({ created: Date.now() - 60_000, expires: Date.now() + 8 * HOUR_MS })
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await stripe.startCheckout(order)
      vi.setSystemTime(Date.now() + 60_000)
      await stripe.startCheckout(order)
    } finally {
      vi.useRealTimers()
    }
    const texts = callsTo('POST /v1/checkout/sessions').map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts[1]).toBe(texts[0])
  })

  it('stays open after a declined card, and is paid by the next one', async () => {
    const order = checkoutOrder()
    const { ref } = await stripe.startCheckout(order)
    fake.pay(ref, 'declined')
    expect(await stripe.find.checkout(ref)).toMatchObject({ status: 'open' })
    fake.pay(ref)
    expect(await stripe.find.checkout(ref)).toMatchObject({ status: 'paid' })
    expect(fake.ledger.chargesOf(order.paymentId)).toHaveLength(1)
  })

  it('is left to its payer, whose card was declined, by whoever looks at its payment', async () => {
    const order = checkoutOrder()
    const { ref } = await stripe.startCheckout(order)
    const intent = fake.pay(ref, 'declined').payment_intent as string
    const wanted = { paymentId: order.paymentId, ref: intent, method: undefined }
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'pending' })
    fake.pay(ref)
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'succeeded' })
  })

  it('expires', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    fake.expire(ref)
    expect(await stripe.find.checkout(ref)).toEqual({ status: 'expired' })
  })

  it.each([
    [true, { status: 'paid', payment: { status: 'succeeded' } }],
    [false, { status: 'expired', payment: { status: 'failed', failure: 'declined' } }],
  ])('is not paid while the bank thinks it over (then paid: %s)', async (isPaid, finding) => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    const { payment_intent } = fake.pay(ref, 'slow')
    expect(await stripe.find.checkout(ref)).toMatchObject({
      status: 'open',
      payment: { status: 'pending' },
    })
    fake.finishSlow(payment_intent as string, isPaid)
    expect(await stripe.find.checkout(ref)).toMatchObject(finding)
  })

  it('tells of a dispute that came at once', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    fake.openDispute(fake.pay(ref).payment_intent as string)
    expect(await stripe.find.checkout(ref)).toMatchObject({ payment: { dispute: 'opened' } })
  })

  it.each([
    ['as wanted', 5 * HOUR_MS, 5 * HOUR_MS],
    ['not sooner than Stripe can', 60_000, HOUR_MS / 2],
    ['not later than Stripe can', 400 * 24 * HOUR_MS, 24 * HOUR_MS],
  ])('ends %s', async (_rule, wanted, expected) => {
    const now = Date.now()
    const { ref } = await stripe.startCheckout(checkoutOrder({ expires: now + wanted }))
    const left = (fake.ledger.sessions.get(ref)?.expires_at as number) * 1000 - now
    expect(Math.abs(left - expected)).toBeLessThanOrEqual(3 * 60_000)
  })

  it('leaves an address that Stripe would refuse to the payer', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ email: 'jürgen@example.com' }))
    expect(fake.ledger.sessions.get(ref)?.customer_email).toBeNull()
    const plain = await stripe.startCheckout(checkoutOrder({ email: "o'neil+a@example.co.uk" }))
    expect(fake.ledger.sessions.get(plain.ref)?.customer_email).toBe("o'neil+a@example.co.uk")
  })

  it.each([
    ['that Stripe has no units for', { amount: 1234, currency: 'KWD' }, '1.234 KWD'],
    ['too small for Stripe', { amount: 49, currency: 'EUR' }, '0.49 EUR'],
  ])('is refused for an amount %s', async (_what, charge, shown) => {
    const refused = expect(stripe.startCheckout(checkoutOrder({ charge }))).rejects
    await refused.toMatchObject({
      code: 'payments_not_set_up',
      message: expect.stringContaining(shown),
    })
  })

  it.each([
    ['javascript:alert(1)'],
    ['http://evil.example.com/pay'],
    ['//evil.example.com'],
    ['https:'],
    [''],
  ])('never sends a payer to %s', async (url) => {
    failWith({ rewrite: (body) => ({ ...body, url }) }, 'POST /v1/checkout/sessions')
    await troubleOf(stripe.startCheckout(checkoutOrder()))
  })

  it('of another is not taken for this one', async () => {
    const rewrite = (body: object) => ({ ...body, client_reference_id: 'another' })
    failWith({ rewrite }, 'POST /v1/checkout/sessions')
    await troubleOf(stripe.startCheckout(checkoutOrder()))
  })

  it.each<[string, (body: Record<string, unknown>) => unknown]>([
    ['a checkout of another system', (body) => ({ ...body, metadata: {} })],
    [
      'a checkout and a payment of another system',
      (body) => edit({ ...body, metadata: {} }, 'payment_intent', { metadata: {} }),
    ],
    ['a payment of another checkout', (body) => edit(body, 'payment_intent', { metadata: {} })],
    ['a payment in no currency', (body) => edit(body, 'payment_intent', { currency: 'zzz' })],
    ['a payment of no amount', (body) => edit(body, 'payment_intent', { amount_received: '499' })],
    ['a payment in no known state', (body) => edit(body, 'payment_intent', { status: 'fine' })],
    ['a card of nobody', (body) => edit(body, 'payment_intent', { customer: null })],
    ['no payment', (body) => ({ ...body, payment_intent: null })],
    ['a payment by name only', (body) => ({ ...body, payment_intent: 'pi_123' })],
  ])('is not taken for paid by %s', async (_what, rewrite) => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    fake.pay(ref)
    failWith({ rewrite }, 'GET /v1/checkout/sessions/:id')
    await troubleOf(stripe.find.checkout(ref))
  })
})

const edit = (body: Record<string, unknown>, field: string, change: object) => ({
  ...body,
  [field]: { ...(body[field] as object), ...change },
})

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

describe('a dispute', () => {
  it.each([
    ['needs_response', 'opened'],
    ['under_review', 'opened'],
    ['warning_needs_response', 'opened'],
    ['warning_under_review', 'opened'],
    ['appeal_needs_response', 'opened'],
    ['something_new', 'opened'],
    ['won', 'won'],
    ['warning_closed', 'won'],
    ['lost', 'lost'],
  ])('that is %s is %s', async (status, dispute) => {
    const { order, ref } = await charged()
    const wanted = { paymentId: order.paymentId, method: undefined, ref }
    fake.settleDispute(fake.openDispute(ref), status)
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'succeeded', dispute })
  })

  it.each([
    ['resolution', 'lost'],
    ['block', 'won'],
  ])('that was prevented by a %s is %s', async (caseType, dispute) => {
    const { order, ref } = await charged()
    const id = fake.openDispute(ref, 'prevented')
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
    expect(await stripe.find.payment(wanted)).toMatchObject({ dispute: 'opened' })
    fake.settleDispute(second, 'lost')
    fake.openDispute(ref)
    expect(await stripe.find.payment(wanted)).toMatchObject({ dispute: 'lost' })
  })

  it('is told of no payment that was never disputed', async () => {
    const { order, ref } = await charged()
    const wanted = { paymentId: order.paymentId, method: undefined, ref }
    expect(await stripe.find.payment(wanted)).not.toHaveProperty('dispute')
    expect(callsTo('GET /v1/disputes')).toEqual([])
  })
})

describe('a refund by Stripe', () => {
  it('pays back a part, and then the rest, each once', async () => {
    const { ref } = await charged()
    const part = refundOrder(ref, { money: { amount: 300, currency: 'EUR' } })
    const rest = refundOrder(ref, { money: { amount: 699, currency: 'EUR' } })
    for (const order of [part, rest]) {
      const { refundId, paymentRef, money } = order
      expect(await stripe.find.refund({ refundId, paymentRef })).toBeUndefined()
      const finding = await stripe.refund(order)
      expect(finding).toEqual({ status: 'succeeded', ref: expect.stringMatching(/^re_/), money })
      expect(await stripe.refund(order)).toEqual(finding)
      expect(await stripe.find.refund({ refundId, paymentRef })).toEqual(finding)
      expect(fake.ledger.refundsOf(refundId)).toHaveLength(1)
    }
  })

  it('of what is refunded has failed', async () => {
    const { ref } = await charged()
    await stripe.refund(refundOrder(ref))
    const order = refundOrder(ref)
    const { money } = order
    const failed = { status: 'failed', ref: undefined, money, failure: 'already_refunded' }
    expect(await stripe.refund(order)).toEqual(failed)
  })

  it('of what is disputed has failed', async () => {
    const { ref } = await charged()
    fake.openDispute(ref)
    const order = refundOrder(ref)
    expect(await stripe.refund(order)).toMatchObject({ status: 'failed', failure: 'disputed' })
    expect(fake.ledger.refundsOf(order.refundId)).toEqual([])
  })

  it.each([
    ['more than was paid', { amount: 1_000, currency: 'EUR' }],
    ['what Stripe has no units for', { amount: 1_235, currency: 'KWD' }],
  ])('of %s is refused', async (_what, money) => {
    const { ref } = await charged()
    expect(await stripe.refund(refundOrder(ref, { money }))).toEqual({
      status: 'failed',
      ref: undefined,
      money,
      failure: 'refused',
    })
  })

  it('that is in its own way, since Stripe has forgotten its key, has succeeded', async () => {
    const order = refundOrder((await charged()).ref)
    const finding = await stripe.refund(order)
    fake.forgetKeys()
    expect(await stripe.refund(order)).toEqual(finding)
    expect(fake.ledger.refundsOf(order.refundId)).toHaveLength(1)
  })

  it.each<[FakeStripe['ledger']['newRefundStatus'], Partial<RefundFinding>]>([
    ['pending', { status: 'pending' }],
    ['requires_action', { status: 'pending' }],
    ['failed', { status: 'failed', failure: 'refused' }],
    ['canceled', { status: 'failed', failure: 'refused' }],
  ])('that is %s at Stripe is so here', async (status, finding) => {
    fake.ledger.newRefundStatus = status
    const order = refundOrder((await charged()).ref)
    expect(await stripe.refund(order)).toMatchObject(finding)
  })

  it('that came back is found to have failed', async () => {
    fake.ledger.newRefundStatus = 'pending'
    const order = refundOrder((await charged()).ref)
    const { ref } = await stripe.refund(order)
    fake.settleRefund(ref as string, 'failed')
    const { refundId, paymentRef } = order
    expect(await stripe.find.refund({ refundId, paymentRef })).toMatchObject({ status: 'failed' })
  })

  it('of a payment that Stripe does not know stays undecided', async () => {
    await troubleOf(stripe.refund(refundOrder('pi_unknown')))
  })

  it.each<[string, (body: Record<string, unknown>) => unknown]>([
    ['another amount', (body) => ({ ...body, amount: 1 })],
    ['another currency', (body) => ({ ...body, currency: 'usd' })],
    ['another payment', (body) => ({ ...body, payment_intent: 'pi_other' })],
    ['no known state', (body) => ({ ...body, status: 'great' })],
    ['no state', (body) => ({ ...body, status: null })],
    ['nothing', () => ({})],
  ])('is not settled by an answer of %s', async (_what, rewrite) => {
    const order = refundOrder((await charged()).ref)
    failWith({ rewrite }, CREATE_REFUND)
    await troubleOf(stripe.refund(order))
  })
})

const FAULTS: readonly Fault[] = [
  'hang_before',
  'hang_after',
  ...QUICK_FAULTS,
  'drip',
  'huge',
  'not_json',
  'wrong_types',
]

describe.each(FAULTS)('while Stripe is in trouble (%s)', (fault) => {
  it('a charge is undecided, asked once, and in the end made once', async () => {
    const hasty = connect({ timeout: TIMEOUT_MS })
    const order = chargeOrder(await saveCard())
    failWith(fault, CREATE_INTENT)
    await troubleOf(hasty.charge(order))
    expect(callsTo(CREATE_INTENT)).toHaveLength(1)
    failWith(undefined, CREATE_INTENT)
    const { paymentId, method, money } = order
    const found = await stripe.find.payment({ paymentId, method, ref: undefined })
    expect(found ?? (await stripe.charge(order))).toMatchObject({ status: 'succeeded', money })
    expect(fake.ledger.chargesOf(paymentId)).toHaveLength(1)
  })

  it('a refund is undecided, asked once, and in the end made once', async () => {
    const hasty = connect({ timeout: TIMEOUT_MS })
    const order = refundOrder((await charged()).ref)
    failWith(fault, CREATE_REFUND)
    await troubleOf(hasty.refund(order))
    expect(callsTo(CREATE_REFUND)).toHaveLength(1)
    failWith(undefined, CREATE_REFUND)
    const { refundId, paymentRef, money } = order
    const found = await stripe.find.refund({ refundId, paymentRef })
    expect(found ?? (await stripe.refund(order))).toMatchObject({ status: 'succeeded', money })
    expect(fake.ledger.refundsOf(refundId)).toHaveLength(1)
  })

  it('nothing that is looked for is said to be unknown', async () => {
    const hasty = connect({ timeout: TIMEOUT_MS })
    const { order, ref } = await charged()
    const { paymentId, method } = order
    const checkout = await stripe.startCheckout(checkoutOrder())
    fake.fault = () => fault
    await Promise.all([
      troubleOf(hasty.find.payment({ paymentId, method, ref })),
      troubleOf(hasty.find.payment({ paymentId, method, ref: undefined })),
      troubleOf(hasty.find.refund({ refundId: newId(), paymentRef: ref })),
      troubleOf(hasty.find.checkout(checkout.ref)),
      troubleOf(hasty.startCheckout(checkoutOrder())),
    ])
  })
})

describe('what Stripe is told, and not told', () => {
  it('no call takes longer than its time, however much comes', async () => {
    const hasty = connect({ timeout: TIMEOUT_MS })
    const order = chargeOrder(await saveCard())
    for (const fault of ['hang_before', 'drip'] as const) {
      failWith(fault, CREATE_INTENT)
      const startedAt = performance.now()
      const { message } = await troubleOf(hasty.charge(order))
      expect(message).toContain('250 ms')
      expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS * 8)
    }
    failWith('huge', CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toContain('larger than')
  })

  it('the pause that Stripe asks for is passed on', async () => {
    const order = chargeOrder(await saveCard())
    failWith('rate_limited', CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).retryAfter).toBe(7_000)
  })

  it('a key for another order is trouble, and no second charge', async () => {
    const order = chargeOrder(await saveCard())
    await stripe.charge(order)
    await troubleOf(stripe.charge({ ...order, title: 'Renamed' }))
    expect(fake.ledger.chargesOf(order.paymentId)).toHaveLength(1)
  })

  it('a key that Stripe refuses is named by its setting', async () => {
    const order = chargeOrder(await saveCard())
    const test = connect({ secretKey: 'sk_test_somethingelse' })
    expect((await troubleOf(test.charge(order))).message).toContain(
      'GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY',
    )
    const live = connect({ secretKey: 'rk_live_somethingelse' })
    const { message } = await troubleOf(live.charge(order))
    expect(message).toContain(' GATEHOUSE_STRIPE_SECRET_KEY ')
    expect(message).not.toContain('somethingelse')
  })

  it('an address where nobody is, is trouble', async () => {
    const nowhere = createStripe({
      secretKey: fake.secretKey,
      webhookSecret: fake.webhookSecret,
      api: 'http://127.0.0.1:1',
    })
    const { message } = await troubleOf(nowhere.startCheckout(checkoutOrder()))
    expect(message).toContain('ECONNREFUSED')
  })

  it('whoever can’t prove to be Stripe is told nothing', async () => {
    const stranger = await startSmtp({ secure: true })
    const stripeThere = createStripe({
      secretKey: fake.secretKey,
      webhookSecret: fake.webhookSecret,
      api: `https://127.0.0.1:${stranger.port}`,
    })
    const { message } = await troubleOf(stripeThere.startCheckout(checkoutOrder()))
    expect(message).toMatch(/CERT|SIGNED/)
    await stranger.stop()
  })

  it('a parameter that Stripe no longer takes is nobody’s declined card', async () => {
    const error = { type: 'invalid_request_error', code: 'parameter_unknown', param: 'off_session' }
    const order = chargeOrder(await saveCard())
    failWith({ status: 400, rewrite: () => ({ error }) }, CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toContain('parameter_unknown')
  })

  it.each([500, 302, 404, 418])('a success under the status %d is trouble', async (status) => {
    const order = chargeOrder(await saveCard())
    failWith({ status, rewrite: (body) => body }, CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toContain(String(status))
  })

  it('a missing permission is named, and the setting of its key', async () => {
    const error = { type: 'invalid_request_error', message: "The key sk_test_…89 can't do this" }
    const order = chargeOrder(await saveCard())
    failWith({ status: 403, rewrite: () => ({ error }) }, CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toMatch(/STRIPE_SECRET_KEY.*permission/)
  })

  it('payers pay by card, in the currency of the price', async () => {
    await stripe.startCheckout(checkoutOrder())
    const params = new URLSearchParams(fake.calls[0]?.text)
    expect(params.get('adaptive_pricing[enabled]')).toBe('false')
    expect(params.get('allowed_payment_method_types[0]')).toBe('card')
    expect(params.get('line_items[0][price_data][currency]')).toBe('eur')
  })

  it('one version of the interface, and nothing about this machine', async () => {
    await saveCard()
    for (const { headers } of fake.calls) {
      expect(headers['stripe-version']).toBe('2026-10-28.endive')
      expect(headers['x-stripe-client-telemetry']).toBeUndefined()
      expect(headers['x-stripe-client-user-agent']).not.toMatch(/platform|telemetry_id/)
    }
  })
})

describe('an event of Stripe', () => {
  const WALL = Date.UTC(2027, 4, 1)
  const received = ({ headers, body }: ReturnType<FakeStripe['signEvent']>, realTime = WALL) => ({
    headers,
    body: Buffer.from(body),
    realTime,
  })
  const read = (event: object) => stripe.readEvent(received(fake.signEvent(event, WALL)))
  const event = (type: string, object: object) => ({ id: 'evt_1', type, data: { object } })
  const session = event('checkout.session.completed', {
    id: 'cs_1',
    metadata: { gatehouse_checkout: 'c1', gatehouse_payment: 'p1' },
  })

  it.each([
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.expired',
  ])('%s is about a checkout', async (type) => {
    const subject = { kind: 'checkout', checkoutId: 'c1', page: { ref: 'cs_1' } }
    expect(await read({ ...session, type })).toMatchObject([subject])
  })

  it.each([
    ['checkout.session.completed', true],
    ['checkout.session.async_payment_succeeded', true],
    ['checkout.session.async_payment_failed', false],
    ['checkout.session.expired', false],
  ])('%s says whether the checkout is complete: %s', async (type, isComplete) => {
    expect(await read({ ...session, type })).toMatchObject([{ isComplete }])
  })

  it('about a checkout names the installation and the charge', async () => {
    const metadata = { gatehouse_checkout: 'c1', gatehouse_installation: 'i1', gatehouse_aid: 'a1' }
    const object = { id: 'cs_1', created: 7, payment_intent: 'pi_1', metadata }
    expect(await read(event('checkout.session.completed', object))).toEqual([
      {
        ...{ kind: 'checkout', checkoutId: 'c1', isComplete: true },
        page: {
          ref: 'cs_1',
          owner: { installation: 'i1', aid: 'a1' },
          created: 7,
          paymentRef: 'pi_1',
        },
      },
    ])
  })

  it('about a refund that was made by hand names its payment', async () => {
    const object = { id: 're_1', payment_intent: 'pi_1', metadata: {} }
    const subject = { kind: 'refund', ref: 're_1', paymentRef: 'pi_1' }
    expect(await read(event('refund.created', object))).toMatchObject([subject])
  })

  it.each([
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
    'payment_intent.processing',
  ])('%s is about a payment', async (type) => {
    const object = { id: 'pi_1', metadata: { gatehouse_payment: 'p1' } }
    const subject = { kind: 'payment', paymentId: 'p1', ref: 'pi_1' }
    expect(await read(event(type, object))).toMatchObject([subject])
  })

  it.each(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])(
    '%s is about a refund',
    async (type) => {
      const metadata = { gatehouse_refund: 'r1', gatehouse_aid: 'a1' }
      const object = { id: 're_1', payment_intent: 'pi_1', metadata }
      const subject = { kind: 'refund', refundId: 'r1', ref: 're_1', paymentRef: 'pi_1' }
      expect(await read(event(type, object))).toEqual([{ ...subject, owner: { aid: 'a1' } }])
    },
  )

  it.each(['charge.dispute.created', 'charge.dispute.closed', 'charge.dispute.funds_withdrawn'])(
    '%s is about the payment that is disputed',
    async (type) => {
      const { order, ref } = await charged()
      const dispute = fake.ledger.disputes.get(fake.openDispute(ref)) as object
      const subject = { kind: 'payment', paymentId: order.paymentId, ref }
      expect(await read(event(type, dispute))).toMatchObject([subject])
    },
  )

  it('about a dispute comes again while Stripe does not say whose payment it is', async () => {
    const { ref } = await charged()
    const dispute = fake.ledger.disputes.get(fake.openDispute(ref)) as object
    fake.fault = () => 'reset_before'
    await troubleOf(read(event('charge.dispute.created', dispute)))
  })

  it.each<[string, object]>([
    ['a type that we don’t follow', event('invoice.paid', { id: 'in_1', metadata: {} })],
    ['a thing without a name', event('balance.available', { object: 'balance' })],
    ['a checkout of another system', event('checkout.session.completed', { id: 'cs_2' })],
    [
      'a payment of another system',
      event('payment_intent.succeeded', { id: 'pi_2', metadata: {} }),
    ],
    ['a refund of another system', event('refund.created', { id: 're_2', metadata: null })],
    ['a dispute of another system', event('charge.dispute.created', { id: 'du_2' })],
    [
      'a disputed payment that is unknown',
      event('charge.dispute.created', { id: 'du_2', payment_intent: 'pi_unknown' }),
    ],
    ['metadata of the wrong type', event('refund.created', { id: 're_2', metadata: 'r1' })],
    ['nothing', {}],
    ['a list', []],
  ])('about %s is about nothing', async (_what, odd) => {
    expect(await read(odd)).toEqual([])
  })

  it('comes again until it is taken, more than once and in any order', async () => {
    const own = await startFakeStripe()
    const seller = createStripe({ ...own, api: own.url })
    const order = checkoutOrder()
    own.pay((await seller.startCheckout(order)).ref)
    const subjects: (EventSubject[] | undefined)[] = []
    let status = 500
    const door = createServer(async (request, response) => {
      const body = await buffer(request)
      const { headers } = request
      subjects.push(await seller.readEvent({ headers, body, realTime: Date.now() }))
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/events/stripe`
    const twice = 2 * own.events.length
    const how = { copies: 2, random: seededRandom(7) }
    expect(await own.deliver(url, how)).toEqual(Array(twice).fill(500))
    status = 200
    expect(await own.deliver(url, how)).toEqual(Array(twice).fill(200))
    expect(await own.deliver(url, how)).toEqual([])
    const checkout = { kind: 'checkout', checkoutId: order.checkoutId }
    expect(subjects.flat().filter((one) => one?.kind === 'checkout')).toMatchObject(
      Array(4).fill(checkout),
    )
    await new Promise((resolve) => door.close(resolve))
    expect(await own.deliver(url)).toEqual([])
    await own.stop()
  })

  it('is good for five minutes by the wall clock that it is read with', async () => {
    const sent = fake.signEvent(session, WALL)
    expect(await stripe.readEvent(received(sent, WALL + 300_000))).toHaveLength(1)
    expect(await stripe.readEvent(received(sent, WALL + 301_000))).toBeUndefined()
    expect(await stripe.readEvent(received(fake.signEvent(session), WALL))).toBeUndefined()
  })

  it('is refused with any byte changed', async () => {
    const { headers, body } = fake.signEvent(session, WALL)
    for (let at = 0; at < body.length; at++) {
      const altered = Buffer.from(body)
      altered[at] = (altered[at] as number) ^ 1
      expect(await stripe.readEvent({ headers, body: altered, realTime: WALL })).toBeUndefined()
    }
    for (const other of [`${body} `, ` ${body}`, `\uFEFF${body}`, body.slice(0, -1), '']) {
      expect(await stripe.readEvent(received({ headers, body: other }))).toBeUndefined()
    }
  })

  it('is refused with another signature, or none', async () => {
    const { headers, body } = fake.signEvent(session, WALL)
    const good = headers['stripe-signature'] as string
    const [time, mac] = good.split(',') as [string, string]
    const forged = [
      '',
      'garbage',
      time,
      mac,
      `${time},v1=`,
      `${time},v1=${'0'.repeat(64)}`,
      `${time},v1=${'é'.repeat(64)}`,
      `${time},${mac.slice(0, -1)}`,
      `${time},${mac.replace('v1', 'v0')}`,
      `t=${Number(time.slice(2)) + 1},${mac}`,
      `t=abc,${mac}`,
    ]
    for (const signature of forged) {
      const sent = { headers: { 'stripe-signature': signature }, body }
      expect(await stripe.readEvent(received(sent)), signature).toBeUndefined()
    }
    expect(await stripe.readEvent(received({ headers: {}, body }))).toBeUndefined()
    const twice = { 'stripe-signature': [good, good] as unknown as string }
    expect(await stripe.readEvent(received({ headers: twice, body }))).toBeUndefined()
  })

  it('is refused when another secret has signed it, and taken when one of two is right', async () => {
    const stranger = createStripe({
      secretKey: fake.secretKey,
      webhookSecret: 'whsec_another0123456789',
      api: fake.url,
    })
    const { headers, body } = fake.signEvent(session, WALL)
    expect(await stranger.readEvent(received({ headers, body }))).toBeUndefined()
    const [time, mac] = (headers['stripe-signature'] as string).split(',')
    const both = { 'stripe-signature': `${time},v1=${'0'.repeat(64)},${mac}` }
    expect(await stripe.readEvent(received({ headers: both, body }))).toHaveLength(1)
  })
})

describe('an amount', () => {
  /** Currency, amount in major units, and amount as Stripe expects it. */
  it.each([
    ['EUR', 4.99, 499],
    ['USD', 10, 1000],
    ['JPY', 500, 500],
    ['KRW', 12000, 12000],
    ['XOF', 650, 650],
    ['ISK', 5, 500],
    ['UGX', 20000, 2000000],
    ['HUF', 3500, 350000],
    ['COP', 9000, 900000],
    ['IDR', 49000, 4900000],
    ['TWD', 800, 80000],
    ['KWD', 5.12, 5120],
    ['TND', 0.5, 500],
    ['JOD', 7, 7000],
  ])('of %s %d is %d for Stripe, and back', (currency, major, amount) => {
    const money = { amount: Math.round(major * 10 ** decimalsOf(currency)), currency }
    const there = { amount, currency: currency.toLowerCase() }
    expect(toStripeAmount(money)).toEqual(there)
    expect(fromStripeAmount(there)).toEqual(money)
  })

  it('that Stripe has no way to take is none', () => {
    expect(toStripeAmount({ amount: 5124, currency: 'KWD' })).toBeUndefined()
    expect(toStripeAmount({ amount: 5125, currency: 'LYD' })).toBeUndefined()
    const tooLarge = { amount: Number.MAX_SAFE_INTEGER, currency: 'ISK' }
    expect(toStripeAmount(tooLarge)).toBeUndefined()
  })

  it('that is not one of ours is none', () => {
    expect(fromStripeAmount({ amount: 500, currency: 'zzz' })).toBeUndefined()
    expect(fromStripeAmount({ amount: 550, currency: 'isk' })).toBeUndefined()
  })

  it('comes back as it went, in every currency', () => {
    for (const currency of Intl.supportedValuesOf('currency')) {
      const money = { amount: 123_000, currency }
      const there = toStripeAmount(money)
      expect(there && fromStripeAmount(there), currency).toEqual(money)
    }
  })
})

describe('under random trouble', () => {
  const SEED = Number(process.env.SEED ?? 20_270_501)
  /** `npm run stress money` carries out 2,000. */
  const ORDERS = 20
  const WORKERS = 10

  /** Retries as the service does: looks for the order first, then repeats it with the same idempotency key. */
  async function carryOut<T extends { status: string }>(
    find: () => Promise<T | undefined>,
    order: () => Promise<T>,
  ): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const finding = (tries > 0 ? await find() : undefined) ?? (await order())
        if (finding.status !== 'pending') return finding
      } catch (error) {
        expect(error).toBeInstanceOf(ProviderError)
      }
    }
  }

  it(`every charge and every refund is made once (seed ${SEED})`, async () => {
    const random = seededRandom(SEED)
    const hasty = connect({ timeout: 100 })
    const cards: FakeCard[] = ['good', 'good', 'good', 'declined_later', 'needs_payer_later']
    const orders: ChargeOrder[] = []
    for (let count = 0; count < ORDERS; count++) {
      const card = cards[Math.floor(random() * cards.length)] as FakeCard
      orders.push(chargeOrder(await saveCard(card)))
    }
    fake.fault = randomFaults(
      random,
      0.4,
      FAULTS.filter((fault) => fault !== 'huge'),
    )

    async function chargeAndRefund(order: ChargeOrder): Promise<void> {
      const { paymentId, method } = order
      const paid = await carryOut(
        () => hasty.find.payment({ paymentId, method, ref: undefined }),
        () => hasty.charge(order),
      )
      const isGood = fake.ledger.methods.get(method.split(':')[1] as string)?.card === 'good'
      expect(paid.status).toBe(isGood ? 'succeeded' : 'failed')
      expect(fake.ledger.chargesOf(paymentId)).toHaveLength(isGood ? 1 : 0)
      if (!isGood) return
      const input = refundOrder(paid.ref as string)
      const { refundId, paymentRef } = input
      const refunded = await carryOut(
        () => hasty.find.refund({ refundId, paymentRef }),
        () => hasty.refund(input),
      )
      expect(refunded.status).toBe('succeeded')
      expect(fake.ledger.refundsOf(refundId)).toHaveLength(1)
    }

    const waiting = [...orders]
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (let order = waiting.pop(); order; order = waiting.pop()) await chargeAndRefund(order)
      }),
    )
    expect(fake.ledger.intents.size).toBeGreaterThanOrEqual(ORDERS)
  })
})
