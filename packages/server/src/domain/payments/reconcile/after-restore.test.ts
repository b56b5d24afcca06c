import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { deleteRows, listRows, updateRows } from '../../../db/queries/rows.ts'
import { databases, type TestInstallation } from '../../../testing/databases.ts'
import { backUp, restoreInstallation } from '../../../testing/restores/restore.ts'
import {
  startTestService,
  type TestApplication,
  type TestService,
} from '../../../testing/service.ts'
import { actionsOf, kindsOf, openBooks, useBooks } from '../../../testing/stripe/books.ts'
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts'
import type { Metadata } from '../../../testing/stripe/objects.ts'
import {
  payWithoutWebhook,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  sandboxSettings,
} from '../../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../../testing/time.ts'
import { findSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions.ts'
import { listOpenFindings } from './findings.ts'

const TRIAL = { ...RENEWING_TERMS, trial_days: 7 }

describe.each(databases)('reconciliation after a restore on $name', (database) => {
  let fake: FakeStripe
  let service: TestService
  let app: TestApplication
  let file: string
  let payment: string
  let subscription: string
  let installation: TestInstallation | undefined
  const { env, work, subscribe, buy, hasAccess, compare, deliver, requireSameBooks } = actionsOf(
    () => ({
      fake,
      service,
      app,
    }),
  )

  beforeAll(async () => {
    ;({ fake, service, app } = await openBooks(database))
    const bought = await subscribe('ann')
    subscription = bought.subscription_id as string
    payment = (await buy('dan')).payment_id
    file = await backUp(service.ctx)
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
    await installation?.remove()
    await fake.stop()
  })

  const giveBack = () =>
    app.client.refundPayment({ payment, amount: '1.00', reference: 'goodwill' })

  it('brings back renewals, purchases and refunds that were lost', async () => {
    // Longer than the 90 days that a first comparison goes back.
    for (let period = 0; period < 5; period++) {
      service.clock.advance(RENEWAL_PERIOD_S)
      await work()
    }
    await buy('eve')
    await subscribe('fay')
    await giveBack()
    const unheard = { rid: 'article', userRef: 'gil' }
    await payWithoutWebhook(env(), app.aid, fake, unheard)
    const before = fake.ledger.charges.size
    const old = service
    installation = await restoreInstallation(database, old.installation, file)
    service = await startTestService(database, { env: sandboxSettings(fake), installation })
    service.clock.now = old.clock.now
    fake.ledger.now = () => service.clock.now
    await old.stop()
    app = { ...app, environment: env(), client: app.clientAt(service.url) }
    fake.forgetKeys()

    const { repaired, open } = await compare()
    expect(kindsOf(repaired)).toEqual([
      ...['checkout_rebuilt', 'checkout_rebuilt', 'checkout_rebuilt'],
      'refund_adopted',
      ...Array.from({ length: 5 }, () => 'renewal_adopted'),
    ])
    expect(open).toEqual([])
    await requireSameBooks()
    expect([await hasAccess('eve'), await hasAccess('gil')]).toEqual([true, true])
    const { data } = await app.client.searchSubscriptions({ user_ref: 'fay' })
    expect(data).toMatchObject([{ status: 'active', period: '30 days' }])
    const row = await env()
      .database.read.selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', subscription)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'active', periods: 6 })
    await work()
    expect(fake.ledger.charges.size).toBe(before)
    await giveBack()
    expect(fake.ledger.refunds.size).toBe(1)
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
  })

  it('takes an event about a checkout that was lost for what it is', async () => {
    await payWithoutWebhook(env(), app.aid, fake, { rid: 'article', userRef: 'ida' })
    await payWithoutWebhook(env(), app.aid, fake, { rid: 'pass', userRef: 'joe', terms: TRIAL })
    await env().database.write((trx) =>
      trx.deleteFrom('checkouts').where('user_ref', 'in', ['ida', 'joe']).execute(),
    )
    expect(new Set(await deliver())).toEqual(new Set([200]))
    expect([await hasAccess('ida'), await hasAccess('joe', 'pass')]).toEqual([true, false])
    await requireSameBooks()
    const open = await listOpenFindings(env().database.read)
    expect(open).toMatchObject([{ kind: 'checkout_unknown', aid: app.aid }])
  })

  it('rebuilds no checkout in another application than its id names', async () => {
    const lost = { rid: 'article', userRef: 'kai' }
    const { aid, id, payment_id } = await payWithoutWebhook(env(), app.aid, fake, lost)
    await env().database.write((trx) => deleteRows(trx, 'checkouts', { aid, id }))
    const intents = [...fake.ledger.intents.values()]
    const intent = intents.find(({ metadata }) => metadata.gatehouse_payment === payment_id)
    if (!intent) throw new Error('nothing was charged')
    intent.metadata.gatehouse_aid = (await service.newApplication('sandbox')).aid
    const { open } = await compare()
    expect(open.map(({ message }) => message)).toContainEqual(expect.stringContaining('rebuilt'))
    intent.metadata.gatehouse_aid = aid
    expect(kindsOf((await compare()).repaired)).toEqual(['checkout_rebuilt'])
    expect(await hasAccess('kai')).toBe(true)
  })
})

describe.each(databases)('a charge for a subscription that was lost, on $name,', (database) => {
  const { fake, service, app, env, work, subscribe, paymentOf, compare, deliver } =
    useBooks(database)

  // The charges are dated by real time, and the periods by the clock of the sandbox.
  beforeAll(() => app.client.advanceClock({ seconds: 40 * DAY }))
  afterEach(() => {
    vi.restoreAllMocks()
    fake.fault = () => undefined
  })

  const rowOf = async (id: string | null) =>
    (await findSubscription(env().database.read, app.aid, id as string)) as SubscriptionRow
  const subscriptionOf = async (userRef: string) =>
    await rowOf((await subscribe(userRef)).subscription_id)

  /** Charges the card of a subscription. Without more labels, the charge is like one of an older version. */
  function charge({ method }: SubscriptionRow, labels: Metadata = {}): string {
    const [customer = null, payment_method = null] = method?.split(':') ?? []
    const mark = { gatehouse_aid: app.aid, gatehouse_payment: `lost${fake.ledger.intents.size}` }
    const about = { customer, payment_method, metadata: { ...mark, ...labels } }
    const intent = fake.ledger.addIntent({ amount: 499, currency: 'eur', ...about })
    fake.ledger.capture(intent)
    return intent.id
  }
  const periodOf = ({ id, current_period_end }: SubscriptionRow, later = 0) => ({
    gatehouse_subscription: id,
    gatehouse_period: String(current_period_end + later),
  })

  /** What a comparison finds about a charge. */
  async function findingsOf(ref: string) {
    const { repaired, open } = await compare()
    return [...repaired, ...open].filter(({ providerRef }) => providerRef === ref)
  }

  it('renews the one whose card was charged', async () => {
    const rows = [await subscriptionOf('ann'), await subscriptionOf('ben')]
    rows.push(await subscriptionOf('cat'))
    const [, row] = rows.sort((a, b) => (`${a.method}` < `${b.method}` ? -1 : 1))
    service.clock.advance(RENEWAL_PERIOD_S)
    const ref = charge(row as SubscriptionRow)
    expect(await findingsOf(ref)).toMatchObject([{ kind: 'renewal_adopted', amount: 499 }])
    expect(await rowOf(row?.id as string)).toMatchObject({ periods: 2, status: 'active' })
  })

  it.each([
    ['a day before the period', -DAY, 'renewal_adopted'],
    ['earlier', -DAY - 1, 'charge_unknown'],
    ['in the last second of the period', RENEWAL_PERIOD_S - 1, 'renewal_adopted'],
    ['after the period', RENEWAL_PERIOD_S, 'charge_unknown'],
  ])('without a label, %s: it renews only what is due', async (_, later, kind) => {
    const row = await subscriptionOf(`dan${later}`)
    service.clock.advance(row.current_period_end - env().clock() + later)
    expect(await findingsOf(charge(row))).toMatchObject([{ kind }])
  })

  it('is a matter for staff if it names neither a card nor a subscription', async () => {
    const row = await subscriptionOf('eva')
    service.clock.advance(RENEWAL_PERIOD_S)
    const ref = charge({ ...row, method: null })
    expect(await findingsOf(ref)).toMatchObject([{ kind: 'charge_unknown', aid: app.aid }])
  })

  it('is a matter for staff if its card belongs to two', async () => {
    const row = await subscriptionOf('fay')
    const { id } = await subscriptionOf('flo')
    const method = `${row.method?.split(':')[0]}:pm_other`
    const key = { aid: app.aid, id }
    await env().database.write((trx) => updateRows(trx, 'subscriptions', key, { method }))
    service.clock.advance(RENEWAL_PERIOD_S)
    expect(await findingsOf(charge(row))).toMatchObject([{ kind: 'charge_unknown' }])
  })

  it('is for nothing that is known here if its card belongs to one that has ended', async () => {
    const row = await subscriptionOf('gus')
    await app.client.cancelSubscription({ rid: 'pass', user_ref: 'gus' })
    service.clock.advance(RENEWAL_PERIOD_S)
    await work()
    expect((await rowOf(row.id)).status).toBe('ended')
    const message = expect.stringContaining('nothing here says what for')
    expect(await findingsOf(charge(row))).toMatchObject([{ kind: 'charge_unknown', message }])
  })

  it('renews periods in their order, also if both were charged in one second', async () => {
    const row = await subscriptionOf('hal')
    service.clock.advance(2 * RENEWAL_PERIOD_S - DAY)
    const refs = [0, RENEWAL_PERIOD_S].map((later) => charge(row, periodOf(row, later)))
    const { repaired } = await compare()
    expect(repaired.map(({ providerRef }) => providerRef)).toEqual(refs)
    expect(await rowOf(row.id)).toMatchObject({ periods: 3 })
  })

  it('settles the order that waits', async () => {
    const row = await subscriptionOf('ida')
    service.clock.advance(RENEWAL_PERIOD_S)
    fake.fault = ({ route }) => (route === 'POST /v1/payment_intents' ? 'error_before' : undefined)
    await work()
    const waiting = { aid: app.aid, subscription_id: row.id, status: 'pending' } as const
    const [order] = await listRows(env().database.read, 'payments', waiting)
    const ref = charge(row, periodOf(row))
    expect(await findingsOf(ref)).toMatchObject([{ kind: 'renewal_adopted', paymentId: order?.id }])
    expect(await paymentOf(order?.id as string)).toMatchObject({ status: 'succeeded' })
    expect(await rowOf(row.id)).toMatchObject({ periods: 2 })
  })

  it('counts once if its event records it meanwhile', async () => {
    const row = await subscriptionOf('jan')
    service.clock.advance(RENEWAL_PERIOD_S)
    fake.ledger.events.length = 0
    const ref = charge(row, periodOf(row))
    vi.spyOn(env(), 'refreshClock').mockImplementationOnce(async () => {
      await deliver()
    })
    expect(await findingsOf(ref)).toMatchObject([{ kind: 'renewal_adopted' }])
    expect(await rowOf(row.id)).toMatchObject({ periods: 2 })
  })

  it('is left for later if the provider, asked again, is not done with it', async () => {
    const row = await subscriptionOf('kim')
    service.clock.advance(RENEWAL_PERIOD_S)
    const ref = charge(row, periodOf(row))
    const rewrite = (intent: object) => ({ ...intent, status: 'processing' })
    fake.fault = ({ route, id }) =>
      route === 'GET /v1/payment_intents/:id' && id === ref ? { rewrite } : undefined
    expect(await findingsOf(ref)).toEqual([])
    fake.fault = () => undefined
    expect(await findingsOf(ref)).toMatchObject([{ kind: 'renewal_adopted' }])
  })

  it('is a matter for staff if its labels name no subscription that is known', async () => {
    const row = await subscriptionOf('lea')
    const unknown = charge(row, { ...periodOf(row), gatehouse_subscription: 'unknown' })
    expect(await findingsOf(unknown)).toMatchObject([{ kind: 'charge_unknown' }])
    const intents = [...fake.ledger.intents.values()]
    const installation = intents[0]?.metadata.gatehouse_installation as string
    const nameless = charge(row, { ...periodOf(row), gatehouse_installation: installation })
    delete fake.ledger.intents.get(nameless)?.metadata.gatehouse_aid
    expect(await findingsOf(nameless)).toMatchObject([{ kind: 'charge_unknown' }])
  })
})
