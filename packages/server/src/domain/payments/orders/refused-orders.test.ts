import { afterEach, describe, expect, it } from 'vitest'
import { listRows } from '../../../db/queries/rows.ts'
import { inProcessCli } from '../../../testing/cli.ts'
import { databases } from '../../../testing/databases.ts'
import { useBooks } from '../../../testing/stripe/books.ts'
import type { Fault } from '../../../testing/stripe/fake-stripe.ts'
import { REFUSALS } from '../../../testing/stripe/refusals.ts'
import {
  buyWithStripe,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  sandboxSettings,
} from '../../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../../testing/time.ts'
import { cancelSubscription } from '../../subscriptions/lifecycle.ts'
import { clocksOf, MAX_REFUSED_PAUSE_MS } from '../context.ts'
import { dismissFinding, listOpenFindings } from '../reconcile/findings.ts'
import { requestRefund } from '../refunds/orders.ts'
import { findRefund } from '../refunds/refunds.ts'
import { claimNextOrder, sendClaimedOrder } from './orders.ts'
import { runDueOrders } from './payment-loop.ts'

const CREATE_INTENT = 'POST /v1/payment_intents'
const CREATE_REFUND = 'POST /v1/refunds'

describe.each(databases)('an order that Stripe refuses on $name', (database) => {
  const books = useBooks(database)
  const { fake, service, app, env, work, buy, hasAccess, paymentOf, failWith, keysOf } = books
  const read = () => env().database.read

  const members: string[] = []
  afterEach(async () => {
    fake.fault = () => undefined
    service.clock.advance(DAY)
    await work()
    for (const user_ref of members.splice(0)) {
      if (await hasAccess(user_ref, 'pass'))
        await app.client.revokeAccess({ rid: 'pass', user_ref })
    }
    expect(await listOpenFindings(read())).toEqual([])
  })

  async function orderRefund(userRef: string) {
    const { payment_id: paymentId } = await buy(userRef)
    const input = { aid: app.aid, paymentId, actor: 'test' }
    const write = env().database.write((trx) => requestRefund(trx, input, clocksOf(env())))
    return { ...(await write), paymentId }
  }
  async function subscribe(userRef: string) {
    members.push(userRef)
    return await books.subscribe(userRef)
  }
  const refundNow = async (id: string) => await findRefund(read(), app.aid, id)
  const noticesOf = async (subject_id: string) =>
    (await listRows(read(), 'notices', { aid: app.aid, subject_id }))
      .map(({ event }) => event)
      .filter((event) => event !== 'purchase')
  const mailsOf = (key: string) => listRows(read(), 'outbox', { aid: app.aid, key })
  const renewalOf = async (subscription_id: string | null) =>
    (
      await listRows(read(), 'payments', { aid: app.aid, subscription_id: subscription_id ?? '' }, [
        'created',
      ])
    ).at(-1) as Awaited<ReturnType<typeof paymentOf>>
  const subscriptionOf = async (id: string | null) =>
    (await listRows(read(), 'subscriptions', { aid: app.aid, id: id ?? '' }))[0]

  it('waits with a growing pause, is told to staff, and is made once the reason is gone', async () => {
    const { id, paymentId } = await orderRefund('ann')
    failWith(REFUSALS.balance, CREATE_REFUND)
    const pauses: number[] = []
    for (let n = 0; n < 12; n++) {
      await work()
      const now = env().realTime()
      const { due } = (await refundNow(id)) as { due: number }
      pauses.push((due - now) / 60_000)
      service.clock.advance(Math.ceil((due - now) / 1000))
    }
    for (const [n, pause] of pauses.entries()) {
      const usual = Math.min(2 ** n, 360)
      expect(pause).toBeGreaterThanOrEqual(0.8 * usual)
      expect(pause).toBeLessThanOrEqual(1.2 * usual)
    }
    const waiting = await refundNow(id)
    expect(waiting).toMatchObject({ status: 'pending', refusals: 12 })
    expect(waiting?.last_error).toContain('Not enough balance for this refund.')
    const findings = await listOpenFindings(read())
    expect(findings).toMatchObject([{ kind: 'order_waiting', subject: id, payment_id: paymentId }])
    expect(findings[0]?.message).toMatch(/insufficient_balance_for_refund, req_\w+/)
    expect(await noticesOf(paymentId)).toEqual(['refund_waits'])
    failWith(undefined, CREATE_REFUND)
    await work()
    expect(await refundNow(id)).toMatchObject({ status: 'succeeded', last_error: null })
    expect(fake.ledger.refundsOf(id)).toHaveLength(1)
    const [first, second] = keysOf(CREATE_REFUND, id)
    expect([first, second]).toEqual([`gatehouse-refund-${id}`, `gatehouse-refund-${id}-2`])
    expect(new Set(keysOf(CREATE_REFUND, id)).size).toBe(13)
  })

  it('is no outage, and staff can end the waiting', async () => {
    const { id } = await orderRefund('ben')
    failWith(REFUSALS.silent, CREATE_REFUND)
    const claim = await claimNextOrder(env(), 'refunds')
    expect(claim && (await sendClaimedOrder(env(), 'refunds', claim))).toBe(true)
    expect(await runDueOrders(env(), { unanswered: 0 })).toBe(0)
    const dismiss = async () => {
      const [finding] = await listOpenFindings(read())
      const realTime = env().realTime()
      await env().database.write((trx) => dismissFinding(trx, finding?.id as string, realTime))
    }
    await dismiss()
    await work()
    expect(await refundNow(id)).toMatchObject({ status: 'pending', refusals: 2 })
    expect(await listOpenFindings(read())).toHaveLength(1)
    failWith(undefined, CREATE_REFUND)
    await dismiss()
    await work()
    expect(await refundNow(id)).toMatchObject({ status: 'succeeded' })
  })

  it('keeps its key while it has no answer', async () => {
    const { id } = await orderRefund('cleo')
    for (const fault of [
      'reset_before',
      'error_before',
      REFUSALS.balanceCode,
      'reset_before',
    ] as const) {
      failWith(fault, CREATE_REFUND)
      await work()
      service.clock.advance(120)
    }
    const key = `gatehouse-refund-${id}`
    expect(keysOf(CREATE_REFUND, id)).toEqual([key, key, key, `${key}-2`])
  })

  it('is explained by doctor, which does not doubt the network', async () => {
    await orderRefund('dora')
    failWith(REFUSALS.balanceCode, CREATE_REFUND)
    await work()
    service.clock.advance(1_200)
    const cli = inProcessCli({ ...service.installation.env, ...sandboxSettings(fake) })
    const { checks } = await cli.json<{ checks: { message: string; todo?: string }[] }>('doctor')
    const told = checks.filter(({ message }) => message.includes('waits'))
    expect(told).toHaveLength(1)
    expect(told[0]?.message).toContain('Not enough balance')
    expect(checks.filter(({ message }) => message.includes('waiting for the provider'))).toEqual([])
  })

  it('fails at once if the reader has to do something', async () => {
    for (const [refusal, failure] of [
      [REFUSALS.mandate, 'no_card'],
      [REFUSALS.link, 'no_card'],
      [REFUSALS.authentication, 'needs_payer'],
    ] as const) {
      const { subscription_id } = await subscribe(
        `reader-${failure}-${refusal.refuse.message.length}`,
      )
      service.clock.advance(RENEWAL_PERIOD_S)
      failWith(refusal, CREATE_INTENT)
      await work()
      const renewal = await renewalOf(subscription_id)
      expect(renewal).toMatchObject({ status: 'failed', failure })
      expect(await mailsOf(`payment_failed:${renewal.id}`)).toHaveLength(1)
      expect(await subscriptionOf(subscription_id)).toMatchObject({ status: 'past_due' })
      service.clock.advance(9 * DAY)
      await work()
    }
  })

  it.each<[string, Fault]>([
    ['refuses', REFUSALS.capability],
    ['does not answer', 'reset_before'],
    ['refuses the key', 'key_refused'],
  ])('ends unpaid with the days of grace if Stripe %s', async (what, fault) => {
    const userRef = `unpaid-${what.replaceAll(' ', '-')}`
    const { subscription_id } = await subscribe(userRef)
    service.clock.advance(RENEWAL_PERIOD_S)
    fake.fault = () => fault
    await work()
    service.clock.advance(7 * DAY - 60)
    await work()
    expect(await subscriptionOf(subscription_id)).toMatchObject({ status: 'active' })
    expect(await listOpenFindings(read())).toMatchObject([{ kind: 'order_waiting' }])
    service.clock.advance(120)
    await work()
    expect(await subscriptionOf(subscription_id)).toMatchObject({ status: 'ended' })
    expect(await hasAccess(userRef, 'pass')).toBe(false)
    const renewal = await renewalOf(subscription_id)
    expect(await mailsOf(`payment_failed:${renewal.id}`)).toHaveLength(1)
    const events = await noticesOf(subscription_id ?? '')
    expect(events.sort()).toEqual(['ended', 'renewal_waits'])
    fake.fault = () => undefined
    service.clock.advance(MAX_REFUSED_PAUSE_MS / 1000)
    await work()
    expect(await paymentOf(renewal.id)).toMatchObject({ status: 'failed', failure: 'ended' })
    expect(fake.ledger.chargesOf(renewal.id)).toEqual([])
  })

  it('is not charged any more after the reader has canceled', async () => {
    const { subscription_id } = await subscribe('quits')
    service.clock.advance(RENEWAL_PERIOD_S)
    failWith(REFUSALS.capability, CREATE_INTENT)
    await work()
    const id = subscription_id as string
    const { delivery } = env()
    const who = { aid: app.aid, id, actor: 'quits' }
    await env().database.write((trx) => cancelSubscription(trx, who, clocksOf(env()), delivery))
    fake.fault = () => undefined
    service.clock.advance(DAY)
    await work()
    const renewal = await renewalOf(id)
    expect(renewal).toMatchObject({ status: 'failed', failure: 'ended' })
    expect(fake.ledger.chargesOf(renewal.id)).toEqual([])
    expect(await subscriptionOf(id)).toMatchObject({ status: 'ended' })
    expect(await mailsOf(`payment_failed:${renewal.id}`)).toEqual([])
    expect(await hasAccess('quits', 'pass')).toBe(false)
  })

  it('is told to staff, too, if Stripe has not decided for hours', async () => {
    const input = {
      rid: 'pass',
      userRef: 'slow',
      terms: RENEWING_TERMS,
      card: 'slow_later',
    } as const
    const { subscription_id } = await buyWithStripe(env(), app.aid, fake, input)
    members.push('slow')
    service.clock.advance(RENEWAL_PERIOD_S)
    await work()
    const { id, provider_ref, last_error } = await renewalOf(subscription_id)
    expect(last_error).toBe('the provider has not decided yet')
    expect(await listOpenFindings(read())).toEqual([])
    service.clock.advance(MAX_REFUSED_PAUSE_MS / 1000)
    await work()
    expect(await listOpenFindings(read())).toMatchObject([{ kind: 'order_waiting', subject: id }])
    fake.finishSlow(provider_ref as string, true)
    service.clock.advance(MAX_REFUSED_PAUSE_MS / 1000)
    await work()
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded', last_error: null })
  })

  it('is paid back if it was charged and the subscription has ended by the time we hear of it', async () => {
    const { subscription_id } = await subscribe('late')
    service.clock.advance(RENEWAL_PERIOD_S)
    fake.fault = ({ route }) => (route === CREATE_INTENT ? 'reset_after' : undefined)
    const claimed = async () => {
      fake.fault = ({ route }) => (route === CREATE_INTENT ? 'reset_after' : 'error_before')
    }
    const calls = fake.calls.length
    const pass = work()
    while (!fake.calls.slice(calls).some(({ route }) => route === CREATE_INTENT)) {
      await new Promise(setImmediate)
    }
    await claimed()
    await pass
    service.clock.advance(7 * DAY + 60)
    await work()
    expect(await subscriptionOf(subscription_id)).toMatchObject({ status: 'ended' })
    fake.fault = () => undefined
    service.clock.advance(60)
    await work()
    const renewal = await renewalOf(subscription_id)
    expect(renewal).toMatchObject({ status: 'refunded', flag: 'late' })
    expect(fake.ledger.chargesOf(renewal.id)).toHaveLength(1)
  })
})
