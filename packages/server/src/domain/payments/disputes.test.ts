import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { lost, open, useDisputes, WON } from '../../testing/payments/use-disputes.ts'
import { DAY } from '../../testing/time.ts'
import { clocksOf } from './context.ts'
import { refundableAmount, requestRefund } from './refunds/orders.ts'

const { shop, env, db, ann, historyOf, noticesOf, hasAccess, ...disputes } = useDisputes()
const { subscriptionNow, change, apply, buy, refund, eventsOf } = disputes

describe('a dispute', () => {
  it('that is open leaves the access open', async () => {
    const payment = await buy()
    const disputed = { status: 'disputed', disputed_amount: 499, refundable_in_dispute: 0 }
    expect(await apply(payment, open())).toMatchObject(disputed)
    expect(await hasAccess()).toBe(true)
    const [entry] = await historyOf('dispute opened')
    expect(JSON.parse(entry?.before ?? '')).toEqual({ status: 'succeeded' })
    const after = { payment: payment.id, status: 'disputed', amount: 499, currency: 'EUR' }
    expect(JSON.parse(entry?.after ?? '')).toEqual(after)
    await apply(payment, open())
    expect(await historyOf('dispute opened')).toHaveLength(1)
  })

  it('that is won leaves the payment as it was', async () => {
    const payment = await change(await buy(), { status: 'partially_refunded', refunded: 100 })
    // Won before it was heard of.
    expect(await apply(payment, WON)).toEqual(payment)
    expect(await historyOf('dispute won')).toEqual([])
    await apply(payment, open())
    expect(await apply(payment, WON)).toEqual(payment)
    expect(await historyOf('dispute won')).toHaveLength(1)
    expect(await hasAccess()).toBe(true)
  })

  it.each(['heard of before', 'first heard of then'])(
    'that is lost ends the access: %s',
    async (how) => {
      const payment = await buy()
      if (how === 'heard of before') await apply(payment, open())
      const now = env().clock()
      expect(await apply(payment, lost())).toMatchObject({
        ...{
          status: 'lost',
          lost: now,
          lost_amount: 499,
          disputed_amount: 0,
          access_left: FOREVER,
        },
      })
      expect(await hasAccess()).toBe(false)
      const [entry] = await historyOf('purchase ended')
      expect(JSON.parse(entry?.before ?? '')).toEqual({ ends: FOREVER })
      const ended = { payment: payment.id, why: 'dispute lost', ends: now }
      expect(JSON.parse(entry?.after ?? '')).toEqual(ended)
      await apply(payment, lost())
      expect(await historyOf('dispute lost')).toHaveLength(1)
    },
  )

  it('that is lost also ends a subscription whose last payment it was', async () => {
    await apply(await buy(MONTHLY), lost())
    expect(await subscriptionNow()).toMatchObject({ status: 'ended' })
    expect(await hasAccess()).toBe(false)
  })

  it('about an earlier period leaves the subscription alone', async () => {
    const first = await buy(MONTHLY)
    await shop.advance(31 * DAY)
    await shop.work()
    expect(await apply(first, lost())).toMatchObject({ status: 'lost', access_left: null })
    expect(await subscriptionNow()).toMatchObject({ status: 'active' })
    expect(await hasAccess()).toBe(true)
  })

  it('is about a refunded payment too, and about none that failed', async () => {
    const refunded = await refund(await buy(), 499)
    expect(await apply(refunded, open())).toMatchObject({ status: 'disputed' })
    expect(await apply(refunded, WON)).toMatchObject({ status: 'refunded' })
    const failed = await change(refunded, { status: 'failed', flag: 'mismatch' })
    expect(await apply(failed, open())).toMatchObject({ status: 'failed' })
  })
})

describe('a dispute about a part', () => {
  it('that is lost leaves the access open, as a partial refund does', async () => {
    const payment = await buy()
    expect(await apply(payment, open(200))).toMatchObject({ disputed_amount: 200 })
    const partly = await apply(payment, lost(200))
    expect(partly).toMatchObject({ status: 'succeeded', lost_amount: 200, lost: env().clock() })
    expect(await hasAccess()).toBe(true)
    expect(await refundableAmount(db().read, partly)).toBe(299)
    expect(await noticesOf('dispute')).toMatchObject([
      { event: 'opened', amount: 200 },
      { event: 'lost', amount: 200 },
    ])
    const [shown] = (await shop.client.searchPayments(ann)).data
    expect(shown).toMatchObject({ status: 'succeeded', amount: 4.99, lost: 2, refunded: 0 })
  })

  it('ends the access together with a refund of the rest, in either order', async () => {
    const payment = await buy()
    await apply(payment, lost(200))
    expect(await refund(payment, 299)).toMatchObject({ status: 'lost', refunded: 299 })
    expect(await hasAccess()).toBe(false)
    const other = await refund(await buy(), 299)
    expect(await hasAccess()).toBe(true)
    expect(await apply(other, lost(200))).toMatchObject({ status: 'lost' })
    expect(await hasAccess()).toBe(false)
  })

  it('adds up with others, and the payment stays in dispute while one is open', async () => {
    const payment = await buy()
    const disputed = await apply(payment, { lost: 200, open: { amount: 100, isRefundable: false } })
    expect(disputed).toMatchObject({ status: 'disputed', lost_amount: 200, disputed_amount: 100 })
    expect(await apply(payment, lost(300))).toMatchObject({ status: 'succeeded', lost_amount: 300 })
    expect(await hasAccess()).toBe(true)
    expect(await apply(payment, lost(9999))).toMatchObject({ status: 'lost', lost_amount: 499 })
    expect(await hasAccess()).toBe(false)
    expect((await noticesOf('dispute')).map(({ amount }) => amount)).toEqual([200, 100, 199])
  })

  it('is opened again when the bank asks for more', async () => {
    const payment = await buy()
    await apply(payment, open(100))
    await apply(payment, open(200))
    expect(await eventsOf()).toEqual(['opened', 'opened'])
  })
})

describe('a bank that only asks', () => {
  it('lets the payment be refunded, until it disputes', async () => {
    const payment = await buy()
    const asked = await apply(payment, open(499, true))
    expect(asked).toMatchObject({ status: 'disputed', refundable_in_dispute: 1 })
    const { aid, id: paymentId } = payment
    const order = { aid, paymentId, actor: 'test', isStrict: true } as const
    const request = (more: object) =>
      db().write((trx) => requestRefund(trx, { ...order, ...more }, clocksOf(env())))
    const part = { amount: 100, reference: 'part' }
    expect(await request(part)).toMatchObject({ status: 'pending', amount: 100 })
    expect(await apply(payment, open())).toMatchObject({ refundable_in_dispute: 0 })
    await expect(request({})).rejects.toMatchObject({ code: 'payment_not_refundable' })
    expect(await eventsOf()).toEqual(['inquiry', 'opened'])
  })

  it('and takes the question back leaves a refund as it is', async () => {
    const payment = await buy()
    await apply(payment, open(499, true))
    expect(await refund(payment, 499)).toMatchObject({ status: 'disputed', refunded: 499 })
    expect(await hasAccess()).toBe(false)
    expect(await apply(payment, WON)).toMatchObject({ status: 'refunded' })
    expect(await hasAccess()).toBe(false)
  })
})
