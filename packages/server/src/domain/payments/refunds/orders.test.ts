import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { derivedIdBeside } from '../../../ids.ts'
import { useDomainShop } from '../../../testing/payments/use-domain-shop.ts'
import { clocksOf } from '../context.ts'
import { getPayment, type PaymentRow } from '../payments.ts'
import { erasedReference, type RefundInput, refundableAmount, requestRefund } from './orders.ts'

const { shop, db } = useDomainShop()
const clocks = () => clocksOf(shop.environment)

async function buy(): Promise<PaymentRow> {
  const { payment_id } = await shop.buy({ rid: 'pass', userRef: 'ann' })
  return await getPayment(db().read, shop.aid, payment_id)
}

async function withStatus(status: PaymentRow['status']): Promise<PaymentRow> {
  const payment = await buy()
  const change = db().write((trx) =>
    trx.updateTable('payments').set({ status }).where('id', '=', payment.id).execute(),
  )
  await change
  return { ...payment, status }
}

const order = (payment: PaymentRow, input: Partial<RefundInput> = {}) =>
  db().write((trx) =>
    requestRefund(trx, { aid: shop.aid, paymentId: payment.id, actor: 'test', ...input }, clocks()),
  )

const lastHistory = () =>
  db().read.selectFrom('history').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow()

it('takes everything that is left, from one cent on, and no cent more', async () => {
  const payment = await buy()
  await expect(order(payment, { amount: 0 })).rejects.toMatchObject({ code: 'refund_too_large' })
  await expect(order(payment, { amount: 500 })).rejects.toMatchObject({ code: 'refund_too_large' })
  expect(await order(payment, { amount: 1, reference: 'a' })).toMatchObject({ amount: 1 })
  expect(await refundableAmount(db().read, payment)).toBe(498)
  await expect(order(payment, { amount: 499, reference: 'b' })).rejects.toMatchObject({
    code: 'refund_too_large',
  })
  expect(await order(payment, { amount: 498 })).toMatchObject({ amount: 498 })
  expect(await refundableAmount(db().read, payment)).toBe(0)
  for (const input of [{}, { amount: 1 }, { amount: 499 }]) {
    await expect(order(payment, input)).rejects.toMatchObject({
      code: 'refund_too_large',
      message: 'The payment is already refunded in full.',
    })
  }
})

it('stores an order that is due at once, and says so in the history', async () => {
  const payment = await buy()
  const { now, realTime } = clocks()
  const refund = await order(payment, { reason: 'late' })
  expect(refund).toEqual({
    id: derivedIdBeside(payment.id, ['cause', 'late']),
    aid: shop.aid,
    payment_id: payment.id,
    amount: 499,
    currency: 'EUR',
    status: 'pending',
    reason: 'late',
    reference: null,
    actor: 'test',
    created: now,
    settled: null,
    provider_ref: null,
    attempts: 0,
    due: realTime,
    lease_until: null,
    last_error: null,
    refusals: 0,
  })
  const entry = await lastHistory()
  expect(entry).toMatchObject({ action: 'refund ordered', actor: 'test', rid: 'pass' })
  expect(JSON.parse(entry.after ?? '')).toEqual({
    refund: refund.id,
    payment: payment.id,
    amount: 499,
    currency: 'EUR',
    reason: 'late',
  })
})

it.each(['disputed', 'lost'] as const)('of a %s payment is left to the bank', async (status) => {
  const payment = await withStatus(status)
  await expect(order(payment, { isStrict: true })).rejects.toMatchObject({
    code: 'payment_not_refundable',
  })
  expect(await order(payment, { reason: 'late' })).toMatchObject({
    status: 'failed',
    reason: 'disputed',
    settled: clocks().now,
    due: null,
  })
  expect(await lastHistory()).toMatchObject({ action: 'refund refused' })
})

it('of a payment that is not disputed is made also where staff must be told of a dispute', async () => {
  expect(await order(await buy(), { isStrict: true })).toMatchObject({ status: 'pending' })
})

it.each(['pending', 'failed', 'refunded'] as const)(
  'of a %s payment has nothing to give',
  async (status) => {
    const payment = await withStatus(status)
    expect(await refundableAmount(db().read, payment)).toBe(0)
    await expect(order(payment)).rejects.toMatchObject({ code: 'refund_too_large' })
  },
)

it('counts refunds that were made or are under way, and none that failed', async () => {
  const payment = await buy()
  const { id } = await order(payment, { amount: 100, reference: 'a' })
  const left = async (status: 'pending' | 'succeeded' | 'failed') => {
    await db().write((trx) =>
      trx.updateTable('refunds').set({ status }).where('id', '=', id).execute(),
    )
    return await refundableAmount(db().read, payment)
  }
  expect(await left('pending')).toBe(399)
  expect(await left('succeeded')).toBe(399)
  expect(await left('failed')).toBe(499)
})

it('with the same reference is the same refund, of the same amount', async () => {
  const payment = await buy()
  const refund = await order(payment, { amount: 100, reference: 'a' })
  expect(refund).toMatchObject({ reference: 'a' })
  expect(await order(payment, { amount: 100, reference: 'a' })).toEqual(refund)
  expect(await order(payment, { reference: 'a' })).toEqual(refund)
  await expect(order(payment, { amount: 99, reference: 'a' })).rejects.toMatchObject({
    code: 'invalid_parameter',
    parameter: 'reference',
  })
  expect(await order(payment, { amount: 100, reference: 'b' })).not.toEqual(refund)
})

it('is recognized by the digest of its reference after the payer was erased', async () => {
  const payment = await buy()
  const refund = await order(payment, { amount: 100, reference: 'a' })
  const digest = createHash('sha256').update(`${payment.id} a`).digest('hex')
  const reference = `erased:${digest}`
  expect(erasedReference(payment.id, 'a')).toBe(reference)
  await db().write((trx) =>
    trx.updateTable('refunds').set({ reference }).where('id', '=', refund.id).execute(),
  )
  expect(await order(payment, { reference: 'a' })).toEqual({ ...refund, reference })
})

it('of a part needs a reference', async () => {
  const payment = await buy()
  await expect(order(payment, { amount: 498 })).rejects.toMatchObject({
    code: 'invalid_parameter',
    parameter: 'reference',
  })
  expect(await order(payment, { amount: 499 })).toMatchObject({ amount: 499 })
})

it('has an id that follows from what it is for', async () => {
  const payment = await buy()
  const ids: string[] = []
  for (const input of [
    { amount: 1, reference: 'a', cause: 'ignored' },
    { amount: 1, reference: 'b' },
    { cause: 'revoke x', reason: 'late' },
  ]) {
    ids.push((await order(payment, input)).id)
  }
  const parts = [
    ['reference', 'a'],
    ['reference', 'b'],
    ['cause', 'revoke x'],
  ]
  expect(ids).toEqual(parts.map((part) => derivedIdBeside(payment.id, part)))
})

it('without a purpose is numbered', async () => {
  const payment = await buy()
  const first = await order(payment)
  expect(first.id).toBe(derivedIdBeside(payment.id, ['number', 0]))
  await db().write((trx) =>
    trx.updateTable('refunds').set({ status: 'failed' }).where('id', '=', first.id).execute(),
  )
  expect((await order(payment)).id).toBe(derivedIdBeside(payment.id, ['number', 1]))
})

it('of another application’s payment is not found', async () => {
  const payment = await buy()
  await expect(order(payment, { aid: 'Other00001' })).rejects.toThrow()
})
