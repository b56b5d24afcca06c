import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteRows } from '../../../db/queries/rows.ts'
import { databases, type TestInstallation } from '../../../testing/databases.ts'
import { backUp, restoreInstallation } from '../../../testing/restores/restore.ts'
import {
  startTestService,
  type TestApplication,
  type TestService,
} from '../../../testing/service.ts'
import { actionsOf, kindsOf, openBooks } from '../../../testing/stripe/books.ts'
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts'
import {
  payWithoutWebhook,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  sandboxSettings,
} from '../../../testing/stripe/stripe-shop.ts'
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
