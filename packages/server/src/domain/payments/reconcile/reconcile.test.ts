import { describe, expect, it, vi } from 'vitest'
import { readMeta } from '../../../db/meta.ts'
import { deleteRows } from '../../../db/queries/rows.ts'
import { createLogger } from '../../../logging/logger.ts'
import { type Cli, inProcessCli } from '../../../testing/cli.ts'
import { signInAs } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import { listOutbox } from '../../../testing/smtp/outbox.ts'
import { kindsOf, useBooks } from '../../../testing/stripe/books.ts'
import {
  payWithoutWebhook,
  RENEWAL_PERIOD_S,
  sandboxSettings,
} from '../../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../../testing/time.ts'
import { useService } from '../../../testing/use-service.ts'
import { startReconcileWorker } from '../../../worker/reconcile-worker.ts'
import { ProviderError } from '../provider-error.ts'
import { isReconciliationDue, reconcile } from './reconcile.ts'

interface Overview {
  attention: { kind: string; provider_ref: string; money: object }[]
}

describe.each(databases)('reconciliation on $name', (database) => {
  const {
    fake,
    service,
    app,
    env,
    work,
    subscribe,
    buy,
    hasAccess,
    paymentOf,
    intentOf,
    compare,
    deliver,
    requireSameBooks,
  } = useBooks(database)

  it('waits for another one while that goes on, and for a minute if it was cut off', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    fake.fault = () => 'hang_before'
    const first = compare().catch((error: unknown) => error)
    await vi.waitFor(() => expect(fake.calls).not.toEqual([]))
    await expect(compare()).rejects.toThrow('under way')
    const lease = () => readMeta(env().database.read, 'reconciliation_lease')
    const before = await lease()
    service.clock.advance(50)
    vi.advanceTimersByTime(20_000)
    await vi.waitFor(async () => expect(await lease()).not.toBe(before))
    service.clock.advance(50)
    await expect(compare()).rejects.toThrow('under way')
    service.clock.advance(11)
    fake.fault = () => undefined
    expect(await compare()).toMatchObject({ open: [] })
    fake.cutHanging()
    expect(await first).toBeInstanceOf(ProviderError)
    vi.useRealTimers()
  })

  it('finds nothing where both sides say the same, and says how much it has compared', async () => {
    await subscribe('ann')
    await buy('bob')
    service.clock.advance(RENEWAL_PERIOD_S)
    await work()
    const declined = { rid: 'article', userRef: 'cal', card: 'declined' } as const
    await payWithoutWebhook(env(), app.aid, fake, declined)
    expect(await compare()).toMatchObject({ charges: 3, repaired: [], open: [] })
  })

  it('lets a refund that was made by hand at the provider take effect', async () => {
    const { payment_id } = await buy('eve')
    expect(await hasAccess('eve')).toBe(true)
    fake.refundByHand(await intentOf(payment_id), 100)
    expect(kindsOf((await compare()).repaired)).toEqual(['refund_adopted'])
    expect(await paymentOf(payment_id)).toMatchObject({
      status: 'partially_refunded',
      refunded: 100,
    })
    expect(await hasAccess('eve')).toBe(true)

    fake.refundByHand(await intentOf(payment_id))
    expect(kindsOf((await compare()).repaired)).toEqual(['refund_adopted'])
    expect(await paymentOf(payment_id)).toMatchObject({ status: 'refunded' })
    expect(await hasAccess('eve')).toBe(false)
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
    const mails = (await listOutbox(service, 'sandbox')).filter(({ kind }) => kind === 'refunded')
    expect(mails).toHaveLength(2)
    await requireSameBooks()
  })

  it('hears of such a refund by its event too, once', async () => {
    const { payment_id } = await buy('ben')
    fake.refundByHand(await intentOf(payment_id))
    await deliver()
    expect(await hasAccess('ben')).toBe(false)
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
    await requireSameBooks()
  })

  it('lets a dispute that was lost end what was paid for, also one that it knew as open', async () => {
    const first = await buy('cat')
    const second = await buy('dan')
    const lost = fake.openDispute(await intentOf(first.payment_id))
    fake.openDispute(await intentOf(second.payment_id))
    expect(kindsOf((await compare()).repaired)).toEqual(['dispute_recorded', 'dispute_recorded'])
    expect(await hasAccess('cat')).toBe(true)
    fake.settleDispute(lost, 'lost')
    service.clock.advance(30 * DAY)
    expect(kindsOf((await compare()).repaired)).toEqual(['dispute_recorded'])
    expect([await hasAccess('cat'), await hasAccess('dan')]).toEqual([false, true])
  })

  it('runs once a day in the worker, and not in two processes at once', async () => {
    const { payment_id } = await buy('fay')
    service.clock.advance(2 * DAY)
    fake.calls.length = 0
    fake.refundByHand(await intentOf(payment_id))
    const lists = () =>
      fake.calls.filter(({ route, text }) => /disputes$/.test(route) && /created/.test(text)).length
    const worker = startReconcileWorker(env(), createLogger('silent'))
    await expect.poll(() => hasAccess('fay')).toBe(false)
    await worker.stop()
    expect(lists()).toBe(1)
    const again = startReconcileWorker(env(), createLogger('silent'))
    await again.stop()
    expect(lists()).toBe(1)

    fake.latency = () => 20
    const both = await Promise.allSettled([compare(), compare()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await compare()
  })

  it('keeps what it can’t put right, until staff have dealt with it', async () => {
    const cli = inProcessCli({ ...service.installation.env, ...sandboxSettings(fake) })
    const { payment_id } = await buy('gus')
    const intent = fake.ledger.intents.get(await intentOf(payment_id))
    if (!intent) throw new Error('nothing was charged')
    Object.assign(intent, { amount: 600, amount_received: 600 })
    const found = await compare()
    expect(found.open).toMatchObject([
      { kind: 'amount_differs', paymentId: payment_id, amount: 600 },
    ])
    expect((await compare()).open).toHaveLength(1)

    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain('gatehouse_reconciliation_open{environment="sandbox"} 1')
    const { checks } = await cli.json<{ checks: { message: string }[] }>('doctor')
    expect(checks.map(({ message }) => message).join()).toContain('took 6.00 EUR')
    const staff = (await signInAs(service, 'reader')).of(app)
    const { body } = await staff.request<Overview>('GET', '/overview')
    expect(body.attention).toMatchObject([{ kind: 'amount_differs', provider_ref: intent.id }])

    await requireDismissed(cli)
    expect((await compare()).open).toEqual([])
    const after = await (await fetch(`${service.url}/metrics`)).text()
    expect(after).toContain('gatehouse_reconciliation_open{environment="sandbox"} 0')
    Object.assign(intent, { amount: 499, amount_received: 499 })
  })

  async function requireDismissed(cli: Cli): Promise<void> {
    interface Printed {
      open: { id: string }[]
    }
    const args = ['payment', 'reconcile', '--env', 'sandbox', '--since', '2026-01-01']
    const { open } = await cli.json<Printed>(...args)
    expect(open).toHaveLength(1)
    expect((await cli.run(...args)).stdout).toContain('amount_differs')
    const id = open[0]?.id as string
    await cli.json('payment', 'dismiss', id)
    expect((await cli.run('payment', 'dismiss', id)).code).toBe(1)
    expect((await cli.json<Printed>(...args)).open).toEqual([])
  }

  it('forgets what it has found when it is gone, and tells of payments without a charge', async () => {
    const { payment_id } = await buy('hal')
    const ref = await intentOf(payment_id)
    const intent = fake.ledger.intents.get(ref)
    fake.ledger.intents.delete(ref)
    const charged = await compare()
    expect(charged.open).toMatchObject([{ kind: 'charge_missing', paymentId: payment_id }])
    if (intent) fake.ledger.intents.set(ref, intent)
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
    const rows = await env()
      .database.read.selectFrom('reconciliation_findings')
      .selectAll()
      .where('dismissed', 'is', null)
      .execute()
    expect(rows).toEqual([])
  })

  it('begins again where one was broken off, even after one of a shorter time', async () => {
    await compare()
    const start = service.clock.seconds - 7 * DAY
    service.clock.advance(30 * DAY)
    fake.fault = ({ route }) => (route === 'GET /v1/refunds' ? 'error_before' : undefined)
    await expect(compare()).rejects.toBeInstanceOf(ProviderError)
    fake.fault = () => undefined
    await reconcile(env(), { since: service.clock.seconds - DAY })
    expect((await compare()).since).toBe(start)
    expect((await compare()).since).toBe(service.clock.seconds - 7 * DAY)
  })

  it('is due a day after the last one', async () => {
    service.clock.now = service.clock.seconds * 1000
    await compare()
    service.clock.advance(DAY - 1)
    expect(await isReconciliationDue(env())).toBe(false)
    service.clock.advance(1)
    expect(await isReconciliationDue(env())).toBe(true)
  })

  it('asks staff about a charge of ours that nothing here explains, and leaves those of others alone', async () => {
    const ref = await intentOf((await buy('ida')).payment_id)
    const { charges: before } = await compare()
    const intent = fake.ledger.intents.get(ref)
    const mark = { gatehouse_installation: intent?.metadata.gatehouse_installation as string }
    const other = { amount: 700, currency: 'eur' }
    for (const metadata of [
      { ...mark, gatehouse_payment: 'lost', gatehouse_aid: 'GoneGone01' },
      { ...mark, gatehouse_payment: 'lost2', gatehouse_checkout: 'c2', gatehouse_aid: app.aid },
      {
        gatehouse_installation: 'another',
        gatehouse_payment: 'theirs',
        gatehouse_aid: 'Other00001',
      },
      { gatehouse_installation: 'copied', gatehouse_payment: 'theirs2', gatehouse_aid: app.aid },
      { shop: 'another system' },
    ] as Record<string, string>[]) {
      fake.ledger.capture(fake.ledger.addIntent({ ...other, metadata }))
    }
    const { charges, open } = await compare()
    expect(charges).toBe(before + 2)
    expect(kindsOf(open)).toEqual(['charge_unknown', 'charge_unknown'])
    expect(open.map(({ aid }) => aid).sort()).toEqual(['GoneGone01', app.aid].sort())
  })

  it('leaves the refunds and disputes of charges alone that are not recorded here', async () => {
    const metadata = { shop: 'another system' }
    const intent = fake.ledger.addIntent({ amount: 700, currency: 'eur', metadata })
    fake.ledger.capture(intent)
    fake.refundByHand(intent.id, 100)
    fake.openDispute(intent.id)
    const { repaired, open } = await compare()
    const about = [...repaired, ...open].map(({ providerRef }) => providerRef)
    expect(about).not.toContain(intent.id)
  })
})

describe.each(databases)('the first reconciliation on $name', (database) => {
  const { service, app, buy, compare, env } = useBooks(database)

  it('goes back 90 days, or to a week before the last payment', async () => {
    expect((await compare()).since).toBe(service.clock.seconds - 90 * DAY)
    await env().database.write((trx) => deleteRows(trx, 'meta', { name: 'reconciled_at' }))
    await app.client.advanceClock({ seconds: 40 * DAY })
    await buy('ann')
    service.clock.advance(50 * DAY)
    await buy('ben')
    const last = service.clock.seconds
    service.clock.advance(100 * DAY)
    await service.newApplication('sandbox')
    expect((await compare()).since).toBe(last - 7 * DAY)
  })
})

describe.each(databases)('without a provider that keeps its own records, on $name,', (database) => {
  const service = useService(database)

  it.each(['production', 'sandbox'] as const)('nothing is compared in %s', async (name) => {
    const env = service.ctx.environments[name]
    expect(await isReconciliationDue(env)).toBe(false)
    const nothing = { since: 7, charges: 0, repaired: [], open: [] }
    expect(await reconcile(env, { since: 7 })).toEqual(nothing)
  })
})
