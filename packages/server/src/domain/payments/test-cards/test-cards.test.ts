import { describe, expect, it } from 'vitest'
import { newOrderedId } from '../../../ids.ts'
import { type CardName, cardNumber } from '../../../testing/payments/shop.ts'
import { useDomainShop } from '../../../testing/payments/use-domain-shop.ts'
import type { CheckoutOrder } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { findTestCard } from './cards.ts'

const { service, shop, env, db } = useDomainShop()
const MONEY = { amount: 499, currency: 'EUR' }
const labels = { installation: 'here', rid: 'pass', userRef: 'ann' }

const orderWith = (more: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
  ...{ aid: shop.aid, checkoutId: newOrderedId(), paymentId: newOrderedId(), labels },
  ...{ charge: MONEY, currency: 'EUR', keepCard: false, title: 'The pass' },
  ...{ email: 'ann@example.com', doneUrl: 'http://localhost/1', backUrl: 'http://localhost/2' },
  ...{ created: env().realTime(), expires: env().realTime() + 3_600_000 },
  ...more,
})

async function open(more: Partial<CheckoutOrder> = {}) {
  const order = orderWith(more)
  const { ref, url } = await shop.cards.startCheckout(order)
  return { order, ref, url }
}
const pay = (ref: string, card: CardName = 'good') => shop.cards.pay(ref, cardNumber(card))
const found = (ref: string) => shop.cards.find.checkout(ref)
const chargesOf = async (key: string) =>
  (await db().read.selectFrom('test_ledger').selectAll().where('key', '=', key).execute()).length

async function savedCard(card: CardName): Promise<string> {
  const { ref } = await open({ keepCard: true, charge: undefined })
  // The card that hangs is saved by the second attempt.
  for (const _ of [1, 2]) await pay(ref, card)
  return (await found(ref)).method as string
}
const orderOf = (method: string) => ({
  ...{ aid: shop.aid, paymentId: newOrderedId(), money: MONEY, method, title: 'The pass', labels },
  refusals: 0,
})

describe('a page of the test cards', () => {
  it('is one page however often it is ordered, and keeps no personal data', async () => {
    const { order, ref, url } = await open()
    expect(await shop.cards.startCheckout(order)).toEqual({ ref, url })
    expect(url).toBe(`${env().address()}/test-cards/${ref}`)
    expect(await found(ref)).toEqual({ status: 'open', url })
    expect(await shop.cards.session(ref)).toEqual({
      ...{ title: 'The pass', charge: MONEY, status: 'open' },
      ...{ doneUrl: 'http://localhost/1', backUrl: 'http://localhost/2' },
    })
    const row = await db()
      .read.selectFrom('test_ledger')
      .select('card')
      .where('id', '=', ref)
      .executeTakeFirst()
    expect(row?.card).not.toMatch(/ann/)
  })

  it('is paid once, with no card that is declined or unknown', async () => {
    const { order, ref } = await open()
    expect(await pay(ref, 'declined')).toBe('declined')
    expect(await shop.cards.pay(ref, '4111')).toBe('declined')
    expect(await pay(ref)).toBe('paid')
    expect(await pay(ref)).toBe('paid')
    expect(await chargesOf(order.paymentId)).toBe(1)
    expect(await found(ref)).toEqual({
      status: 'paid',
      payment: { status: 'succeeded', ref: expect.any(String), money: MONEY },
    })
    expect((await shop.cards.session(ref))?.status).toBe('paid')
  })

  it('keeps the card if it is told to, and charges nothing for that alone', async () => {
    const { order, ref } = await open({ keepCard: true, charge: undefined })
    await pay(ref)
    const kept = { status: 'paid', method: expect.any(String), fingerprint: 'good' }
    expect(await found(ref)).toEqual(kept)
    expect(await chargesOf(order.paymentId)).toBe(0)
  })

  it('expires at its time, and not before', async () => {
    const { ref } = await open()
    const later = await open()
    service.clock.advance(3_599)
    expect(await pay(ref)).toBe('paid')
    expect((await found(later.ref)).status).toBe('open')
    service.clock.advance(1)
    expect(await found(ref)).toMatchObject({ status: 'paid' })
    expect(await found(later.ref)).toEqual({ status: 'expired' })
    expect(await pay(later.ref)).toBe('expired')
    expect(await chargesOf(later.order.paymentId)).toBe(0)
  })

  it('is closed on demand, unless it was paid', async () => {
    const [closed, paid] = [await open(), await open()]
    await pay(paid.ref)
    expect(await shop.cards.expireCheckout(closed.ref)).toEqual({ status: 'expired' })
    expect(await pay(closed.ref)).toBe('expired')
    expect(await shop.cards.session(closed.ref)).toBeUndefined()
    expect(await shop.cards.expireCheckout(paid.ref)).toMatchObject({ status: 'paid' })
  })

  it('that does not exist can’t be paid', async () => {
    expect(await shop.cards.session('unknown')).toBeUndefined()
    expect(await pay('unknown')).toBe('expired')
  })

  it('gives no answer with the cards that are for that, the first time or after having paid', async () => {
    const [hanging, late] = [await open(), await open()]
    expect(await pay(hanging.ref, 'hangs')).toBe('no_answer')
    expect((await found(hanging.ref)).status).toBe('open')
    expect(await pay(hanging.ref, 'hangs')).toBe('paid')
    expect(await pay(late.ref, 'times_out')).toBe('no_answer')
    expect((await found(late.ref)).status).toBe('paid')
  })
})

const DISPUTED = { lost: 0, open: { amount: 499, isRefundable: false } } as const

describe('a saved test card', () => {
  it.each([
    ['good', { status: 'succeeded' }],
    ['declined_later', { status: 'failed', failure: 'declined' }],
    ['needs_payer', { status: 'failed', failure: 'needs_payer' }],
    ['disputed', { status: 'succeeded', dispute: DISPUTED }],
  ] as const)('%s is charged once for an order, with the same outcome', async (card, outcome) => {
    const order = orderOf(await savedCard(card))
    const charged = await shop.cards.charge(order)
    expect(charged).toEqual({ ...outcome, ref: expect.any(String), money: MONEY })
    expect(await shop.cards.charge(order)).toEqual(charged)
    const { paymentId } = order
    const query = { paymentId, ref: undefined, method: undefined }
    expect(await shop.cards.find.payment(query)).toEqual(charged)
    const byRef = { ...query, paymentId: undefined, ref: charged.ref }
    expect(await shop.cards.find.payment(byRef)).toEqual(charged)
  })

  it('that is unknown is charged nothing', async () => {
    expect(await shop.cards.charge(orderOf('unknown'))).toMatchObject({
      ...{ status: 'failed', failure: 'no_card' },
    })
  })

  it('that gives no answer has charged nothing yet, or is found to have charged', async () => {
    const [hanging, late] = [
      orderOf(await savedCard('hangs')),
      orderOf(await savedCard('times_out')),
    ]
    const find = ({ paymentId }: { paymentId: string }) =>
      shop.cards.find.payment({ paymentId, ref: undefined, method: undefined })
    await expect(shop.cards.charge(hanging)).rejects.toThrow(ProviderError)
    expect(await find(hanging)).toBeUndefined()
    expect(await shop.cards.charge(hanging)).toMatchObject({ status: 'succeeded', money: MONEY })
    expect(await find(hanging)).toMatchObject({ status: 'succeeded' })
    await expect(shop.cards.charge(late)).rejects.toThrow(ProviderError)
    expect(await find(late)).toMatchObject({ status: 'succeeded' })
  })

  it('is recognized by its number, with spaces or hyphens', () => {
    expect(findTestCard('4000 0000-0000 0341')?.name).toBe('declined_later')
    expect(findTestCard('4000 0000 0000 0342')).toBeUndefined()
  })
})

describe('a refund to a test card', () => {
  const charge = async (card: CardName) => {
    const charged = await shop.cards.charge(orderOf(await savedCard(card)))
    return charged.ref as string
  }
  const refund = (paymentRef: string, amount: number, refundId = newOrderedId()) =>
    shop.cards.refund({
      ...{ aid: shop.aid, refundId, labels, paymentRef, money: { amount, currency: 'EUR' } },
      refusals: 0,
    })

  it('is made once, and found by its id', async () => {
    const [paymentRef, refundId] = [await charge('good'), newOrderedId()]
    const made = await refund(paymentRef, 400, refundId)
    expect(made).toEqual({
      ...{ status: 'succeeded', ref: expect.any(String), money: { amount: 400, currency: 'EUR' } },
    })
    expect(await refund(paymentRef, 400, refundId)).toEqual(made)
    expect(await shop.cards.find.refund({ refundId, paymentRef })).toEqual(made)
    const unknown = { refundId: 'unknown', paymentRef }
    expect(await shop.cards.find.refund(unknown)).toBeUndefined()
  })

  it('takes no more than is left of the charge', async () => {
    const paymentRef = await charge('good')
    expect(await refund(paymentRef, 400)).toMatchObject({ status: 'succeeded' })
    const failed = { status: 'failed', failure: 'already_refunded' }
    expect(await refund(paymentRef, 100)).toMatchObject(failed)
    expect(await refund(paymentRef, 99)).toMatchObject({ status: 'succeeded' })
    expect(await refund(paymentRef, 1)).toMatchObject(failed)
  })

  it('is refused for an unknown charge, and while its dispute is not won', async () => {
    expect(await refund('unknown', 1)).toMatchObject({ status: 'failed', failure: 'refused' })
    const paymentRef = await charge('disputed')
    const disputed = { status: 'failed', failure: 'disputed' }
    expect(await refund(paymentRef, 1)).toMatchObject(disputed)
    await shop.cards.dispute(paymentRef, 'lost')
    expect(await refund(paymentRef, 1)).toMatchObject(disputed)
    await shop.cards.dispute(paymentRef, 'won')
    expect(await refund(paymentRef, 1)).toMatchObject({ status: 'succeeded' })
  })
})
