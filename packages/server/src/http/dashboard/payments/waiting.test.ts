import { describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { clocksOf } from '../../../domain/payments/context.ts'
import { requestRefund } from '../../../domain/payments/refunds/orders.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { useService, useShop, useSignedIn } from '../../../testing/use-service.ts'
import type { PaymentDetails } from './schemas.ts'

describe.each(entryPointDatabases)('an order that waits, at the dashboard on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'news')
  const support = useSignedIn(service, 'support')

  const buy = async (userRef: string) => (await shop.buy({ rid: 'news', userRef })).payment_id
  const read = async (id: string) =>
    (await support.of(shop).request<PaymentDetails>('GET', `/payments/${id}`)).body

  it('tells why a refund and a renewal wait, and when they are tried again', async () => {
    const [paidId, paymentId] = [await buy('wanda'), await buy('wilma')]
    const { database: db, realTime } = shop.environment
    const input = { aid: shop.aid, paymentId: paidId, actor: 'test' }
    const clocks = clocksOf(shop.environment)
    const { id: refundId } = await db.write((trx) => requestRefund(trx, input, clocks))
    const due = realTime() + 90_000
    const waiting = { last_error: 'Not enough balance', due }
    await db.write(async (trx) => {
      await updateRows(trx, 'refunds', { aid: shop.aid, id: refundId }, waiting)
      const pending = { ...waiting, status: 'pending' as const }
      await updateRows(trx, 'payments', { aid: shop.aid, id: paymentId }, pending)
    })
    const shown = { last_error: 'Not enough balance', next_attempt: Math.floor(due / 1000) }
    expect((await read(paidId)).refunds).toMatchObject([{ status: 'pending', ...shown }])
    expect(await read(paymentId)).toMatchObject({ status: 'pending', ...shown })
    await db.write(async (trx) => {
      await updateRows(trx, 'refunds', { aid: shop.aid, id: refundId }, { due: realTime() })
      const settled = { last_error: null, due: null, status: 'succeeded' as const }
      await updateRows(trx, 'payments', { aid: shop.aid, id: paymentId }, settled)
    })
    await shop.work()
    const after = { last_error: null, next_attempt: null }
    expect((await read(paidId)).refunds).toMatchObject([{ status: 'succeeded', ...after }])
  })
})
