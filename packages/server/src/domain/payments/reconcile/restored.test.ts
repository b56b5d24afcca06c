import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inProcessCli } from '../../../testing/cli.ts'
import { databases, type TestInstallation } from '../../../testing/databases.ts'
import { backUp, restoreInstallation } from '../../../testing/restores/restore.ts'
import {
  startTestService,
  type TestApplication,
  type TestService,
} from '../../../testing/service.ts'
import {
  buyWithStripe,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  sandboxSettings,
} from '../../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../../testing/time.ts'
import { useFreshFakeStripe } from '../../../testing/use-service.ts'
import { runDuePayments } from '../orders/payment-loop.ts'
import { listOpenFindings } from './findings.ts'

describe.each(databases)('a database that was brought back on $name', (database) => {
  let service: TestService
  let app: TestApplication
  const installations: TestInstallation[] = []

  const fake = useFreshFakeStripe()
  beforeEach(async () => {
    service = await startTestService(database, { env: sandboxSettings(fake) })
    // Both share one clock. It starts at real time, because the provider's pages expire by real time.
    service.clock.now = Date.now()
    fake.ledger.now = () => service.clock.now
    app = await service.newApplication('sandbox')
    await app.addResource('pass')
    await app.addResource('article')
  })
  afterEach(async () => {
    await service.requireInvariants()
    await service.stop()
    for (const installation of installations.splice(0)) await installation.remove()
  })

  const env = () => service.ctx.environments.sandbox
  const work = async () => {
    while ((await runDuePayments(env())) > 0);
  }
  const buy = (userRef: string, more: object = {}) =>
    buyWithStripe(env(), app.aid, fake, { rid: 'pass', userRef, terms: RENEWING_TERMS, ...more })
  /** Successful charges in the provider's records. */
  const taken = () => [...fake.ledger.charges.values()].filter(({ paid }) => paid)
  const payments = () =>
    env().database.read.selectFrom('payments').selectAll().orderBy('created').execute()

  /** Restarts the service with the data of an earlier backup, at the same time. */
  async function goBackTo(file: string): Promise<void> {
    const old = service
    const installation = await restoreInstallation(database, old.installation, file)
    installations.push(old.installation, installation)
    await old.app.close()
    await old.ctx.close()
    service = await startTestService(database, { env: sandboxSettings(fake), installation })
    service.clock.now = old.clock.now
    app = { ...app, environment: env(), client: app.clientAt(service.url) }
  }

  it('charges no period twice', async () => {
    await buy('ann')
    const file = await backUp(service.ctx)
    service.clock.advance(RENEWAL_PERIOD_S)
    await work()
    expect(taken()).toHaveLength(2)

    await goBackTo(file)
    fake.forgetKeys()
    await work()
    expect(taken()).toHaveLength(2)
    expect((await payments()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    const { data } = await app.client.searchSubscriptions({ user_ref: 'ann' })
    expect(data).toMatchObject([{ status: 'active' }])
  })

  it('charges no period twice where several have passed, and none that was paid by another card', async () => {
    const { subscription_id } = await buy('ann')
    const file = await backUp(service.ctx)
    service.clock.advance(RENEWAL_PERIOD_S)
    await work()
    const other = await buy('eve')
    await env().database.write((trx) =>
      trx
        .updateTable('subscriptions')
        .set({ method: `${cardOf(other.payment_id)}` })
        .where('id', '=', subscription_id as string)
        .execute(),
    )
    service.clock.advance(RENEWAL_PERIOD_S - DAY)
    await work()
    service.clock.advance(DAY)
    await work()
    const before = taken().length

    await goBackTo(file)
    fake.forgetKeys()
    await work()
    await work()
    expect(taken()).toHaveLength(before)
  })

  it.each([
    ['is charged while its period lasts', 6 * DAY, 0],
    ['is for a new period after that', RENEWAL_PERIOD_S, RENEWAL_PERIOD_S],
  ])('an order that was lost unanswered %s', async (_, later, shift) => {
    await buy('ann')
    const file = await backUp(service.ctx)
    service.clock.advance(RENEWAL_PERIOD_S)
    const due = env().clock()
    fake.fault = ({ route }) => (route === 'POST /v1/payment_intents' ? 'error_before' : undefined)
    await runDuePayments(env())
    expect((await payments()).map(({ status }) => status)).toEqual(['succeeded', 'pending'])

    await goBackTo(file)
    fake.fault = () => undefined
    service.clock.advance(later)
    await work()
    expect(taken()).toHaveLength(2)
    const [, renewal] = await payments()
    expect(renewal).toMatchObject({ status: 'succeeded', period_start: due + shift })
  })

  const cardOf = (paymentId: string) => {
    const [charge] = fake.ledger.chargesOf(paymentId)
    const intent = fake.ledger.intents.get(charge?.payment_intent as string)
    return `${intent?.customer}:${intent?.payment_method}`
  }

  describe('with charges of an older version, which do not say what they are for,', () => {
    /** Leaves only the labels of an older version: the application, the payment and the checkout. */
    function strip(): void {
      for (const { metadata } of [
        ...fake.ledger.intents.values(),
        ...fake.ledger.charges.values(),
      ]) {
        for (const name of Object.keys(metadata)) {
          const isOld = ['gatehouse_aid', 'gatehouse_payment', 'gatehouse_checkout'].includes(name)
          if (!isOld) delete metadata[name]
          if (name === 'gatehouse_payment' && !metadata.gatehouse_checkout) {
            metadata[name] = 'random-id-of-old'
          }
        }
      }
    }

    async function renewAndGoBack(): Promise<void> {
      await buy('ann')
      const file = await backUp(service.ctx)
      service.clock.advance(RENEWAL_PERIOD_S)
      await work()
      strip()
      await goBackTo(file)
      fake.forgetKeys()
    }

    it('takes the one of the same card, amount and period for its own', async () => {
      await renewAndGoBack()
      service.clock.advance(DAY)
      await work()
      expect(taken()).toHaveLength(2)
      expect((await payments()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    })

    it('charges nobody while that is in doubt, and asks staff', async () => {
      await renewAndGoBack()
      const [, renewed] = [...fake.ledger.intents.values()]
      if (!renewed) throw new Error('nothing was renewed')
      const { amount, currency, metadata, customer, payment_method } = renewed
      const again = { amount, currency, metadata, customer, payment_method }
      fake.ledger.capture(fake.ledger.addIntent(again))
      await runDuePayments(env())
      expect(taken()).toHaveLength(3)
      const open = await listOpenFindings(env().database.read)
      expect(open.map(({ kind }) => kind)).toEqual(['charge_in_doubt', 'charge_in_doubt'])
      expect((await payments()).map(({ status }) => status)).toEqual(['succeeded', 'pending'])
      expect(await app.client.hasAccess({ rid: 'pass', user_ref: 'ann' })).toBe(true)

      // Staff say that the second charge was for something else, so the first one paid for the period.
      const { env: settings } = service.installation
      const cli = inProcessCli({ ...settings, ...sandboxSettings(fake) })
      await cli.json('payment', 'dismiss', open[1]?.id as string)
      service.clock.advance(3_600)
      await work()
      expect((await payments()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
      expect(taken()).toHaveLength(3)
    })
  })

  it('pays nothing back twice', async () => {
    await buy('ann', { rid: 'article', terms: {} })
    const file = await backUp(service.ctx)
    await app.client.revokeAccess({ rid: 'article', user_ref: 'ann', refund: true })
    expect(fake.ledger.refunds.size).toBe(1)

    await goBackTo(file)
    fake.forgetKeys()
    const { refunds } = await app.client.revokeAccess({
      rid: 'article',
      user_ref: 'ann',
      refund: true,
    })
    expect(refunds).toMatchObject([{ status: 'succeeded', amount: 4.99 }])
    expect(fake.ledger.refunds.size).toBe(1)
  })

  it('pays a part back once where it was named', async () => {
    const { payment_id: payment } = await buy('ann', { rid: 'article', terms: {} })
    const file = await backUp(service.ctx)
    const input = { payment, amount: '1.00', reference: 'goodwill' }
    await app.client.refundPayment(input)
    await goBackTo(file)
    fake.forgetKeys()
    expect(await app.client.refundPayment(input)).toMatchObject({ status: 'succeeded' })
    expect(fake.ledger.refunds.size).toBe(1)
  })

  it('after a failover that lost seconds: an order that is under way is the same order', async () => {
    await buy('ann')
    service.clock.advance(RENEWAL_PERIOD_S)
    const file = await backUp(service.ctx)
    // The charge is made, its response is lost, and so is our row.
    fake.fault = ({ route }) => (route === 'POST /v1/payment_intents' ? 'reset_after' : undefined)
    await runDuePayments(env())
    fake.fault = () => undefined
    expect(taken()).toHaveLength(2)
    const made = fake.calls.filter(({ route }) => route === 'POST /v1/payment_intents')

    await goBackTo(file)
    // The provider does not list it yet: only the idempotency key protects.
    fake.fault = ({ route }) => (route.startsWith('GET') ? { rewrite: hideCharges } : undefined)
    await runDuePayments(env())
    fake.fault = () => undefined
    await work()
    expect(taken()).toHaveLength(2)
    const calls = fake.calls.filter(({ route }) => route === 'POST /v1/payment_intents')
    expect(calls).toHaveLength(made.length + 1)
    expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(new Set(calls.map(({ text }) => text)).size).toBe(1)
  })
})

const hideCharges = (body: Record<string, unknown>) =>
  Array.isArray(body.data) ? { ...body, data: [], has_more: false } : body
