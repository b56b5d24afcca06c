import type { FastifyRequest } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCheckout } from '../../domain/payments/checkout/checkouts.ts'
import { databases } from '../../testing/databases.ts'
import { getPage, submitForm, visibleText } from '../../testing/payments/page-client.ts'
import { payOnPage } from '../../testing/payments/page-shop.ts'
import { ONCE } from '../../testing/payments/shop.ts'
import { buyWithStripe, sandboxSettings } from '../../testing/stripe/stripe-shop.ts'
import { twoPeers } from '../../testing/two-peers.ts'
import { useFakeStripe, usePageShop, useService } from '../../testing/use-service.ts'
import { createCheckoutLimits } from './limits.ts'

const TRUSTED = { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' }
const from = (address: string) => ({ 'x-forwarded-for': address })

describe.each(databases)('the limits of buying on $name', (database) => {
  describe('forms of an address', () => {
    const env = { ...TRUSTED, GATEHOUSE_LIMIT_CHECKOUTS_PER_ADDRESS: '3' }
    const service = useService(database, { env })
    const shop = usePageShop(service, 'article')
    beforeAll(() => shop.addPrice('article'))

    it('are limited per minute, wrong ones too, and a page says when to try again', async () => {
      const send = (address: string) => submitForm(shop.pageOf('article'), {}, from(address))
      const before = [await send('192.0.2.1'), await send('192.0.2.1')].map(({ status }) => status)
      const card = await submitForm(`${shop.baseUrl}/test-cards/x`, {}, from('192.0.2.1'))
      expect([...before, card.status]).toEqual([422, 422, 404])
      const { status, headers, text } = await send('192.0.2.1')
      expect(status).toBe(429)
      const wait = Number(headers['retry-after'])
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
      expect(visibleText(text)).toMatch(/Please try again in (a few|\d+) seconds\./)
      // Pages can be read all the same, and others can buy.
      expect((await getPage(shop.pageOf('article'), from('192.0.2.1'))).status).toBe(200)
      expect((await send('192.0.2.2')).status).toBe(422)
    })

    it('count by the network with IPv6, because a client has one of its own', async () => {
      const send = (address: string) => submitForm(shop.pageOf('article'), {}, from(address))
      const statuses: number[] = []
      for (const end of ['1', '2', '3', '4']) {
        statuses.push((await send(`2001:db8:7:8::${end}`)).status)
      }
      expect(statuses).toEqual([422, 422, 422, 429])
    })

    it('of other sites use nothing up', async () => {
      const foreign = { ...from('192.0.2.3'), 'sec-fetch-site': 'cross-site' }
      for (let i = 0; i < 5; i++) await submitForm(shop.pageOf('article'), {}, foreign)
      const { status } = await submitForm(shop.pageOf('article'), {}, from('192.0.2.3'))
      expect(status).toBe(422)
    })
  })

  describe('open checkouts of an address', () => {
    const service = useService(database, {
      env: { ...TRUSTED, GATEHOUSE_LIMIT_OPEN_CHECKOUTS_PER_ADDRESS: '2' },
    })
    const shop = usePageShop(service, 'article')
    let price: string
    beforeAll(async () => {
      price = await shop.addPrice('article')
    })
    const begin = (address: string) =>
      submitForm(shop.pageOf('article'), { email: 'ada@example.com', price }, from(address))

    it('are limited, however fast they are sent, and the form keeps what was typed', async () => {
      const all = await Promise.all(Array.from({ length: 6 }, () => begin('192.0.2.1')))
      const statuses = all.map(({ status }) => status).sort()
      expect(statuses).toEqual([303, 303, 429, 429, 429, 429])
      const refused = all.find(({ status }) => status === 429)
      expect(refused?.headers['retry-after']).toBe('900')
      expect(refused?.text).toContain('value="ada@example.com"')
      expect(visibleText(refused?.text ?? '')).toContain('Please try again in 15 minutes.')
      expect((await begin('192.0.2.2')).status).toBe(303)
    })

    it('count no longer once they are paid, or after a while', async () => {
      const [first] = [await begin('192.0.2.3'), await begin('192.0.2.3')]
      expect((await begin('192.0.2.3')).status).toBe(429)
      await getPage(await payOnPage(first?.headers.location as string))
      expect((await begin('192.0.2.3')).status).toBe(303)
      expect((await begin('192.0.2.3')).status).toBe(429)
      service.clock.advance(899)
      expect((await begin('192.0.2.3')).status).toBe(429)
      service.clock.advance(1)
      expect((await begin('192.0.2.3')).status).toBe(303)
    })

    it('count in all workers of the machine', async () => {
      const env = shop.environment
      const [one, other] = twoPeers().map((peers) =>
        createCheckoutLimits(env, service.ctx.config, peers),
      )
      const request = { ip: '192.0.2.9' } as FastifyRequest
      const start = async () => ({
        checkout: await createCheckout(env, {
          ...{ aid: shop.aid, rid: 'article', terms: ONCE, typedEmail: 'ada@example.com' },
          ...{ firstName: '', lastName: '' },
        }),
        url: '/page',
      })
      expect(await one?.begin(request, start)).toBe('/page')
      expect(await other?.begin(request, start)).toBe('/page')
      for (const limits of [one, other]) {
        await expect(limits?.begin(request, start)).rejects.toMatchObject({ status: 429 })
      }
    })
  })

  describe('checkouts of all addresses', () => {
    const service = useService(database, { env: { ...TRUSTED, GATEHOUSE_LIMIT_CHECKOUTS: '2' } })
    const shop = usePageShop(service, 'article')

    it('are limited per minute, and so are payments with test cards', async () => {
      const price = await shop.addPrice('article')
      const begin = (n: number) =>
        submitForm(shop.pageOf('article'), { email: 'a@example.com', price }, from(`192.0.2.${n}`))
      const [first] = [await begin(1), await begin(2)]
      expect((await begin(3)).status).toBe(429)
      const page = first?.headers.location as string
      const declined = { number: '4000 0000 0000 0002', expiry: '12/40', cvc: '123' }
      const pay = async (n: number) =>
        (await submitForm(page, declined, from(`192.0.2.${n}`))).status
      expect([await pay(4), await pay(5), await pay(6)]).toEqual([422, 422, 429])
    })
  })

  describe('calls to the payment provider', () => {
    const stripe = useFakeStripe()
    const service = useService(database, () => ({
      env: { ...sandboxSettings(stripe), GATEHOUSE_LIMIT_CHECKOUT_CALLS: '1' },
      useRealTime: true,
    }))
    const shop = usePageShop(service, 'article')

    it('have a share for readers, and other calls don’t wait for it', async () => {
      const price = await shop.addPrice('article')
      const begin = () => submitForm(shop.pageOf('article'), { email: 'ada@example.com', price })
      const all = await Promise.all(Array.from({ length: 12 }, begin))
      const sessions = stripe.ledger.sessions.size
      const refused = all.find(({ status }) => status === 429)
      expect(sessions).toBeLessThan(12)
      expect(refused?.headers['retry-after']).toBe('1')
      expect(visibleText(refused?.text ?? '')).toContain('Please try again in a few seconds.')
      // Nothing is left behind of a purchase that was refused.
      const { read } = shop.environment.database
      const { count } = await read
        .selectFrom('checkouts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      expect(Number(count)).toBe(sessions)
      const input = { rid: 'article', userRef: 'bea' }
      const bought = await buyWithStripe(shop.environment, shop.aid, stripe, input)
      expect(bought.status).toBe('paid')
    })
  })
})

describe('behind a proxy that is not trusted', () => {
  const service = useService(databases[0], {
    env: {
      GATEHOUSE_BASE_URL: 'https://access.example.com',
      GATEHOUSE_LIMIT_CHECKOUTS_PER_ADDRESS: '2',
      GATEHOUSE_LIMIT_OPEN_CHECKOUTS_PER_ADDRESS: '2',
    },
  })
  const shop = usePageShop(service, 'article')
  beforeAll(() => shop.addPrice('article'))

  it('readers, who all have its address, don’t share a limit', async () => {
    for (let i = 0; i < 5; i++) {
      expect((await submitForm(shop.pageOf('article'))).status).toBe(422)
    }
  })
})
