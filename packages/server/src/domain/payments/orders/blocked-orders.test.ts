import { afterEach, describe, expect, it } from 'vitest'
import { listRows, updateRows } from '../../../db/queries/rows.ts'
import { databases } from '../../../testing/databases.ts'
import { useBooks } from '../../../testing/stripe/books.ts'
import { REFUSALS } from '../../../testing/stripe/refusals.ts'
import { RENEWAL_PERIOD_S } from '../../../testing/stripe/stripe-shop.ts'
import { clocksOf } from '../context.ts'
import { listOpenFindings } from '../reconcile/findings.ts'
import { requestRefund } from '../refunds/orders.ts'
import { findRefund } from '../refunds/refunds.ts'
import type { OrderTable } from './order-table.ts'
import { claimNextOrder, sendClaimedOrder } from './orders.ts'

const CREATE_INTENT = 'POST /v1/payment_intents'
const CREATE_REFUND = 'POST /v1/refunds'
const HOUR_MS = 3_600_000

describe.each(databases)('an order that goes on being answered alike on $name', (database) => {
  const { fake, service, app, env, work, buy, subscribe, paymentOf, failWith, keysOf } =
    useBooks(database)
  const read = () => env().database.read

  afterEach(async () => {
    fake.fault = () => undefined
    service.clock.advance(30_000)
    await work()
    expect(await listOpenFindings(read())).toEqual([])
  })

  async function orderRefund(userRef: string) {
    const { payment_id: paymentId } = await buy(userRef)
    const input = { aid: app.aid, paymentId, actor: 'test' }
    return await env().database.write((trx) => requestRefund(trx, input, clocksOf(env())))
  }
  async function renewalOf(subscription_id: string | null) {
    const about = { aid: app.aid, subscription_id: subscription_id ?? '' }
    const [, renewal] = await listRows(read(), 'payments', about, ['created'])
    return renewal as Awaited<ReturnType<typeof paymentOf>>
  }
  /** Attempts the order until it waits for hours, and returns whether each attempt counts as answered. */
  async function attempt(table: OrderTable, times: number): Promise<boolean[]> {
    const answered: boolean[] = []
    for (let n = 0; n < times; n++) {
      const claim = await claimNextOrder(env(), table)
      if (!claim) throw new Error('no order is due')
      answered.push(await sendClaimedOrder(env(), table, claim))
      const [{ due } = { due: 0 }] = await listRows(read(), table, { aid: app.aid, id: claim.id })
      service.clock.advance(Math.ceil((Number(due) - env().realTime()) / 1000))
    }
    return answered
  }

  it('is no outage if a charge of ours can’t be read: staff are told, and it waits for hours', async () => {
    const { subscription_id, payment_id } = await subscribe('ann')
    const intent = fake.ledger.intents.get((await paymentOf(payment_id)).provider_ref as string)
    if (!intent) throw new Error('no intent')
    fake.ledger.markOdd(intent.id, 'a status that we do not know')
    Object.assign(intent, { status: 'requires_something_new' })
    service.clock.advance(RENEWAL_PERIOD_S)
    await work()
    const { id } = await renewalOf(subscription_id)
    const message = `the renewal ${id} waits: the status of ${intent.id} can't be read`
    expect(await listOpenFindings(read())).toMatchObject([{ kind: 'order_waiting', message }])
    service.clock.advance(120)
    expect(await attempt('payments', 10)).toEqual(Array(10).fill(true))
    const { due } = await paymentOf(id)
    expect(Number(due) - env().realTime()).toBeLessThan(1000)
    Object.assign(intent, { status: 'succeeded' })
    service.clock.advance(7 * 3600)
    await work()
    expect((await paymentOf(id)).status).toBe('succeeded')
  })

  it('is no outage if the key lacks a permission: it waits for hours, and keeps its idempotency key', async () => {
    const { id } = await orderRefund('ben')
    failWith('no_permission', CREATE_REFUND)
    const before = env().realTime()
    expect(await attempt('refunds', 9)).toEqual(Array(9).fill(true))
    expect(env().realTime() - before).toBeGreaterThan(6 * HOUR_MS)
    const refund = await findRefund(read(), app.aid, id)
    expect(refund?.last_error).toContain('lacks a permission (403)')
    expect(await listOpenFindings(read())).toMatchObject([{ kind: 'order_waiting', subject: id }])
    fake.fault = () => undefined
    service.clock.advance(60)
    await work()
    expect(await findRefund(read(), app.aid, id)).toMatchObject({ status: 'succeeded' })
    expect(new Set(keysOf(CREATE_REFUND, id)).size).toBe(1)
  })

  it('is made under a new key if it has changed since Stripe stored a refusal', async () => {
    const { subscription_id } = await subscribe('cleo')
    service.clock.advance(RENEWAL_PERIOD_S)
    failWith(REFUSALS.capability, CREATE_INTENT)
    await work()
    const { id, aid } = await renewalOf(subscription_id)
    // An older version did not count refusals, and sent other parameters.
    await env().database.write(async (trx) => {
      await updateRows(trx, 'payments', { aid, id }, { refusals: 0 })
      await updateRows(trx, 'resources', { aid, rid: 'pass' }, { name: 'Another name' })
    })
    fake.fault = () => undefined
    for (let n = 0; n < 3; n++) {
      service.clock.advance(1_200)
      await work()
    }
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded' })
    expect(fake.ledger.chargesOf(id)).toHaveLength(1)
    const key = `gatehouse-charge-${id}`
    expect(keysOf(CREATE_INTENT, id)).toEqual([key, key, `${key}-2`])
  })

  it('is refunded under a new key if the reader was merged or erased since', async () => {
    const { id, aid } = await orderRefund('dora')
    failWith(REFUSALS.balance, CREATE_REFUND)
    await work()
    await env().database.write(async (trx) => {
      await updateRows(trx, 'refunds', { aid, id }, { refusals: 0, reference: 'erased:0' })
    })
    fake.fault = () => undefined
    for (let n = 0; n < 3; n++) {
      service.clock.advance(1_200)
      await work()
    }
    expect(await findRefund(read(), aid, id)).toMatchObject({ status: 'succeeded' })
    expect(fake.ledger.refundsOf(id)).toHaveLength(1)
    const key = `gatehouse-refund-${id}`
    expect(keysOf(CREATE_REFUND, id)).toEqual([key, key, `${key}-2`])
  })
})
