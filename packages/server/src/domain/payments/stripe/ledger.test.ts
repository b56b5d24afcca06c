import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../ids.ts'
import {
  checkoutOrder,
  HOUR_MS,
  refundOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { ProviderLedger } from '../provider.ts'

const { fake, stripe, saveCard, charged, failWith, callsTo } = useStripeProvider()

const SEARCH = 'GET /v1/payment_intents/search'
const LIST = 'GET /v1/payment_intents'
const ledger = () => stripe.ledger as ProviderLedger

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of items) found.push(one)
  return found
}

const refsOf = (items: { ref: string }[]) => items.map(({ ref }) => ref)

describe('the charges of a subscription', () => {
  const renewalOf = () => ({
    ...{ installation: newId(), subscriptionId: newId() },
    ...{ periodStart: 1_000, attempt: 0 },
  })

  /** Long after the charges, when the search has them. */
  beforeEach(() => {
    fake.ledger.searchDelayMs = 0
  })

  it('are found by the card only, while the search lags behind', async () => {
    fake.ledger.searchDelayMs = HOUR_MS
    const renewal = renewalOf()
    const other = await charged({ labels: renewal })
    const { order, ref } = await charged({ labels: renewal })
    const find = async () => refsOf(await stripe.find.charges({ renewal, method: order.method }))
    expect(await find()).toEqual([ref])
    fake.ledger.searchDelayMs = 0
    expect((await find()).sort()).toEqual([other.ref, ref].sort())
  })

  it('are found by the card, and by the subscription under another card', async () => {
    const renewal = renewalOf()
    const other = await charged({ labels: renewal })
    const stranger = await charged({ labels: { ...renewal, subscriptionId: newId() } })
    const elsewhere = await charged({ labels: { ...renewal, installation: newId() } })
    const { order, ref } = await charged()
    const { method } = order
    const customer = method.split(':')[0] as string
    fake.ledger.addIntent({ amount: 999, currency: 'eur', customer, metadata: {} })
    const found = await stripe.find.charges({ renewal, method })
    expect(refsOf(found).sort()).toEqual([other.ref, ref].sort())
    expect(refsOf(found)).not.toContain(stranger.ref)
    expect(refsOf(found)).not.toContain(elsewhere.ref)
    expect(found.find((one) => one.ref === other.ref)).toMatchObject({
      status: 'succeeded',
      money: other.order.money,
      labels: { ...renewal, paymentId: other.order.paymentId },
      method: other.order.method,
    })
  })

  it('are named once each if both the list and the search know them', async () => {
    const renewal = renewalOf()
    const { order, ref } = await charged({ labels: renewal })
    const found = await stripe.find.charges({ renewal, method: order.method })
    expect(refsOf(found)).toEqual([ref])
  })

  it('are found without the customer, if Stripe has forgotten it', async () => {
    const renewal = renewalOf()
    const { ref } = await charged({ labels: renewal })
    const found = await stripe.find.charges({ renewal, method: 'cus_gone:pm_gone' })
    expect(refsOf(found)).toEqual([ref])
  })

  it('are looked for by the subscription only, if the card was saved elsewhere', async () => {
    const renewal = renewalOf()
    const { ref } = await charged({ labels: renewal })
    fake.calls.length = 0
    expect(refsOf(await stripe.find.charges({ renewal, method: 'test-card-4242' }))).toEqual([ref])
    expect(callsTo(LIST)).toEqual([])
  })

  it('are those of the card where Stripe or the key allows no search', async () => {
    const { order, ref } = await charged()
    const query = { renewal: renewalOf(), method: order.method }
    const error = { type: 'invalid_request_error', message: 'No search in this country' }
    for (const fault of ['no_permission', { status: 400, rewrite: () => ({ error }) }] as const) {
      failWith(fault, SEARCH)
      expect(refsOf(await stripe.find.charges(query))).toEqual([ref])
    }
  })

  it.each(['reset_before', 'rate_limited', 'error_before', 'key_refused'] as const)(
    'are unknown while the search or the list is in trouble (%s)',
    async (fault) => {
      const { order } = await charged()
      const query = { renewal: renewalOf(), method: order.method }
      for (const route of [SEARCH, LIST]) {
        failWith(fault, route)
        await troubleOf(stripe.find.charges(query))
      }
    },
  )
})

describe('Stripe’s own records', () => {
  it('show each charge of ours since a time, and nothing of another system', async () => {
    const { order, ref } = await charged({ labels: { userRef: 'reader-1' } })
    const strange = fake.ledger.addIntent({ amount: 999, currency: 'eur', metadata: {} })
    const { created } = strange
    fake.calls.length = 0
    const charges = await all(ledger().charges(created - 60))
    const text = new URLSearchParams(callsTo(LIST)[0]?.text)
    expect([text.get('created[gte]'), text.get('limit')]).toEqual([String(created - 60), '100'])
    expect(refsOf(charges)).toContain(ref)
    expect(refsOf(charges)).not.toContain(strange.id)
    const { aid, paymentId, money, method } = order
    const charge = await ledger().charge(ref)
    expect(charges.find((one) => one.ref === ref)?.read()).toEqual(charge)
    expect(charge).toMatchObject({ ref, status: 'succeeded', money, method })
    expect(charge?.created).toBe(fake.ledger.intents.get(ref)?.created)
    expect(charge?.labels).toMatchObject({ aid, paymentId, userRef: 'reader-1' })
    expect(await ledger().charge(strange.id)).toBeUndefined()
    expect(await ledger().charge('pi_unknown')).toBeUndefined()
    expect(await all(ledger().charges(created + 60))).toEqual([])
  })

  it.each([
    ['a card', { customer: 'cus_1', payment_method: null }],
    ['a customer', { customer: null, payment_method: 'pm_1' }],
  ])('show no saved card for a charge without %s', async (_what, saved) => {
    const metadata = { gatehouse_payment: newId() }
    const { id } = fake.ledger.addIntent({ amount: 999, currency: 'eur', metadata, ...saved })
    expect((await ledger().charge(id))?.method).toBeUndefined()
  })

  it('show refunds since a time, also those made by hand', async () => {
    const { ref: paymentRef } = await charged()
    const money = { amount: 300, currency: 'EUR' }
    const order = refundOrder(paymentRef, { money })
    const { ref } = await stripe.refund(order)
    const byHand = fake.refundByHand(paymentRef)
    const createdOf = (id: string) => fake.ledger.refunds.get(id)?.created as number
    const created = createdOf(ref as string)
    const refunds = await all(ledger().refunds(created - 60))
    expect(refsOf(refunds).slice(0, 2)).toEqual([byHand, ref])
    expect(refunds[1]?.read()).toEqual(await ledger().refund(ref as string))
    expect(await ledger().refund(ref as string)).toMatchObject({
      finding: { status: 'succeeded', ref, money },
      paymentRef,
      created,
      labels: { aid: order.aid, refundId: order.refundId },
    })
    expect(await ledger().refund('re_unknown')).toBeUndefined()
    expect(await all(ledger().refunds(createdOf(byHand) + 60))).toEqual([])
  })

  it('leave out refunds without a payment, and name what can’t be read', async () => {
    const { ref } = await charged()
    const id = fake.refundByHand(ref)
    const refund = fake.ledger.refunds.get(id) as object
    const { created } = fake.ledger.refunds.get(id) as { created: number }
    const find = async () =>
      (await all(ledger().refunds(created - 60))).find((one) => one.ref === id)
    expect((await find())?.read()).toMatchObject({ paymentRef: ref })
    Object.assign(refund, { currency: 'zzz' })
    const listed = await find()
    expect(() => listed?.read()).toThrow(`the amount of ${id} can't be read`)
    Object.assign(refund, { currency: 'eur', status: null })
    const unclear = await find()
    expect(() => unclear?.read()).toThrow(`the status of ${id} can't be read`)
    Object.assign(refund, { status: 'succeeded', payment_intent: null })
    expect(await find()).toBeUndefined()
    expect(await ledger().refund(id)).toBeUndefined()
    fake.ledger.refunds.delete(id)
  })

  it('show which payments were disputed since a time', async () => {
    const { ref } = await charged()
    const id = fake.openDispute(ref)
    const dispute = fake.ledger.disputes.get(id) as { created: number }
    expect(await all(ledger().disputes(dispute.created - 60))).toContain(ref)
    expect(await all(ledger().disputes(dispute.created + 60))).toEqual([])
    Object.assign(dispute, { payment_intent: null })
    expect(await all(ledger().disputes(dispute.created - 60))).not.toContain(ref)
    expect(await all(ledger().disputes(dispute.created - 60))).not.toContain(null)
  })

  it('name the page of a payment, and the address that it was given', async () => {
    const [order, silent] = [checkoutOrder(), checkoutOrder({ email: undefined })]
    const pages = []
    for (const one of [order, silent]) {
      const { ref } = await stripe.startCheckout(one)
      pages.push({ ref, intent: fake.pay(ref).payment_intent as string })
    }
    const [first, second] = pages as [(typeof pages)[0], (typeof pages)[0]]
    expect(await ledger().checkoutOf(first.intent)).toEqual({ ref: first.ref, email: order.email })
    const unnamed = await ledger().checkoutOf(second.intent)
    expect(unnamed).toEqual({ ref: second.ref, email: undefined })
    expect(await ledger().checkoutOf('pi_unknown')).toBeUndefined()
  })

  it('are checked by a look at one charge at most', async () => {
    await saveCard()
    fake.calls.length = 0
    await stripe.check()
    expect(fake.calls.map(({ route, text }) => [route, text])).toEqual([[LIST, 'limit=1']])
  })
})
