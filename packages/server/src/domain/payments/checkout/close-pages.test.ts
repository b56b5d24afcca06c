import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { getPage, submitForm, visibleText } from '../../../testing/payments/page-client.ts'
import { goToPayment, payOnPage } from '../../../testing/payments/page-shop.ts'
import { RENEWING_TERMS, sandboxSettings } from '../../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../../testing/time.ts'
import {
  useFreshApplication,
  useFreshFakeStripe,
  useFreshService,
  usePageShop,
  useService,
} from '../../../testing/use-service.ts'
import { advanceClock } from '../../sandbox/clock.ts'
import { runDuePayments } from '../orders/payment-loop.ts'
import { createCheckout, startCheckout } from './checkouts.ts'

const BUYER = { email: 'ada@example.com' }
const CARD = { number: '4242424242424242', expiry: '12/40', cvc: '123' }

describe.each(databases)('a page of the test cards on $name', (database) => {
  const service = useService(database)
  const shop = usePageShop(service, 'article')
  let price: string
  beforeAll(async () => {
    price = await shop.addPrice('article')
  })

  const begin = () => goToPayment(shop.pageOf('article'), { ...BUYER, price })
  const charges = async () => {
    const { read } = shop.environment.database
    return await read.selectFrom('test_ledger').select('id').where('kind', '=', 'charge').execute()
  }

  it('closes, and can’t be paid after its checkout was forgotten', async () => {
    const page = await begin()
    service.clock.advance(32 * DAY)
    await shop.work()
    service.clock.advance(32 * DAY)
    await shop.work()
    const { read } = shop.environment.database
    expect(await read.selectFrom('checkouts').selectAll().execute()).toEqual([])
    for (const { status, text } of [await getPage(page), await submitForm(page, CARD)]) {
      expect(status).toBe(410)
      expect(visibleText(text)).toContain('This payment page has expired')
      expect(visibleText(text)).toContain('Nothing was charged')
    }
    expect(await charges()).toEqual([])
  })

  it('is still good after the clock was moved, since that closes no page', async () => {
    const before = await charges()
    const page = await begin()
    for (let step = 0; step < 2; step++) {
      // The worker polls a checkout for the first time after a minute.
      service.clock.advance(120)
      await advanceClock(shop.environment, 40 * DAY)
      await shop.work()
    }
    const done = await payOnPage(page)
    expect(visibleText((await getPage(done)).text)).toContain('You now have access to')
    expect(await charges()).toHaveLength(before.length + 1)
    expect((await shop.client.searchPayments({ rid: 'article' })).total).toBe(1)
  })
})

describe.each(databases)('a page of Stripe on $name', (database) => {
  const fake = useFreshFakeStripe()
  const service = useFreshService(database, () => ({ env: sandboxSettings(fake) }))
  const app = useFreshApplication(service, { environment: 'sandbox', resources: ['pass'] })

  async function begin(userRef: string, trial_days = 0): Promise<string> {
    const env = app.environment
    const terms = { amount: 499, currency: 'EUR', recurring: 1 as const, period: '30 days' }
    const checkout = await createCheckout(env, {
      ...{ aid: app.aid, rid: 'pass', terms: { ...terms, ...RENEWING_TERMS, trial_days } },
      ...{ userRef, typedEmail: `${userRef}@example.com`, firstName: '', lastName: '' },
    })
    const urls = { done: 'http://127.0.0.1/done', back: 'http://127.0.0.1/back' }
    return (await startCheckout(env, checkout, urls)).split('/').at(-1) as string
  }

  const hears = () => fake.deliver(`${app.baseUrl}/events/stripe`, { at: service.clock.now })

  it('that is paid after the clock was moved by two months opens what was paid', async () => {
    const session = await begin('ann')
    for (let step = 0; step < 2; step++) {
      // The worker polls a checkout for the first time after a minute.
      service.clock.advance(120)
      await advanceClock(app.environment, 32 * DAY)
      await runDuePayments(app.environment)
    }
    fake.pay(session, 'good')
    await hears()
    expect(await app.client.hasAccess({ rid: 'pass', user_ref: 'ann' })).toBe(true)
    expect((await app.client.searchPayments({ user_ref: 'ann' })).total).toBe(1)
  })

  it('that is paid after the clock was moved is found by the worker, without an event', async () => {
    const session = await begin('eve')
    await advanceClock(app.environment, 2 * DAY)
    service.clock.advance(660)
    await runDuePayments(app.environment)
    fake.pay(session, 'good')
    service.clock.advance(3_600)
    await runDuePayments(app.environment)
    expect(await app.client.hasAccess({ rid: 'pass', user_ref: 'eve' })).toBe(true)
  })

  it('tells cards apart: one of them has one trial', async () => {
    for (const reader of ['bob', 'cid']) fake.pay(await begin(reader, 14), 'good')
    fake.pay(await begin('dan', 14), 'declined_later')
    await hears()
    const trials = await app.client.searchSubscriptions({ rid: 'pass' })
    expect(trials.data.map(({ user_ref }) => user_ref).sort()).toEqual(['bob', 'dan'])
    expect((await app.client.searchPayments({ rid: 'pass' })).total).toBe(0)
  })
})
