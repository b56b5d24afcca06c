import { afterEach, describe, expect, it } from 'vitest'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { createStripe } from '../../domain/payments/stripe/stripe.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { RawConnection } from '../../testing/http/raw-http.ts'
import { send } from '../../testing/http/requests.ts'
import { replaceProvider } from '../../testing/payments/replace-provider.ts'
import { seededRandom } from '../../testing/random.ts'
import type { Fault } from '../../testing/stripe/fake-stripe.ts'
import {
  buyWithStripe,
  payWithoutWebhook,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  sandboxSettings,
} from '../../testing/stripe/stripe-shop.ts'
import { type SignedEvent, sign } from '../../testing/stripe/webhook-sender.ts'
import { useApplication, useFakeStripe, useService } from '../../testing/use-service.ts'

const LIVE_SECRET = 'whsec_live0123456789'
const SANDBOX = '/sandbox/events/stripe'
const PRODUCTION = '/events/stripe'

describe.each(entryPointDatabases)('an event of Stripe, on $name,', (database) => {
  let readers = 0
  const fake = useFakeStripe()
  const service = useService(database, () => ({
    env: {
      ...sandboxSettings(fake),
      GATEHOUSE_STRIPE_SECRET_KEY: 'sk_live_fake0123456789',
      GATEHOUSE_STRIPE_WEBHOOK_SECRET: LIVE_SECRET,
    },
  }))
  const app = useApplication(service, { environment: 'sandbox', resources: ['article', 'pass'] })
  afterEach(async () => {
    fake.fault = () => undefined
    await service.requireInvariants()
  })

  const env = () => app.environment
  const dump = async () => [
    await dumpTables(env().database.read),
    await dumpTables(service.ctx.environments.production.database.read),
  ]
  const post = (event: SignedEvent, target = SANDBOX) =>
    send(service.url, target, { method: 'POST', ...event })
  const signed = (event: object, at = service.clock.now) => fake.signEvent(event, at)
  const newReader = () => `reader-${readers++}`

  /** Pays at the provider; returns the event, which is not delivered yet. */
  async function paid(userRef = newReader()) {
    const checkout = await payWithoutWebhook(env(), app.aid, fake, { rid: 'article', userRef })
    return { checkout, userRef, event: fake.events.at(-1) as object }
  }

  /** Makes a renewal that was charged, but whose response from the provider was lost. */
  async function renewedUnheard(userRef = newReader()) {
    await buyWithStripe(env(), app.aid, fake, { rid: 'pass', userRef, terms: RENEWING_TERMS })
    service.clock.advance(RENEWAL_PERIOD_S)
    say('POST /v1/payment_intents', 'reset_after')
    await runDuePayments(env())
    fake.fault = () => undefined
    return { userRef, event: fake.events.at(-1) as object }
  }

  /** Sets how the fake Stripe fails on this route from now on. */
  const say = (route: string, fault: Fault) => {
    fake.fault = (call) => (call.route === route ? fault : undefined)
  }
  const hasAccess = (rid: string, user_ref: string) => app.client.hasAccess({ rid, user_ref })
  const paymentsOf = async (user_ref: string) =>
    (await app.client.searchPayments({ user_ref })).data
  const flagsOf = (ref: string) =>
    env()
      .database.read.selectFrom('payments as p')
      .innerJoin('user_refs as r', 'r.uid', 'p.uid')
      .select(['p.status', 'p.flag'])
      .where('r.ref', '=', ref)
      .orderBy('p.id')
      .execute()

  it('completes a purchase, and does so once however often and in whatever order it comes', async () => {
    const readers = [await paid(), await paid(), await paid()]
    const how = { at: service.clock.now, copies: 3, random: seededRandom(7) }
    const statuses = await fake.deliver(service.url + SANDBOX, how)
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const { userRef } of readers) {
      expect(await hasAccess('article', userRef)).toBe(true)
      expect(await paymentsOf(userRef)).toHaveLength(1)
    }
  })

  it('is 400 when it is forged, altered or old, and nothing changes', async () => {
    const { event } = await paid()
    const good = signed(event)
    const before = await dump()
    const bad: SignedEvent[] = [
      sign(event, 'whsec_forged0123456789', service.clock.now),
      { ...good, body: good.body.replace('"paid"', '"PAID"') },
      { ...good, body: `${good.body} ` },
      { ...good, body: '' },
      { ...good, headers: { 'content-type': 'application/json' } },
      {
        ...good,
        headers: { 'stripe-signature': signed({}).headers['stripe-signature'] as string },
      },
      signed(event, service.clock.now - 301_000),
    ]
    for (const one of bad) {
      const { status, text } = await post(one)
      expect([status, JSON.parse(text).error.code]).toEqual([400, 'invalid_request'])
    }
    expect(await dump()).toEqual(before)
    expect((await post(good)).status).toBe(200)
    expect(await dump()).not.toEqual(before)
  })

  it('is good for five minutes, and changes nothing when it is replayed', async () => {
    const { event } = await paid()
    const captured = signed(event)
    expect((await post(captured)).status).toBe(200)
    const before = await dump()
    for (let replays = 0; replays < 3; replays++) expect((await post(captured)).status).toBe(200)
    service.clock.advance(301)
    expect((await post(captured)).status).toBe(400)
    expect(await dump()).toEqual(before)
  })

  it('is refused by the environment that it is not for', async () => {
    const { event } = await paid()
    const before = await dump()
    expect((await post(signed(event), PRODUCTION)).status).toBe(400)
    const live = sign(event, LIVE_SECRET, service.clock.now)
    expect((await post(live, SANDBOX)).status).toBe(400)
    // Production does not know the checkout, and makes no request to the provider.
    fake.calls.length = 0
    expect((await post(live, PRODUCTION)).status).toBe(200)
    expect(fake.calls).toEqual([])
    expect(await dump()).toEqual(before)
  })

  it('says only where to look: what is not true changes nothing', async () => {
    const buy = { rid: 'article', userRef: newReader() }
    const { payment_id } = await buyWithStripe(env(), app.aid, fake, buy)
    const [ours] = [...fake.ledger.intents.values()].slice(-1)
    const foreign = fake.ledger.addIntent({ amount: 499, currency: 'eur', metadata: {} })
    fake.ledger.capture(foreign)
    const refused = { rid: 'article', userRef: newReader(), card: 'declined' as const }
    const unpaid = await payWithoutWebhook(env(), app.aid, fake, refused)
    const renewal = await renewedUnheard()
    const [waiting] = await paymentsOf(renewal.userRef)
    const before = await dump()
    const tell = async (type: string, object: object) =>
      (await post(signed({ id: 'evt_lie', type, data: { object } }))).status

    const completed = { id: 'cs_lie', metadata: { gatehouse_checkout: unpaid.id } }
    expect(await tell('checkout.session.completed', completed)).toBe(200)
    const refund = { id: 're_lie', metadata: { gatehouse_refund: 'unknown' } }
    expect(await tell('refund.created', refund)).toBe(200)
    for (const intent of [ours, foreign]) {
      const lost = { id: 'du_lie', status: 'lost', payment_intent: intent?.id }
      expect(await tell('charge.dispute.closed', lost)).toBe(200)
    }
    const canceled = { id: ours?.id, metadata: { gatehouse_payment: payment_id } }
    expect(await tell('payment_intent.canceled', canceled)).toBe(200)
    // Somebody else's payment, labeled with the id of a pending renewal.
    const stolen = { id: foreign.id, metadata: { gatehouse_payment: waiting?.id } }
    expect(await tell('payment_intent.succeeded', stolen)).toBe(503)

    const after = await dump()
    // The unpaid checkout has a new time for its next status query.
    for (const [sandbox] of [before, after]) delete sandbox?.checkouts
    expect(after).toEqual(before)
    expect((await post(signed(renewal.event))).status).toBe(200)
    await app.client.revokeAccess({ rid: 'pass', user_ref: renewal.userRef })
  })

  it.each<[string, object]>([
    ['amount', { amount: 1, amount_received: 1 }],
    ['currency', { currency: 'usd' }],
  ])('of another %s than asked for opens nothing, and is flagged once', async (_, change) => {
    const { userRef, event } = await paid()
    say('GET /v1/checkout/sessions/:id', {
      rewrite: (session) => ({
        ...session,
        payment_intent: { ...(session.payment_intent as object), ...change },
      }),
    })
    expect((await post(signed(event))).status).toBe(200)
    const before = await dump()
    expect((await post(signed(event))).status).toBe(200)
    expect(await dump()).toEqual(before)
    expect(await hasAccess('article', userRef)).toBe(false)
    expect(await flagsOf(userRef)).toEqual([{ status: 'succeeded', flag: 'mismatch' }])
  })

  it.each<[string, object]>([
    ['amount', { amount: 1, amount_received: 1 }],
    ['currency', { currency: 'usd' }],
  ])('of a renewal of another %s renews nothing, and is flagged once', async (_, change) => {
    const { userRef, event } = await renewedUnheard()
    const { expires } = await app.client.getAccess({ rid: 'pass', user_ref: userRef })
    say('GET /v1/payment_intents/:id', { rewrite: (intent) => ({ ...intent, ...change }) })
    expect((await post(signed(event))).status).toBe(200)
    const before = await dump()
    expect((await post(signed(event))).status).toBe(200)
    expect(await dump()).toEqual(before)
    expect((await flagsOf(userRef)).map(({ flag }) => flag)).toEqual([null, 'mismatch'])
    expect((await app.client.getAccess({ rid: 'pass', user_ref: userRef })).expires).toBe(expires)
    fake.fault = () => undefined
    await app.client.revokeAccess({ rid: 'pass', user_ref: userRef })
  })

  it.each<[string, Fault]>([
    ['not JSON', 'not_json'],
    ['of the wrong types', 'wrong_types'],
    ['50 MB', 'huge'],
    ['never whole', 'drip'],
    [
      'a checkout of another application',
      { rewrite: (body) => ({ ...body, id: 'cs_test_other' }) },
    ],
    ['not there', 'hang_before'],
    ['an error', 'error_before'],
  ])('comes again later when the answer to our question is %s', async (_, fault) => {
    const { userRef, event } = await paid()
    const usual = env().provider
    replaceProvider(env(), createStripe({ ...fake, api: fake.url, timeout: 300 }))
    const before = await dump()
    say('GET /v1/checkout/sessions/:id', fault)
    const { status, headers } = await post(signed(event))
    expect(status).toBe(503)
    expect(headers['retry-after']).toBeDefined()
    expect(await dump()).toEqual(before)
    fake.fault = () => undefined
    replaceProvider(env(), usual)
    expect((await post(signed(event))).status).toBe(200)
    expect(await hasAccess('article', userRef)).toBe(true)
  })

  describe('that is no event', () => {
    const head = (length: string) =>
      `POST ${SANDBOX} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      `Stripe-Signature: t=1,v1=${'0'.repeat(64)}\r\n${length}\r\n\r\n`

    it.each([
      ['says so', `Content-Length: ${50 * 1024 * 1024}`, 'x'.repeat(64 * 1024)],
      ['does not', 'Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(64 * 1024)}\r\n`],
    ])('but 50 MB, and %s, is cut off', async (_how, length, piece) => {
      const connection = await RawConnection.open(service.url)
      const rss = process.memoryUsage.rss()
      await connection.write(head(length))
      let megabytes = 0
      for (; connection.isOpen && megabytes < 50; megabytes += 1 / 16) await connection.write(piece)
      expect(megabytes).toBeLessThan(50)
      expect(process.memoryUsage.rss() - rss).toBeLessThan(100 * 1024 * 1024)
      connection.close()
    })

    it('but drips, is cut off, and others are served meanwhile', async () => {
      const { userRef, event } = await paid()
      const { server } = service.app
      const { headersTimeout, requestTimeout } = server
      Object.assign(server, { headersTimeout: 300, requestTimeout: 600 })
      const connection = await RawConnection.open(service.url)
      await connection.write(head('Content-Length: 1000'))
      const drip = setInterval(() => void connection.write('x'), 20)
      expect((await post(signed(event))).status).toBe(200)
      expect(await hasAccess('article', userRef)).toBe(true)
      expect((await connection.answer())?.status).toBe(400)
      await connection.ended()
      clearInterval(drip)
      Object.assign(server, { headersTimeout, requestTimeout })
    })
  })
})
