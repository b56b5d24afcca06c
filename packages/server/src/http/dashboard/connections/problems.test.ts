import { afterEach, describe, expect, it } from 'vitest'
import { testPayments } from '../../../domain/connections/payments.ts'
import {
  listProviderProblems,
  refreshOldAccountNote,
} from '../../../domain/payments/provider-problems.ts'
import { createPrice } from '../../../domain/resources/prices.ts'
import { inProcessCli } from '../../../testing/cli.ts'
import type { Refusal } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import { submitForm, visibleText } from '../../../testing/payments/page-client.ts'
import { buyWithStripe, RENEWING_TERMS } from '../../../testing/stripe/stripe-shop.ts'
import {
  useApplication,
  useFakeStripe,
  useService,
  useSignedIn,
} from '../../../testing/use-service.ts'
import type { Overview } from '../overview/schemas.ts'
import type { ConnectionsView, PaymentsChanged } from './schemas.ts'

const LIVE_KEY = 'sk_live_fake0123456789'
const ONCE = { amount: 50_000, recurring: 0, period: null, trial_days: 0 } as const
const HOUR_MS = 3_600_000

describe.each(databases)('what staff should know of Stripe, on $name', (database) => {
  const fake = useFakeStripe()
  const service = useService(database, () => ({
    useRealTime: true,
    env: { GATEHOUSE_STRIPE_API: fake.url },
  }))
  const app = useApplication(service, { environment: 'production', resources: ['news', 'old'] })
  const owner = useSignedIn(service, 'owner')
  const developer = useSignedIn(service, 'developer')

  const at = (path = '') => `/connections/production${path}`
  const viewed = async () => (await owner.request<ConnectionsView>('GET', at())).body.payments
  const kinds = async () => (await viewed()).problems.map(({ kind }) => kind)
  const overview = async () => {
    const path = `/production/${app.aid}/overview`
    return (await owner.request<Overview>('GET', path)).body.payment_problems
  }
  const priceProblems = async () =>
    (await overview()).filter((text) => text.includes('nobody can buy at prices in'))
  const doctor = async () => {
    const { env } = service.installation
    const cli = inProcessCli({ ...env, GATEHOUSE_STRIPE_API: fake.url })
    const { stdout } = await cli.run('doctor')
    return stdout.split('\n').filter((line) => /payments production/.test(line))
  }
  const pricesOf = (rid: string) => `/production/${app.aid}/resources/${rid}/prices`
  /** The environment, after some time. */
  const later = (ms: number) => {
    const { database: shop, provider } = app.environment
    return { database: shop, provider, realTime: () => Date.now() + ms }
  }
  const problemsLater = async (ms: number, aids: string[]) =>
    (await listProviderProblems(app.environment.database.read, later(ms), aids)).length
  const calls = () => fake.calls.filter(({ route }) => route === 'GET /v1/account').length
  afterEach(() => {
    fake.ledger.refusesWalletOptions = false
  })

  it('is said when it is connected: the account can’t take payments yet', async () => {
    fake.moreKeys.push(LIVE_KEY)
    Object.assign(fake.ledger.account, { charges_enabled: false, details_submitted: false })
    const body = { secret_key: LIVE_KEY }
    const { body: connected } = await owner.request<PaymentsChanged>('PUT', at('/payments'), body)
    expect(connected.payments.problems).toEqual([
      { kind: 'details_missing', text: expect.stringMatching(/^This Stripe account is not activ/) },
    ])
    expect(await overview()).toEqual([connected.payments.problems[0]?.text])
    expect((await doctor()).join()).toContain('is not activated, so readers can’t pay')
  })

  it('is asked about every hour until it is over, and then once a day', async () => {
    Object.assign(fake.ledger.account, { charges_enabled: true, details_submitted: true })
    const before = calls()
    await refreshOldAccountNote(app.environment)
    expect([calls(), await kinds()]).toEqual([before, ['details_missing']])
    await refreshOldAccountNote(later(HOUR_MS))
    expect([calls(), await kinds()]).toEqual([before + 1, []])
    await refreshOldAccountNote(later(2 * HOUR_MS))
    expect(calls()).toBe(before + 1)
    fake.fault = ({ route }) => (route === 'GET /v1/account' ? 'reset_before' : undefined)
    await refreshOldAccountNote(later(25 * HOUR_MS))
    fake.fault = () => undefined
    expect(calls()).toBe(before + 2)
    expect([await kinds(), await overview()]).toEqual([[], []])
    expect(await doctor()).toEqual([
      expect.stringMatching(/^ok .* stripe responds$/),
      expect.stringMatching(/^ok .* reads in 30 days$/),
    ])
  })

  it('is known after a test of the connection', async () => {
    fake.ledger.account.card_payments = 'inactive'
    await testPayments(app.environment)
    expect(await kinds()).toEqual(['cards_off'])
    fake.ledger.account.card_payments = 'active'
    await testPayments(app.environment)
    expect(await kinds()).toEqual([])
  })

  it('is that Link is on although it should be off', async () => {
    fake.ledger.refusesWalletOptions = true
    await buyWithStripe(app.environment, app.aid, fake, { rid: 'news', userRef: 'ann' })
    expect(await kinds()).toEqual(['link_shown'])
    expect(await problemsLater(7 * 24 * HOUR_MS, [])).toBe(0)
  })

  it('is a price in a currency that Stripe does not offer: no new one can be added', async () => {
    const refused = await owner.request<Refusal>('POST', pricesOf('news'), {
      ...{ amount: 50_000, currency: 'IQD' },
    })
    expect(refused.body.error).toMatchObject({
      ...{ parameter: 'currency', problem: 'Stripe takes no payments in IQD' },
    })
    const { env } = service.installation
    const cli = inProcessCli({ ...env, GATEHOUSE_STRIPE_API: fake.url })
    const { aid } = app
    const options = ['--aid', aid, '--rid', 'news', '--amount', '50', '--currency', 'LYD']
    const { code, stderr } = await cli.run('price', 'create', ...options)
    expect([code, stderr]).toEqual([
      ...[1, 'gatehouse: --currency: Stripe takes no payments in LYD\n'],
    ])
  })

  it('is a price that was there before, which readers are told of in plain words', async () => {
    const { database: shop, clock } = app.environment
    const price = { aid: app.aid, rid: 'old', ...ONCE, currency: 'IQD' }
    const { id } = await shop.write((trx) => createPrice(trx, price, clock(), 'test'))
    const page = `${service.url}/checkout/${app.aid}/old`
    const { status, text } = await submitForm(page, { email: 'ada@example.com', price: id })
    expect(status).toBe(402)
    expect(visibleText(text)).toContain('can’t take payments in the currency of this price')
    expect(visibleText(text)).not.toContain('not responding')
    expect(await priceProblems()).toEqual([expect.stringMatching(/no payments in IQD/)])
    expect((await doctor()).join()).toContain('nobody can buy at prices in IQD')
  })

  it('is a currency that Stripe does not offer to this account', async () => {
    const { body: price } = await owner.request<{ id: string }>('POST', pricesOf('news'), {
      ...{ amount: 50_000, currency: 'TND' },
    })
    expect(await priceProblems()).toHaveLength(1)
    const param = 'line_items[0][price_data][currency]'
    fake.fault = ({ route }) =>
      route === 'POST /v1/checkout/sessions'
        ? {
            ...{ status: 400 },
            rewrite: () => ({ error: { type: 'invalid_request_error', param } }),
          }
        : undefined
    const page = `${service.url}/checkout/${app.aid}/news`
    const { status } = await submitForm(page, { email: 'ada@example.com', price: price.id })
    fake.fault = () => undefined
    expect([status, (await priceProblems()).length]).toEqual([402, 2])
    // Only IQD is left, which no account takes.
    expect(await problemsLater(7 * 24 * HOUR_MS, [app.aid])).toBe(1)
  })

  it('is that a page was refused for a reason nobody has a name for, until one is created', async () => {
    const { body: price } = await owner.request<{ id: string }>('POST', pricesOf('news'), {
      ...{ amount: 700, currency: 'EUR' },
    })
    const error = { type: 'invalid_request_error', message: 'No valid types for ada@example.com.' }
    fake.fault = ({ route }) =>
      route === 'POST /v1/checkout/sessions'
        ? { status: 400, rewrite: () => ({ error: { ...error, param: 'mode' } }) }
        : undefined
    const page = `${service.url}/checkout/${app.aid}/news`
    await submitForm(page, { email: 'ada@example.com', price: price.id })
    expect(await kinds()).toContain('pages_refused')
    const told = (await overview()).filter((text) => text.includes('wanted to pay could not'))
    expect(told).toEqual([expect.stringMatching(/invalid_request_error, req_\w+, parameter mode/)])
    expect(told.join()).not.toContain('ada@example.com')
    expect((await doctor()).join()).toContain('Stripe refused to create the payment page')
    fake.fault = () => undefined
    await submitForm(page, { email: 'ada@example.com', price: price.id })
    expect(await kinds()).not.toContain('pages_refused')
  })

  it('lets owners offer Link, and renews what was paid through it', async () => {
    const put = (by: typeof owner, offered: boolean) =>
      by.request<ConnectionsView>('PUT', at('/payments/link'), { offered })
    expect((await put(developer, true)).status).toBe(403)
    expect((await viewed()).offers_link).toBe(false)
    expect((await put(owner, true)).body.payments.offers_link).toBe(true)
    const { subscription_id } = await buyWithStripe(app.environment, app.aid, fake, {
      ...{ rid: 'news', userRef: 'lin', terms: RENEWING_TERMS, card: 'link' },
    })
    const { read } = app.environment.database
    const { method } = await read
      .selectFrom('subscriptions')
      .select('method')
      .where('id', '=', subscription_id as string)
      .executeTakeFirstOrThrow()
    expect(method).toMatch(/^cus_\w+:pm_\w+:link$/)
    expect((await put(owner, false)).body.payments.offers_link).toBe(false)
    const order = { aid: app.aid, title: 'News', labels: {}, paymentId: 'renewal1', refusals: 0 }
    const money = { amount: 499, currency: 'EUR' }
    expect(
      await app.environment.provider?.charge({ ...order, money, method: method as string }),
    ).toMatchObject({ status: 'succeeded' })
  })

  it('is forgotten with the account', async () => {
    Object.assign(fake.ledger.account, { charges_enabled: false })
    await testPayments(app.environment)
    expect(await kinds()).toEqual(['charges_off', 'link_shown'])
    expect(await overview()).toHaveLength(4)
    await owner.request('POST', at('/payments/disconnect'), { confirm: true })
    expect([await kinds(), await overview()]).toEqual([[], []])
    Object.assign(fake.ledger.account, { charges_enabled: true })
    await owner.request('PUT', at('/payments'), { secret_key: LIVE_KEY })
    expect([await kinds(), await overview()]).toEqual([[], [expect.stringMatching(/IQD/)]])
  })
})
