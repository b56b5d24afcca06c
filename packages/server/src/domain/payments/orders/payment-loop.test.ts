import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../ids.ts'
import { createLogger } from '../../../logging/logger.ts'
import { databases } from '../../../testing/databases.ts'
import { type FaultFixture, startFaultFixture } from '../../../testing/payments/fault-scenarios.ts'
import { replaceProvider } from '../../../testing/payments/replace-provider.ts'
import {
  buyWithStripe,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
} from '../../../testing/stripe/stripe-shop.ts'
import { startPaymentWorker } from '../../../worker/payment-worker.ts'
import { backoffAfter } from '../context.ts'
import { findPayment } from '../payments.ts'
import { runNextSteps } from '../renewals/renewals.ts'
import { createStripe } from '../stripe/stripe.ts'
import type { Claim } from './order-table.ts'
import { claimNextOrder, sendClaimedOrder } from './orders.ts'
import { runDueOrders, runDuePayments } from './payment-loop.ts'

describe.each(databases)('the worker, on $name,', (database) => {
  let fixture: FaultFixture
  const members: string[] = []
  beforeAll(async () => {
    fixture = await startFaultFixture(database)
  })
  afterEach(async () => {
    const { fake, service, app } = fixture
    fake.fault = () => undefined
    service.clock.advance(3_600)
    while ((await runDuePayments(env())) > 0);
    await service.requireInvariants()
    // Ends these subscriptions, so that none of them is due in the next test.
    for (const user_ref of members.splice(0)) {
      await app.client.revokeAccess({ rid: 'pass', user_ref })
    }
  })
  afterAll(() => fixture.stop())

  const env = () => fixture.app.environment
  const read = () => env().database.read

  /** Creates a subscription; returns its id. */
  async function subscribe(userRef = `member-${newId()}`): Promise<string> {
    const { app, fake } = fixture
    const input = { rid: 'pass', userRef, terms: RENEWING_TERMS }
    const { subscription_id } = await buyWithStripe(env(), app.aid, fake, input)
    members.push(userRef)
    return subscription_id as string
  }

  /** Creates `count` renewals that are due; returns the ids of the subscriptions. */
  async function fallDue(count: number): Promise<string[]> {
    const bought: string[] = []
    for (let n = 0; n < count; n++) bought.push(await subscribe())
    fixture.service.clock.advance(RENEWAL_PERIOD_S)
    return bought
  }

  it('lets an order that hangs hold up no other', async () => {
    await fallDue(6)
    const { fake } = fixture
    const timeout = 60_000
    const usual = env().provider
    replaceProvider(env(), createStripe({ ...fake, api: fake.url, timeout }))
    let calls = 0
    fake.fault = () => (calls++ === 0 ? 'hang_before' : undefined)
    let isOver = false
    const pass = runDuePayments(env()).finally(() => {
      isOver = true
    })
    const countReceipts = async () =>
      (await read().selectFrom('outbox').select('id').where('kind', '=', 'receipt').execute())
        .length
    await vi.waitFor(async () => expect(await countReceipts()).toBe(6 + 5), timeout)
    expect(isOver).toBe(false)
    fake.cutHanging()
    await pass
    replaceProvider(env(), usual)
  })

  it('keeps access open for renewals that fall due while every order hangs', async () => {
    const { app, fake, service } = fixture
    for (let n = 0; n < 8; n++) await subscribe()
    service.clock.advance(60)
    await subscribe('late')
    service.clock.advance(RENEWAL_PERIOD_S - 60)
    const usual = env().provider
    replaceProvider(env(), createStripe({ ...fake, api: fake.url, timeout: 60_000 }))
    let hanging = 0
    fake.fault = () => {
      hanging++
      return 'hang_before'
    }
    const worker = startPaymentWorker(env(), createLogger('silent'))
    try {
      await vi.waitFor(() => expect(hanging).toBe(8), 15_000)
      service.clock.advance(60)
      // The paid period is over: only the step can keep the access open.
      const hasAccess = () => app.client.hasAccess({ rid: 'pass', user_ref: 'late' })
      await vi.waitFor(async () => expect(await hasAccess()).toBe(true), 15_000)
    } finally {
      fake.fault = () => undefined
      fake.cutHanging()
      await worker.stop()
      replaceProvider(env(), usual)
    }
  })

  it('asks one at a time, a second apart, while the provider answers nobody', async () => {
    await fallDue(20)
    const asked: number[] = []
    const stopping = new AbortController()
    fixture.fake.fault = () => {
      asked.push(performance.now())
      const [last = 0, before = last] = asked.slice(-2).reverse()
      if (last - before > 950) stopping.abort()
      return 'reset_before'
    }
    await runNextSteps(env())
    await runDueOrders(env(), { unanswered: 0 }, stopping.signal)
    expect(stopping.signal.aborted).toBe(true)
    expect(asked.length).toBeGreaterThan(10)
    expect(asked.length).toBeLessThan(20)
  })

  it('counts the orders without an answer from one pass to the next', async () => {
    const { fake, service } = fixture
    await fallDue(6)
    const asked: number[] = []
    fake.fault = () => {
      asked.push(performance.now())
      return 'reset_before'
    }
    const countPostponed = async (attempts: number) =>
      (
        await read()
          .selectFrom('payments')
          .select('id')
          .where((eb) => eb.and({ status: 'pending', attempts }))
          .where('lease_until', 'is', null)
          .execute()
      ).length
    const worker = startPaymentWorker(env(), createLogger('silent'))
    try {
      for (const attempts of [1, 2]) {
        await vi.waitFor(async () => expect(await countPostponed(attempts)).toBe(6), 15_000)
        service.clock.advance(60)
      }
      await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(14), 15_000)
      const [first = 0, second = 0] = asked.slice(12)
      expect(second - first).toBeGreaterThan(950)
    } finally {
      await worker.stop()
    }
  })

  it("goes on with the others when one can't be renewed", async () => {
    const [broken = ''] = await fallDue(3)
    const { write } = env().database
    const lost = await write((trx) =>
      trx
        .deleteFrom('sources')
        .where('subscription_id', '=', broken)
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    await expect(runDuePayments(env())).rejects.toThrow('holds nothing open')
    const waiting = await read()
      .selectFrom('subscriptions')
      .select('id')
      .where('next_due', '<=', fixture.service.clock.seconds)
      .execute()
    expect(waiting).toEqual([{ id: broken }])
    await write((trx) => trx.insertInto('sources').values(lost).execute())
  })

  it('leaves an order alone that another took over when its time was up', async () => {
    await fallDue(1)
    const { fake, service } = fixture
    fake.fault = () => 'reset_before'
    await runDuePayments(env())
    service.clock.advance(60)
    const slow = (await claimNextOrder(env(), 'payments')) as Claim
    service.clock.advance(46)
    const other = await claimNextOrder(env(), 'payments')
    expect(other).toEqual({ ...slow, attempts: slow.attempts + 1 })
    const before = await findPayment(read(), slow.aid, slow.id)
    expect(await sendClaimedOrder(env(), 'payments', slow)).toBe(false)
    expect(await findPayment(read(), slow.aid, slow.id)).toEqual(before)
  })
})

describe('the pause before the provider is asked again', () => {
  it.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [5, 25],
    [1_000, 25],
  ])('is, after %d attempts, %d seconds, more or less', (attempts, seconds) => {
    expect(backoffAfter(attempts, 0.5)).toBe(seconds * 1000)
    expect(backoffAfter(attempts, 0)).toBe(seconds * 800)
    expect(backoffAfter(attempts, 1)).toBe(seconds * 1200)
  })
})
