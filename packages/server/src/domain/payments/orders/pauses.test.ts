import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { useFreshFixture } from '../../../testing/fixtures.ts'
import { actionsOf, openBooks, stopBooks } from '../../../testing/stripe/books.ts'
import { buyWithStripe, RENEWING_TERMS } from '../../../testing/stripe/stripe-shop.ts'
import { DAY, HOUR } from '../../../testing/time.ts'
import { clocksOf } from '../context.ts'
import { requestRefund } from '../refunds/orders.ts'
import { undecidedPause } from './pauses.ts'

const HOUR_MS = HOUR * 1000

describe.each(databases)('an order that Stripe has not decided on $name', (database) => {
  const books = useFreshFixture(() => openBooks(database), stopBooks)
  const { env, buy, deliver, work, paymentOf, hasAccess } = actionsOf(() => books)
  const read = () => env().database.read
  const pauseAfter = (attempts: number) => undecidedPause(read(), env(), attempts)
  const now = () => books.service.clock.now

  /** Orders a refund that stays pending. */
  async function refund() {
    const { payment_id: paymentId } = await buy('ann')
    books.fake.ledger.newRefundStatus = 'pending'
    const input = { aid: books.app.aid, paymentId, actor: 'test' }
    const { id } = await env().database.write((trx) => requestRefund(trx, input, clocksOf(env())))
    return async () =>
      await read().selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }

  it('waits longer each time, up to 6 hours while events arrive, and up to one without', async () => {
    for (const [attempts, most] of [
      [1, 2_000],
      [5, 32_000],
      [13, HOUR_MS],
      [500, HOUR_MS],
    ] as const) {
      const pause = await pauseAfter(attempts)
      expect(pause).toBeGreaterThanOrEqual(most * 0.8)
      expect(pause).toBeLessThanOrEqual(most * 1.2)
    }
    await buy('ann')
    await deliver()
    expect(await pauseAfter(500)).toBeGreaterThan(4 * HOUR_MS)
    expect(await pauseAfter(500)).toBeLessThan(8 * HOUR_MS)
  })

  it('is settled by its event at once: a refund', async () => {
    const refundNow = await refund()
    await work()
    await deliver()
    await env().database.write((trx) =>
      trx.updateTable('refunds').set({ attempts: 20 }).where('aid', '=', books.app.aid).execute(),
    )
    books.service.clock.advance(60)
    await work()
    expect((await refundNow()).due).toBeGreaterThan(now() + 4 * HOUR_MS)
    const [made] = [...books.fake.ledger.refunds.keys()]
    books.fake.settleRefund(made as string, 'succeeded')
    await deliver()
    expect(await refundNow()).toMatchObject({ status: 'succeeded', due: null })
  })

  it('is asked about soon after an outage, however long it has waited', async () => {
    const refundNow = await refund()
    await work()
    await deliver()
    await env().database.write((trx) =>
      trx.updateTable('refunds').set({ attempts: 20 }).where('aid', '=', books.app.aid).execute(),
    )
    books.service.clock.advance(60)
    books.fake.fault = () => 'error_before'
    await work()
    expect((await refundNow()).due).toBeLessThan(now() + 31_000)
  })

  it('is settled by its event at once: a renewal', async () => {
    await buyWithStripe(env(), books.app.aid, books.fake, {
      ...{ rid: 'pass', userRef: 'bob', terms: RENEWING_TERMS, card: 'slow_later' },
    })
    await deliver()
    books.service.clock.advance(30 * DAY)
    await work()
    const pending = await read()
      .selectFrom('payments')
      .selectAll()
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    books.fake.finishSlow(pending.provider_ref as string, true)
    await deliver()
    expect(await paymentOf(pending.id)).toMatchObject({ status: 'succeeded', due: null })
    expect(await hasAccess('bob', 'pass')).toBe(true)
  })
})
