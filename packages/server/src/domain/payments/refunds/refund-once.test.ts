import { expect, it, vi } from 'vitest'
import type { EnvironmentDatabase, Trx } from '../../../db/database.ts'
import { updateRows } from '../../../db/queries/rows.ts'
import { useDomainShop } from '../../../testing/payments/use-domain-shop.ts'
import { describeWrite } from '../../idempotency/write-request.ts'
import { clocksOf, type PaymentContext } from '../context.ts'
import type { RefundRow } from '../payments.ts'
import { requestRefund } from './orders.ts'
import { refundOnce } from './refund-once.ts'

const { shop, env, db } = useDomainShop()

/** A request to refund payments, by default one that Ann has just made, and how often it was carried out. */
async function requestOf(idempotencyKey: string | undefined, payments?: readonly string[]) {
  const paymentIds = payments ?? [await buy()]
  const order = vi.fn(async (trx: Trx) => {
    const refunds: RefundRow[] = []
    for (const paymentId of paymentIds) {
      const input = { aid: shop.aid, paymentId, actor: 'test' }
      refunds.push(await requestRefund(trx, input, clocksOf(env())))
    }
    const toBody = (rows: readonly RefundRow[]) => rows.map(({ id, status }) => ({ id, status }))
    return { uid: null, refunds, toBody }
  })
  const write = describeWrite({
    ...{ aid: shop.aid, owner: 'test', route: 'refund', idempotencyKey, parameters: [] },
  })
  return { order, send: (ctx: PaymentContext = env()) => refundOnce(ctx, write, order) }
}

const buy = async () => (await shop.buy({ rid: 'pass', userRef: 'ann' })).payment_id

/** Returns a payment that is left to the bank: its refund fails at once. */
async function buyDisputed(): Promise<string> {
  const id = await buy()
  const key = { aid: shop.aid, id }
  await db().write((trx) => updateRows(trx, 'payments', key, { status: 'disputed' }))
  return id
}

/** The context of a process that stops after its first transaction. */
function stoppingContext(): PaymentContext {
  let writes = 0
  const write: EnvironmentDatabase['write'] = async (fn, options) => {
    if (writes++ > 0) throw new Error('the process has stopped')
    return await db().write(fn, options)
  }
  return { ...env(), database: { ...db(), write } }
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

it('stores the answer of each refund, if one needs the provider and another does not', async () => {
  const { send } = await requestOf('key', [await buy(), await buyDisputed()])
  const first = await send()
  expect(first.body).toMatchObject([{ status: 'succeeded' }, { status: 'failed' }])
  expect(await send()).toEqual({ ...first, isReplayed: true })
})

it.each([
  ['orders no refund', async () => []],
  ['orders one that fails at once', async () => [await buyDisputed()]],
] as [string, () => Promise<string[]>][])(
  'has the final answer with its transaction, if it %s',
  async (_, payments) => {
    const { send } = await requestOf('key', await payments())
    const first = await send(stoppingContext())
    expect(await stored()).toMatchObject({ lease_until: null, body: JSON.stringify(first.body) })
    expect(await send()).toEqual({ ...first, isReplayed: true })
  },
)

it('carries out a request without a key each time, and stores nothing', async () => {
  const { order, send } = await requestOf(undefined)
  expect(await send()).toMatchObject({ isReplayed: false })
  await expect(send()).rejects.toMatchObject({ code: 'refund_too_large' })
  expect(order).toHaveBeenCalledTimes(2)
  expect(await stored()).toBeUndefined()
})
