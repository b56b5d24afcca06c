import { describe, expect, it } from 'vitest'
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts'
import {
  CREATE_REFUND,
  refundOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { RefundFinding } from '../provider.ts'

const { fake, stripe, charged, failWith } = useStripeProvider()

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
