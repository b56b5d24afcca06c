import { expect, it, vi } from 'vitest'
import type { Trx } from '../../../db/database.ts'
import { useDomainShop } from '../../../testing/payments/use-domain-shop.ts'
import { describeWrite } from '../../idempotency/write-request.ts'
import { clocksOf } from '../context.ts'
import type { RefundRow } from '../payments.ts'
import { requestRefund } from './orders.ts'
import { refundOnce } from './refund-once.ts'

const { shop, env, db } = useDomainShop()

/** A request to refund what Ann has bought, and how often it was carried out. */
async function requestOf(idempotencyKey: string | undefined) {
  const { payment_id: paymentId } = await shop.buy({ rid: 'pass', userRef: 'ann' })
  const order = vi.fn(async (trx: Trx) => ({
    uid: null,
    refunds: [
      await requestRefund(trx, { aid: shop.aid, paymentId, actor: 'test' }, clocksOf(env())),
    ],
    toBody: (refunds: readonly RefundRow[]) => refunds.map(({ id, status }) => ({ id, status })),
  }))
  const write = describeWrite({
    ...{ aid: shop.aid, owner: 'test', route: 'refund', idempotencyKey, parameters: [] },
  })
  return { order, send: () => refundOnce(env(), write, order) }
}

const stored = () =>
  db()
    .read.selectFrom('handled_requests')
    .selectAll()
    .where('aid', '=', shop.aid)
    .executeTakeFirst()

it('carries out a request with a key once, and answers the same again', async () => {
  const { order, send } = await requestOf('key')
  const first = await send()
  expect(first).toMatchObject({ status: 200, body: [{ status: 'succeeded' }], isReplayed: false })
  expect(await send()).toEqual({ ...first, isReplayed: true })
  expect(order).toHaveBeenCalledTimes(1)
})

it('stores an answer with a pending refund before the provider is asked', async () => {
  const { send } = await requestOf('key')
  const provider = vi.spyOn(env().provider as object as { refund(): unknown }, 'refund')
  let meanwhile: Awaited<ReturnType<typeof stored>>
  provider.mockImplementationOnce(async () => {
    meanwhile = await stored()
    throw new Error('away')
  })
  const { body } = await send()
  expect(body).toMatchObject([{ status: 'pending' }])
  expect(JSON.parse(meanwhile?.body ?? '')).toEqual(body)
  expect(meanwhile?.lease_until).toBeGreaterThan(env().realTime())
  expect(await stored()).toMatchObject({ lease_until: null, body: JSON.stringify(body) })
  provider.mockRestore()
})

it('carries out a request without a key each time, and stores nothing', async () => {
  const { order, send } = await requestOf(undefined)
  expect(await send()).toMatchObject({ isReplayed: false })
  await expect(send()).rejects.toMatchObject({ code: 'refund_too_large' })
  expect(order).toHaveBeenCalledTimes(2)
  expect(await stored()).toBeUndefined()
})
