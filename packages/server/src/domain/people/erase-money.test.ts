import { describe, expect, it } from 'vitest'
import { updateRows } from '../../db/queries/rows.ts'
import { useDomainSubscriptions } from '../../testing/payments/use-domain-subscriptions.ts'
import { clocksOf } from '../payments/context.ts'
import type { PaymentRow, RefundRow } from '../payments/payments.ts'
import { erasedReference, requestRefund } from '../payments/refunds/orders.ts'
import { eraseMoney, isMoneyUnsettled } from './erase-money.ts'

const { shop, env, db, subscribe, read } = useDomainSubscriptions()

const erase = (uid: string) => db().write((trx) => eraseMoney(trx, shop.aid, uid))
const isUnsettled = (uid: string) => isMoneyUnsettled(db().read, shop.aid, uid)

const paymentOf = (uid: string): Promise<PaymentRow> =>
  db()
    .read.selectFrom('payments')
    .selectAll()
    .where((eb) => eb.and({ aid: shop.aid, uid }))
    .executeTakeFirstOrThrow()

const refundOf = (id: string): Promise<RefundRow> =>
  db().read.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const changePayment = (id: string, changes: Partial<PaymentRow>) =>
  db().write((trx) => updateRows(trx, 'payments', { aid: shop.aid, id }, changes))
const changeRefund = (id: string, changes: Partial<RefundRow>) =>
  db().write((trx) => updateRows(trx, 'refunds', { aid: shop.aid, id }, changes))

/** A subscription whose payment has a saved card. */
async function pay(userRef: string) {
  const subscription = await subscribe({ userRef })
  const { id } = await paymentOf(subscription.uid)
  await changePayment(id, { method: 'card' })
  return { uid: subscription.uid, subscription: subscription.id, payment: id }
}

async function refund(paymentId: string, changes?: Partial<RefundRow>): Promise<string> {
  const order = { aid: shop.aid, paymentId, amount: 1, reference: 'Ann’s wish', actor: 'test' }
  const { id } = await db().write((trx) => requestRefund(trx, order, clocksOf(env())))
  if (changes) await changeRefund(id, changes)
  return id
}

describe('what is removed with a person', () => {
  it('are the saved cards, and nobody else’s', async () => {
    const [ann, bob] = [await pay('ann'), await pay('bob')]
    expect(await erase(ann.uid)).toBe(1)
    expect(await paymentOf(ann.uid)).toMatchObject({ method: null, amount: 499 })
    expect(await read(ann.subscription)).toMatchObject({ method: null })
    expect(await paymentOf(bob.uid)).toMatchObject({ method: 'card' })
    expect((await read(bob.subscription)).method).not.toBeNull()
    expect(await erase(ann.uid)).toBe(0)
  })

  it('are the texts of refunds, and nobody else’s', async () => {
    const [ann, bob] = [await pay('ann'), await pay('bob')]
    await changePayment(ann.payment, { method: null })
    const done = { status: 'succeeded', last_error: 'Ann’s bank' } as const
    const [own, other] = [await refund(ann.payment, done), await refund(bob.payment, done)]
    expect(await erase(ann.uid)).toBe(2)
    const reference = erasedReference(ann.payment, 'Ann’s wish')
    expect(await refundOf(own)).toMatchObject({ reference, last_error: null, amount: 1 })
    expect(await refundOf(other)).toMatchObject({ reference: 'Ann’s wish', ...done })
    // The digest is not taken for a reference.
    expect(await erase(ann.uid)).toBe(0)
    expect(await refundOf(own)).toMatchObject({ reference })
  })

  it('is not what the provider has still to be asked for', async () => {
    const ann = await pay('ann')
    const waiting = await refund(ann.payment, { last_error: 'away' })
    await changePayment(ann.payment, { status: 'pending' })
    expect(await erase(ann.uid)).toBe(0)
    expect(await paymentOf(ann.uid)).toMatchObject({ method: 'card' })
    expect(await refundOf(waiting)).toMatchObject({ reference: 'Ann’s wish', last_error: 'away' })
  })
})

describe('what the provider has still to answer', () => {
  it('is nothing after a purchase', async () => {
    expect(await isUnsettled((await pay('ann')).uid)).toBe(false)
  })

  it('is a pending payment', async () => {
    const ann = await pay('ann')
    await changePayment(ann.payment, { status: 'pending' })
    expect(await isUnsettled(ann.uid)).toBe(true)
    expect(await isUnsettled((await pay('bob')).uid)).toBe(false)
  })

  it('is a pending refund', async () => {
    const ann = await pay('ann')
    const id = await refund(ann.payment)
    expect(await isUnsettled(ann.uid)).toBe(true)
    await changeRefund(id, { status: 'failed' })
    expect(await isUnsettled(ann.uid)).toBe(false)
  })

  it('is a page that can still be paid', async () => {
    const { uid } = await pay('ann')
    const setDue = (due: number | null) =>
      db().write((trx) =>
        trx.updateTable('checkouts').set({ due }).where('aid', '=', shop.aid).execute(),
      )
    await setDue(env().realTime())
    expect(await isUnsettled(uid)).toBe(true)
    await setDue(null)
    expect(await isUnsettled(uid)).toBe(false)
  })
})
