import { describe, expect, it } from 'vitest'
import { archivePrice } from '../../../domain/resources/prices.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { dumpTables } from '../../../testing/dump.ts'
import { send } from '../../../testing/http/requests.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  visibleText,
} from '../../../testing/payments/page-client.ts'
import { goToPayment, payOnPage } from '../../../testing/payments/page-shop.ts'
import { ADA, usePricedShop } from '../../../testing/payments/priced-shop.ts'

describe.each(entryPointDatabases)('the checkout page on $name', (database) => {
  const { service, shop, prices, checkouts, lastCheckout } = usePricedShop(database)

  describe('sends the buyer to the payment page', () => {
    it('with what was typed, as it was offered at that moment', async () => {
      const page = shop.pageOf('pass')
      const fields = {
        price: prices.monthly,
        email: ' ada@example.com ',
        first_name: 'Ada',
        last_name: 'L',
      }
      const payment = await goToPayment(page, fields)
      expect(payment).toMatch(new RegExp(`^${shop.baseUrl}/test-cards/\\w+$`))
      expect(await lastCheckout()).toMatchObject({
        rid: 'pass',
        amount: 290,
        period: '1 month',
        recurring: 1,
        trial_days: 14,
        typed_email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'L',
        status: 'open',
      })
    })

    it('but not for a price that went away meanwhile, nor for one of something else', async () => {
      const gone = await shop.addPrice('article', { amount: 1 })
      const { database, clock } = shop.environment
      await database.write((trx) => archivePrice(trx, { aid: shop.aid, id: gone }, clock(), 'test'))
      const before = (await checkouts()).length
      for (const price of [gone, prices.monthly, '']) {
        const { status, text } = await submitForm(shop.pageOf('article'), { ...ADA, price })
        expect(status).toBe(422)
        expect(text).toContain('id="price-problem"')
      }
      expect(await checkouts()).toHaveLength(before)
    })

    it('and tells a program what is wrong in JSON', async () => {
      const { status, text } = await submitForm(
        shop.pageOf('article'),
        { price: prices.article, email: 'x' },
        { accept: 'application/json' },
      )
      expect(status).toBe(400)
      expect(JSON.parse(text).error).toMatchObject({
        code: 'invalid_parameter',
        message: 'email: Enter a valid email address, like name@example.com.',
        parameter: 'email',
      })
    })

    it('alike for an address that is known and for one that is not', async () => {
      await shop.client.grantAccess({
        rid: 'pass',
        email: 'known@example.com',
        user_ref: 'known',
        first_name: 'Known',
      })
      const shapes = []
      for (const email of ['known@example.com', 'nobody@example.com']) {
        const response = await submitForm(shop.pageOf('pass'), { price: prices.yearly, email })
        const payment = redirectTarget(response, shop.pageOf('pass'))
        const done = await payOnPage(payment)
        const thanks = await getPage(done)
        expect(thanks.text).not.toMatch(/known@|nobody@|Known/i)
        shapes.push([response.status, response.text, thanks.status, thanks.text])
      }
      expect(shapes[0]).toEqual(shapes[1])
    })
  })

  describe('refuses forms', () => {
    const order = () => new URLSearchParams({ ...ADA, price: prices.article }).toString()
    const postForm = (headers: object, body = order()) => {
      const { origin, pathname } = new URL(shop.pageOf('article'))
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      return send(origin, pathname, { method: 'POST', headers: { ...type, ...headers }, body })
    }

    const foreign: [string, Record<string, string | undefined>][] = [
      ['from another site', { 'sec-fetch-site': 'cross-site' }],
      ['from a neighbour', { 'sec-fetch-site': 'same-site' }],
      ['of an odd origin', { 'sec-fetch-site': 'other' }],
      [
        'of another origin, by an old browser',
        { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
      ],
      ['without an origin of their own', { 'sec-fetch-site': undefined, origin: 'null' }],
      ['of another port', { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:1' }],
      [
        'whose origin looks like ours',
        { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1.evil.example' },
      ],
      ['whose origin is no address', { 'sec-fetch-site': undefined, origin: 'evil' }],
    ]

    it.each(foreign)('%s, before anything of them is read', async (_, headers) => {
      const before = await dumpTables(shop.environment.database.read)
      const given = Object.fromEntries(
        Object.entries({ origin: service.url, 'sec-fetch-site': 'same-origin', ...headers }).filter(
          ([, value]) => value !== undefined,
        ),
      )
      const response = await postForm({ accept: 'text/html', ...given })
      expect(response.status).toBe(403)
      expect(visibleText(response.text)).toContain('This form was not sent from its own page.')
      expect(await dumpTables(shop.environment.database.read)).toEqual(before)
    })

    it('but none of a browser that tells less, of our public name, or of no browser', async () => {
      const { origin } = new URL(shop.pageOf('article'))
      const own = [
        { origin },
        { origin: 'null', 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
        {},
      ]
      for (const headers of own) {
        const response = await postForm(headers)
        expect(response.status).toBe(303)
      }
    })

    it.each([
      ['of another type', { 'content-type': 'text/plain' }, 'price=x'],
      ['as JSON', { 'content-type': 'application/json' }, '{"price":"x"}'],
      ['that are compressed', { 'content-encoding': 'gzip' }, 'price=x'],
      ['with a field twice', {}, 'email=a%40b.example&email=c%40d.example'],
    ])('%s: 400', async (_, headers, body) => {
      const response = await postForm({ accept: 'text/html', ...headers }, body)
      expect(response.status).toBe(400)
    })
  })
})
