import { beforeAll, describe, expect, it } from 'vitest'
import { listRows } from '../../db/queries/rows.ts'
import { getPayment } from '../../domain/payments/payments.ts'
import type {
  EventSubject,
  PaymentProvider,
  ReceivedEvent,
} from '../../domain/payments/provider.ts'
import { ProviderError } from '../../domain/payments/provider-error.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { send } from '../../testing/http/requests.ts'
import { createOldCheckout } from '../../testing/payments/old-ids.ts'
import { GOOD_CARD, goToPayment, openPageShop } from '../../testing/payments/page-shop.ts'
import { useServiceWithPageShop } from '../../testing/use-service.ts'
import { providerPageUrl } from './buy.ts'

describe.each(entryPointDatabases)('events of the payment provider on $name', (database) => {
  const { service, shop } = useServiceWithPageShop(database)
  let provider: PaymentProvider
  let price: string
  /** Replaces the provider's parsing of an event. */
  let reading: (event: ReceivedEvent) => EventSubject[] | undefined
  beforeAll(async () => {
    provider = shop.environment.provider as PaymentProvider
    provider.readEvent = async (event) => reading(event)
    await shop.addResource('article')
    price = await shop.addPrice('article')
  })

  const read = () => shop.environment.database.read
  const post = (body: string, target = '/sandbox/events/test', type = 'application/json') =>
    send(service.url, target, { method: 'POST', headers: { 'content-type': type }, body })

  /** Pays a checkout at the provider, without an event; returns the checkout's id. */
  async function payUnheard(): Promise<string> {
    const fields = { price, email: 'ada@example.com' }
    const session = (await goToPayment(shop.pageOf('article'), fields)).split('/').at(-1) as string
    await shop.cards.pay(session, GOOD_CARD)
    const { doneUrl } = (await shop.cards.session(session)) as { doneUrl: string }
    return doneUrl.split('/').at(-1) as string
  }
  const statusOf = async (id: string) =>
    (await read().selectFrom('checkouts').select('status').where('id', '=', id).executeTakeFirst())
      ?.status

  it('are read from the very bytes that came, and lead to what is true', async () => {
    const checkoutId = await payUnheard()
    const body = '{ "text": "\u00e9",\n"twice": 1, "twice": 2 }'
    let seen: ReceivedEvent | undefined
    reading = (event) => {
      seen = event
      return [{ kind: 'checkout', checkoutId }]
    }
    const response = await post(body)
    expect([response.status, response.text]).toEqual([200, '{"received":true}'])
    expect(seen?.body.toString()).toBe(body)
    expect(seen?.headers['content-type']).toBe('application/json')
    expect(seen?.realTime).toBe(service.clock.now)
    expect(await statusOf(checkoutId)).toBe('paid')
    await service.requireInvariants()
  })

  it('that name a checkout of an older version by its id complete it', async () => {
    const { aid, environment, cards } = shop
    const checkout = await createOldCheckout(environment, { aid, rid: 'article', userRef: 'old' })
    const page = await providerPageUrl(environment, checkout)
    await cards.pay(page.split('/').at(-1) as string, GOOD_CARD)
    reading = () => [{ kind: 'checkout', checkoutId: checkout.id }]
    await post('{}')
    expect(await statusOf(checkout.id)).toBe('paid')
    await service.requireInvariants()
  })

  it('reach their payment by its id, with its application, without it, and not with another', async () => {
    const { aid, environment, cards } = shop
    const { payment_id: paymentId } = await shop.buy({ rid: 'article', userRef: 'disputing' })
    const { provider_ref } = await getPayment(read(), aid, paymentId)
    const { aid: otherAid } = await openPageShop(service)
    const states: string[] = []
    for (const [outcome, owner] of [
      ['opened', { aid: otherAid }],
      ['opened', { aid }],
      ['lost', {}],
    ] as const) {
      await cards.dispute(provider_ref as string, outcome)
      reading = () => [{ kind: 'payment', paymentId, owner }]
      await post('{}')
      states.push((await getPayment(environment.database.read, aid, paymentId)).status)
    }
    expect(states).toEqual(['succeeded', 'disputed', 'lost'])
  })

  it('that come twice, at once or for something unknown change nothing more', async () => {
    const checkoutId = await payUnheard()
    reading = () => [
      { kind: 'checkout', checkoutId },
      { kind: 'checkout', checkoutId },
      { kind: 'checkout', checkoutId: 'unknown' },
      { kind: 'payment', ref: 'unknown' },
      { kind: 'refund', refundId: 'unknown' },
    ]
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('{}')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const key = { aid: shop.aid, checkout_id: checkoutId }
    expect(await listRows(read(), 'payments', key)).toHaveLength(1)
    await service.requireInvariants()
  })

  it('that are not the provider’s are 400, and nothing changes', async () => {
    const checkoutId = await payUnheard()
    const before = await dumpTables(read())
    reading = () => undefined
    for (const body of ['', '{}', `{"checkout":"${checkoutId}"}`]) {
      const { status, text, headers } = await post(body)
      expect(status).toBe(400)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(JSON.parse(text).error.code).toBe('invalid_request')
    }
    expect(await dumpTables(read())).toEqual(before)
  })

  it('of any type and of up to 1 MiB are taken, and no larger ones', async () => {
    reading = ({ body }) => (body.length === 1024 * 1024 ? [] : undefined)
    const megabyte = 'x'.repeat(1024 * 1024)
    expect((await post(megabyte)).status).toBe(200)
    expect((await post(megabyte, undefined, 'text/plain')).status).toBe(200)
    const tooLarge = await post(`${megabyte}x`).catch(() => ({ status: 400 }))
    expect(tooLarge.status).toBe(400)
  })

  it('are asked for again with 503 while the provider or the database is in trouble', async () => {
    const checkoutId = await payUnheard()
    reading = () => [{ kind: 'checkout', checkoutId }]
    const asked = provider.find.checkout
    provider.find.checkout = async () => {
      throw new ProviderError('silent')
    }
    const silent = await post('{}')
    provider.find.checkout = asked
    expect(silent.status).toBe(503)
    expect(JSON.parse(silent.text).error.code).toBe('provider_unavailable')
    expect(silent.headers['retry-after']).toBeDefined()
    expect(await statusOf(checkoutId)).toBe('open')

    const { database } = shop.environment
    const write = database.write
    database.write = async () => {
      throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
    }
    const gone = await post('{}')
    database.write = write
    expect(gone.status).toBe(503)
    expect((await post('{}')).status).toBe(200)
    expect(await statusOf(checkoutId)).toBe('paid')
  })

  it('of another provider, or where there is none, have nowhere to go', async () => {
    reading = () => []
    for (const target of ['/sandbox/events/stripe', '/events/test', '/events/stripe']) {
      expect((await post('{}', target)).status).toBe(404)
    }
  })
})
