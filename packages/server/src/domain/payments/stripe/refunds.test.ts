import { describe, expect, it } from 'vitest'
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts'
import {
  CREATE_REFUND,
  refundOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { RefundFinding } from '../provider.ts'

const { fake, stripe, charged, failWith, callsTo } = useStripeProvider()

function refuse(
  error: { code: string | undefined; param: string | undefined },
  route = CREATE_REFUND,
) {
  const rewrite = () => ({ error: { type: 'invalid_request_error', ...error } })
  failWith({ status: 400, rewrite }, route)
}

/** A payment that the fake refuses to refund. */
const unpaid = () => fake.ledger.addIntent({ amount: 999, currency: 'eur', metadata: {} })

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

  it('is ordered for its payment and amount, with our names on it', async () => {
    const { ref } = await charged()
    const order = refundOrder(ref, { labels: { installation: 'i1', reference: 'case 7' } })
    await stripe.refund(order)
    const [call] = callsTo(CREATE_REFUND)
    expect(Object.fromEntries(new URLSearchParams(call?.text))).toEqual({
      payment_intent: ref,
      amount: '999',
      'metadata[gatehouse_installation]': 'i1',
      'metadata[gatehouse_aid]': order.aid,
      'metadata[gatehouse_refund]': order.refundId,
      'metadata[gatehouse_reference]': 'case 7',
    })
    expect(call?.idempotencyKey).toBe(`gatehouse-refund-${order.refundId}`)
  })

  it.each([
    ['charge_already_refunded', undefined, 'already_refunded'],
    ['charge_disputed', undefined, 'disputed'],
    ['refund_disputed_payment', undefined, 'disputed'],
    ['charge_not_refundable', undefined, 'refused'],
    [undefined, 'amount', 'refused'],
    ['amount_too_large', undefined, 'refused'],
    ['a_new_code', 'amount', 'refused'],
  ])('that Stripe refuses with %s (%s) has failed: %s', async (code, param, failure) => {
    const order = refundOrder(unpaid().id)
    refuse({ code, param })
    const { money } = order
    expect(await stripe.refund(order)).toEqual({ status: 'failed', ref: undefined, money, failure })
  })

  it.each([
    ['parameter_unknown', 'amount'],
    ['resource_missing', 'payment_intent'],
    [undefined, 'metadata'],
    [undefined, undefined],
  ])('that Stripe refuses with %s (%s) is undecided', async (code, param) => {
    const order = refundOrder(unpaid().id)
    refuse({ code, param })
    await troubleOf(stripe.refund(order))
  })

  it('is undecided if it was refused, and nobody can say whether it was made before', async () => {
    const order = refundOrder((await charged()).ref)
    await stripe.refund(order)
    fake.forgetKeys()
    failWith('reset_before', 'GET /v1/refunds')
    await troubleOf(stripe.refund(order))
  })

  it('is found by Stripe’s id or by ours, and is no other refund of the payment', async () => {
    const { ref: paymentRef } = await charged()
    const order = refundOrder(paymentRef, { money: { amount: 300, currency: 'EUR' } })
    const { refundId } = order
    const made = await stripe.refund(order)
    const byHand = fake.refundByHand(paymentRef, 200)
    Object.assign(fake.ledger.refunds.get(byHand) as object, { metadata: null })
    expect(await stripe.find.refund({ refundId, paymentRef })).toEqual(made)
    const unknown = { refundId: 'r_unknown', paymentRef }
    expect(await stripe.find.refund(unknown)).toBeUndefined()
    expect(await stripe.find.refund({ ...unknown, ref: byHand })).toEqual({
      status: 'succeeded',
      ref: byHand,
      money: { amount: 200, currency: 'EUR' },
    })
    expect(await stripe.find.refund({ ...unknown, ref: made.ref })).toEqual(made)
    fake.ledger.refunds.delete(byHand)
  })

  it('is unknown if Stripe does not know the payment', async () => {
    refuse({ code: 'resource_missing', param: 'payment_intent' }, 'GET /v1/refunds')
    const wanted = { refundId: 'r1', paymentRef: 'pi_unknown' }
    expect(await stripe.find.refund(wanted)).toBeUndefined()
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

  it('of what a bank only asks about is made', async () => {
    const { ref } = await charged()
    fake.openDispute(ref, { status: 'warning_needs_response' })
    expect(await stripe.refund(refundOrder(ref))).toMatchObject({ status: 'succeeded' })
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
