import { expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { useDomainShop } from '../../../testing/payments/use-domain-shop.ts'
import { listOutbox } from '../../../testing/smtp/outbox.ts'
import { getSubscription } from '../../subscriptions/subscriptions.ts'
import { clocksOf } from '../context.ts'
import { getPayment, listRefunds, type PaymentRow, type RefundRow } from '../payments.ts'
import type { RefundFinding } from '../provider.ts'
import { refundableAmount, requestRefund } from './orders.ts'
import { applyRefundFinding, findRefund } from './refunds.ts'
import { listRefundablePayments, type RevokeResult, revokeWithRefund } from './revoke.ts'

const { service, shop, env, db, historyOf, noticesOf } = useDomainShop()
const paymentNow = ({ id }: PaymentRow) => getPayment(db().read, shop.aid, id)
const hasAccess = () => shop.client.hasAccess({ rid: 'pass', user_ref: 'ann' })

async function buyAndRefund(amount: number): Promise<{ payment: PaymentRow; refund: RefundRow }> {
  const { payment_id } = await shop.buy({ rid: 'pass', userRef: 'ann' })
  const input = { aid: shop.aid, paymentId: payment_id, actor: 'test', amount, reference: 'a' }
  const refund = await db().write((trx) => requestRefund(trx, input, clocksOf(env())))
  return { payment: await getPayment(db().read, shop.aid, payment_id), refund }
}

async function setStatus(
  payment: PaymentRow,
  status: PaymentRow['status'],
  more: Partial<PaymentRow> = {},
): Promise<void> {
  await db().write((trx) =>
    trx
      .updateTable('payments')
      .set({ status, ...more })
      .where('id', '=', payment.id)
      .execute(),
  )
}

async function apply(refund: RefundRow, finding: Partial<RefundFinding>): Promise<RefundRow> {
  const { aid, id, amount, currency } = refund
  const whole = {
    status: 'succeeded',
    ref: 're_1',
    money: { amount, currency },
    ...finding,
  } as const
  await db().write((trx) => applyRefundFinding(trx, env(), { aid, id }, whole))
  return (await findRefund(db().read, aid, id)) as RefundRow
}

async function revoke(uid: string): Promise<RevokeResult | undefined> {
  const who = { aid: shop.aid, rid: 'pass', uid, refund: true, actor: 'test' }
  return await db().write((trx) => revokeWithRefund(trx, who, clocksOf(env())))
}

it('of a part is counted, told to the payer, and leaves the access', async () => {
  const { payment, refund } = await buyAndRefund(100)
  service.clock.advance(60)
  const settled = { settled: env().clock(), due: null, lease_until: null, last_error: null }
  expect(await apply(refund, {})).toEqual({
    ...refund,
    ...settled,
    status: 'succeeded',
    provider_ref: 're_1',
  })
  expect(await paymentNow(payment)).toEqual({
    ...payment,
    refunded: 100,
    status: 'partially_refunded',
  })
  expect(await hasAccess()).toBe(true)
  const [entry] = await historyOf('refund succeeded')
  expect(JSON.parse(entry?.after ?? '')).toEqual({
    refund: refund.id,
    payment: payment.id,
    amount: 100,
    currency: 'EUR',
    reason: null,
  })
  const mails = (await listOutbox(service, 'sandbox')).filter(
    ({ kind, aid }) => kind === 'refunded' && aid === shop.aid,
  )
  expect(mails).toMatchObject([{ key: `refunded:${refund.id}` }])
  expect(JSON.parse(mails[0]?.payload ?? '')).toMatchObject({ payment: payment.id, reason: null })
})

it('of everything ends the access, and once is enough', async () => {
  const { payment, refund } = await buyAndRefund(499)
  await apply(refund, {})
  await apply(refund, {})
  expect(await paymentNow(payment)).toMatchObject({ refunded: 499, status: 'refunded' })
  expect(await hasAccess()).toBe(false)
  expect(await historyOf('refund succeeded')).toHaveLength(1)
  const [ended] = await historyOf('purchase ended')
  expect(JSON.parse(ended?.after ?? '')).toMatchObject({ payment: payment.id, why: 'refunded' })
})

it('is not ordered again by a revoke', async () => {
  const { payment, refund } = await buyAndRefund(499)
  const result = await revoke(payment.uid)
  expect(result?.refunds).toEqual([])
  expect(await listRefunds(db().read, shop.aid, [payment.id])).toEqual([refund])
  expect(await hasAccess()).toBe(false)
})

it('comes with the end of the subscription when access is revoked', async () => {
  const { payment_id } = await shop.buy({ rid: 'pass', userRef: 'ann', terms: MONTHLY })
  const { uid } = await getPayment(db().read, shop.aid, payment_id)
  const result = await revoke(uid)
  expect(result?.refunds).toMatchObject([{ payment_id, amount: 499 }])
  const [ended] = await historyOf('subscription ended')
  expect(JSON.parse(ended?.after ?? '')).toMatchObject({ status: 'ended', why: 'revoked' })
})

it('of a free trial is none: the access ends', async () => {
  const { subscription_id } = await shop.buy({
    ...{ rid: 'pass', userRef: 'ann', terms: { ...MONTHLY, trial_days: 7 } },
  })
  const { uid } = await getSubscription(db().read, shop.aid, subscription_id as string)
  expect(await revoke(uid)).toMatchObject({ refunds: [] })
  expect(await hasAccess()).toBe(false)
})

it('is not made for access that ends in this second', async () => {
  const { payment_id } = await shop.buy({
    rid: 'pass',
    userRef: 'ann',
    terms: { period: '1 month' },
  })
  const source = await db()
    .read.selectFrom('sources')
    .selectAll()
    .where('payment_id', '=', payment_id)
    .executeTakeFirstOrThrow()
  const refundable = (now: number) => listRefundablePayments(db().read, [source], { now })
  expect(await refundable(source.ends - 1)).toMatchObject([{ id: payment_id }])
  expect(await refundable(source.ends)).toEqual([])
})

it('that the provider has not decided yet waits', async () => {
  const { refund } = await buyAndRefund(499)
  expect(await apply(refund, { status: 'pending' })).toEqual(refund)
})

it('that the provider had not decided when it was found there can still fail', async () => {
  const { payment, refund } = await buyAndRefund(100)
  const found = { provider_ref: 're_1' }
  const key = { aid: shop.aid, id: refund.id }
  await db().write((trx) => updateRows(trx, 'refunds', key, found))
  expect(await apply(refund, { status: 'failed' })).toMatchObject({
    ...{ status: 'failed', reason: 'refused', due: null },
  })
  expect(await paymentNow(payment)).toEqual(payment)
  expect(await refundableAmount(db().read, payment)).toBe(499)
  expect(await noticesOf('refund_failed')).toMatchObject([{ event: 'refused' }])
})

it('that nobody ordered is ignored', async () => {
  const { payment, refund } = await buyAndRefund(499)
  expect(await apply({ ...refund, id: 'unknown' }, {})).toBeUndefined()
  expect(await paymentNow(payment)).toEqual(payment)
})

it.each([
  ['of another amount', { money: { amount: 498, currency: 'EUR' } }, 'mismatch'],
  ['of another currency', { money: { amount: 499, currency: 'USD' } }, 'mismatch'],
  ['that the provider refuses', { status: 'failed' }, 'refused'],
  [
    'that fails for a reason',
    { status: 'failed', failure: 'already_refunded' },
    'already_refunded',
  ],
] as [string, Partial<RefundFinding>, string][])(
  '%s fails, and nothing else changes',
  async (_, finding, reason) => {
    const { payment, refund } = await buyAndRefund(499)
    expect(await apply(refund, finding)).toMatchObject({ status: 'failed', reason, due: null })
    expect(await paymentNow(payment)).toEqual(payment)
    expect(await hasAccess()).toBe(true)
    expect(await historyOf('refund failed')).toHaveLength(1)
    expect(await noticesOf('refund_failed')).toEqual([
      { event: 'refused', subject_id: payment.id, amount: 499 },
    ])
    // A settled refund stays settled.
    expect(await apply(refund, {})).toMatchObject({ status: 'failed', reason })
    expect(await paymentNow(payment)).toEqual(payment)
  },
)

it('that the bank returns is money of the seller again, and ends nothing anew', async () => {
  const { payment, refund } = await buyAndRefund(100)
  await apply(refund, {})
  expect(await apply(refund, { status: 'failed' })).toMatchObject({
    status: 'failed',
    reason: 'bounced',
  })
  expect(await paymentNow(payment)).toEqual(payment)
  expect(await historyOf('refund failed')).toHaveLength(1)
  expect(await noticesOf('refund_failed')).toEqual([
    { event: 'bounced', subject_id: payment.id, amount: 100 },
  ])
})

it('that the bank returns leaves every other refund alone', async () => {
  const { payment, refund } = await buyAndRefund(100)
  const other = { aid: shop.aid, paymentId: payment.id, actor: 'test', amount: 50, reference: 'b' }
  const kept = await db().write((trx) => requestRefund(trx, other, clocksOf(env())))
  await apply(refund, {})
  await apply(kept, { ref: 're_2' })
  await apply(refund, { status: 'failed' })
  expect(await findRefund(db().read, shop.aid, kept.id)).toMatchObject({ status: 'succeeded' })
  expect(await paymentNow(payment)).toMatchObject({ refunded: 50, status: 'partially_refunded' })
})

it.each([
  ['another refund', 're_2'],
  ['no refund', undefined],
])('is not returned by word of %s', async (_, ref) => {
  const { refund } = await buyAndRefund(100)
  await apply(refund, {})
  expect(await apply(refund, { status: 'failed', ref })).toMatchObject({ status: 'succeeded' })
})

it.each(['disputed', 'lost'] as const)(
  'leaves a %s payment as it is, and counts',
  async (status) => {
    const { payment, refund } = await buyAndRefund(100)
    await setStatus(payment, status, status === 'lost' ? { lost: 1, lost_amount: 499 } : {})
    await apply(refund, {})
    expect(await paymentNow(payment)).toMatchObject({ status, refunded: 100 })
    await apply(refund, { status: 'failed' })
    expect(await paymentNow(payment)).toMatchObject({ status, refunded: 0 })
  },
)
