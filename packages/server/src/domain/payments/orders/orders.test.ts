import { beforeEach, describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { useDomainSubscriptions } from '../../../testing/payments/use-domain-subscriptions.ts'
import { putOnHold, removeHold } from '../../installation/hold.ts'
import { clocksOf, LEASE_MS, type PaymentContext } from '../context.ts'
import { getPayment, type PaymentRow, type RefundRow } from '../payments.ts'
import type { RefundFinding } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { requestRefund } from '../refunds/orders.ts'
import { findRefund } from '../refunds/refunds.ts'
import {
  claimNextOrder,
  findNextOrderDue,
  hasPendingOrders,
  sendClaimedOrder,
  sendOrderNow,
} from './orders.ts'
import { countFlagged, countPending, findOldestPending } from './pending-counts.ts'

const { service, shop, env, db, subscribe, change, begin } = useDomainSubscriptions()

/** Carries out the orders of the tests before. */
beforeEach(async () => {
  service.clock.advance(3_600)
  for (const table of ['payments', 'refunds'] as const) {
    for (let order = await claimNextOrder(env(), table); order; ) {
      await sendClaimedOrder(env(), table, order)
      order = await claimNextOrder(env(), table)
    }
  }
})

const renew = async () => (await begin(await subscribe())).payment
const paymentNow = ({ id }: PaymentRow) => getPayment(db().read, shop.aid, id)
const refundNow = async ({ id }: RefundRow) =>
  (await findRefund(db().read, shop.aid, id)) as RefundRow

async function orderRefund(): Promise<RefundRow> {
  const { payment_id: paymentId } = await shop.buy({ rid: 'pass', userRef: 'bea' })
  const input = { aid: shop.aid, paymentId, actor: 'test' }
  return await db().write((trx) => requestRefund(trx, input, clocksOf(env())))
}

/** An environment whose provider answers a refund like this. */
const refunding = (refund: () => RefundFinding): PaymentContext => ({
  ...env(),
  provider: { ...shop.cards, refund: async () => refund() },
})
const chargeOf = async (key: string) =>
  await db().read.selectFrom('test_ledger').selectAll().where('key', '=', key).executeTakeFirst()

describe('an order', () => {
  it('is claimed by one process at a time, once it is due', async () => {
    const { aid, id, due } = await renew()
    expect(await findNextOrderDue(db().read, 'payments')).toBe(due)
    service.clock.now -= 1_000
    expect(await claimNextOrder(env(), 'payments')).toBeUndefined()
    service.clock.now += 1_000
    expect(await claimNextOrder(env(), 'payments')).toEqual({ aid, id, attempts: 1 })
    service.clock.now += LEASE_MS - 1
    expect(await claimNextOrder(env(), 'payments')).toBeUndefined()
    service.clock.now += 1
    expect(await claimNextOrder(env(), 'payments')).toEqual({ aid, id, attempts: 2 })
  })

  it('waits without a provider, for its own provider, and on hold', async () => {
    const renewal = await renew()
    const refund = await orderRefund()
    const { control } = service.ctx
    const claimBoth = async (context: PaymentContext) => [
      await claimNextOrder(context, 'payments'),
      await claimNextOrder(context, 'refunds'),
      await sendOrderNow(context, 'payments', renewal),
      await sendOrderNow(context, 'refunds', refund),
    ]
    const none = Array(4).fill(undefined)
    const other = { ...env(), provider: { ...shop.cards, name: 'other' } }
    expect(await claimBoth({ ...env(), provider: undefined })).toEqual(none)
    expect(await claimBoth(other)).toEqual(none)
    expect([await hasPendingOrders(env()), await hasPendingOrders(other)]).toEqual([true, false])
    expect(await hasPendingOrders({ ...env(), provider: undefined })).toBe(false)
    await control.write((trx) => putOnHold(trx, { cause: 'restored', since: service.clock.now }))
    expect(await claimBoth(env())).toEqual(none)
    await control.write(removeHold)
    expect(await paymentNow(renewal)).toEqual(renewal)
    expect(await refundNow(refund)).toEqual(refund)
  })

  it('is carried out at once only if it is due and no process works on it', async () => {
    const refund = await orderRefund()
    await claimNextOrder(env(), 'refunds')
    await sendOrderNow(env(), 'refunds', refund)
    expect(await refundNow(refund)).toMatchObject({ status: 'pending' })
    service.clock.now += LEASE_MS
    await sendOrderNow(env(), 'refunds', refund)
    expect(await refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect(await hasPendingOrders(env())).toBe(false)
  })
})

describe('a renewal', () => {
  it('is charged to the card, under its own id', async () => {
    const payment = await renew()
    await sendOrderNow(env(), 'payments', payment)
    expect(await chargeOf(payment.id)).toMatchObject({ amount: 499, currency: 'EUR' })
    expect(await paymentNow(payment)).toMatchObject({ status: 'succeeded', due: null })
  })

  it('is not charged once its subscription has ended', async () => {
    const { payment, subscription } = await begin(await subscribe())
    await change(subscription, { status: 'ended', ended: env().clock() })
    await sendOrderNow(env(), 'payments', payment)
    expect(await paymentNow(payment)).toMatchObject({ status: 'failed', failure: 'ended' })
    expect(await chargeOf(payment.id)).toBeUndefined()
  })
})

describe('a refund', () => {
  it('that the provider has made already is not made again', async () => {
    const refund = await orderRefund()
    const never = refunding(() => {
      throw new Error('made twice')
    })
    const { id: refundId, aid, payment_id } = refund
    const { provider_ref } = await getPayment(db().read, aid, payment_id)
    const money = { amount: 499, currency: 'EUR' }
    const paymentRef = provider_ref as string
    await shop.cards.refund({ aid, refundId, labels: {}, paymentRef, money, refusals: 0 })
    await sendOrderNow(never, 'refunds', refund)
    expect(await refundNow(refund)).toMatchObject({ status: 'succeeded' })
  })

  it('that the provider has not decided is asked about again', async () => {
    const refund = await orderRefund()
    const money = { amount: 499, currency: 'EUR' }
    await sendOrderNow(
      refunding(() => ({ status: 'pending', ref: undefined, money })),
      'refunds',
      refund,
    )
    const waiting = await refundNow(refund)
    expect(waiting).toMatchObject({ status: 'pending', lease_until: null })
    expect(waiting.last_error).toBe('the provider has not decided yet')
    expect(waiting.due).toBeGreaterThan(env().realTime())
  })

  it('waits as long as the provider wants it to, and keeps the beginning of what it said', async () => {
    const refund = await orderRefund()
    const order = await claimNextOrder(env(), 'refunds')
    const busy = refunding(() => {
      throw new ProviderError('x'.repeat(600), { retryAfter: 120_000 })
    })
    expect(order && (await sendClaimedOrder(busy, 'refunds', order))).toBe(false)
    expect(await refundNow(refund)).toMatchObject({
      ...{ status: 'pending', due: env().realTime() + 120_000, last_error: 'x'.repeat(500) },
    })
  })

  it('that causes another error is reported, and tried again when its time is up', async () => {
    const refund = await orderRefund()
    const broken = refunding(() => {
      throw new Error('not understood')
    })
    await expect(sendOrderNow(broken, 'refunds', refund)).rejects.toThrow('not understood')
    expect(await refundNow(refund)).toMatchObject({
      ...{ status: 'pending', lease_until: env().realTime() + LEASE_MS },
    })
  })
})

describe('the counts of what waits for the provider', () => {
  it('are those of orders without an answer, with the time of the oldest', async () => {
    expect(await countPending(db().read)).toEqual({ payments: 0, refunds: 0 })
    expect(await findOldestPending(db().read)).toBeUndefined()
    const refund = await orderRefund()
    service.clock.advance(5)
    const payment = await begin(await subscribe(), env().clock())
    expect(await countPending(db().read)).toEqual({ payments: 1, refunds: 1 })
    expect(await findOldestPending(db().read)).toBe(refund.created)
    expect(await countPending(db().read, refund.created)).toEqual({ payments: 0, refunds: 1 })
    expect(await countPending(db().read, refund.created - 1)).toEqual({ payments: 0, refunds: 0 })
    await sendOrderNow(env(), 'refunds', refund)
    expect(await findOldestPending(db().read)).toBe(payment.payment.created)
  })

  it('tell how many payments are flagged since then', async () => {
    const { payment_id: id, aid } = await shop.buy({ rid: 'pass', userRef: 'bea' })
    const since = env().clock()
    expect(await countFlagged(db().read, since)).toBe(0)
    await db().write((trx) => updateRows(trx, 'payments', { aid, id }, { flag: 'late' }))
    expect(await countFlagged(db().read, since)).toBe(1)
    expect(await countFlagged(db().read, since + 1)).toBe(0)
  })
})
