import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveApplication } from '../../domain/apps/applications.ts'
import { changeResource } from '../../domain/resources/change.ts'
import { archivePrice } from '../../domain/resources/prices.ts'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { authorization, send } from '../../testing/http/requests.ts'
import { goToPayment, openSeller, payAt, type Seller } from '../../testing/payments/seller.ts'
import { elementsOf, fillIn, HOSTILE, look, next, wordsOf } from '../../testing/payments/visitor.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const ADA = { email: 'ada@example.com' }

describe.each(databases)('the checkout page on $name', (database) => {
  let service: TestService
  let seller: Seller
  let monthly: string
  let yearly: string
  let article: string

  beforeAll(async () => {
    service = await startTestService(database)
    seller = await openSeller(service)
    await seller.set({ return_urls: '["https://magazine.example/read"]' })
    await seller.addResource('pass', { name: 'All issues' })
    monthly = await seller.offer('pass', { recurring: 1, period: '1 month', trial_days: 14 })
    yearly = await seller.offer('pass', { amount: 4_900, recurring: 1, period: '1 year' })
    await seller.addResource('article', { name: 'The long winter' })
    article = await seller.offer('article')
  })
  afterAll(() => service.stop())

  const checkouts = () =>
    seller.environment.database.read.selectFrom('checkouts').selectAll().execute()
  const lastCheckout = async () =>
    (await checkouts()).toSorted((a, b) => (a.payment_id < b.payment_id ? -1 : 1)).at(-1)

  describe('shows', () => {
    it('what is for sale, whose it is and on which terms, and lets the buyer choose', async () => {
      const { status, headers, text } = await look(seller.pageOf('pass'))
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      const words = wordsOf(text)
      for (const one of [
        'All issues',
        'Test magazine',
        '2.90 EUR every month',
        'First 14 days free, then every month until you cancel.',
        '49.00 EUR every year',
        'Continue to payment',
        'no money moves',
      ]) {
        expect(words).toContain(one)
      }
      expect(text.match(/type="radio"/g)).toHaveLength(2)
      expect(text).not.toContain(' checked')
    })

    it('what the resource is in its own words, harmless whatever they are, and nothing where it has none', async () => {
      expect((await look(seller.pageOf('pass'))).text).not.toContain('class="about"')
      await seller.addResource('essay', { name: 'Snow' })
      await seller.offer('essay')
      const { database, clock } = seller.environment
      const plain = elementsOf((await look(seller.pageOf('essay'))).text)
      const description = ['Six weeks of snow.', ...HOSTILE].join('\n')
      await database.write((trx) =>
        changeResource(trx, { aid: seller.aid, rid: 'essay' }, { description }, clock(), 'test'),
      )
      const { text } = await look(seller.pageOf('essay'))
      expect(text).toContain('<p class="about">Six weeks of snow.\n')
      expect(elementsOf(text).toSorted()).toEqual([...plain, '<p', '</p'].toSorted())
    })

    it('a price that the address asks for as chosen, and ignores one that is not there', async () => {
      const { text } = await look(`${seller.pageOf('pass')}?price=${yearly}`)
      expect(text).toMatch(new RegExp(`value="${yearly}" required checked`))
      const other = await look(`${seller.pageOf('pass')}?price=${article}`)
      expect(other.text).not.toContain(' checked')
    })

    it('a name that has to be escaped in the address', async () => {
      for (const rid of ['a/b', 'ä?&#=+%41', "it's", '%2e%2e', '..;']) {
        await seller.addResource(rid, { name: `Named ${rid.length}` })
        await seller.offer(rid)
        const { status, text } = await look(seller.pageOf(rid))
        expect([rid, status]).toEqual([rid, 200])
        expect(text).toContain(`Named ${rid.length}`)
      }
    })

    it('nothing to type where a link vouches for the address, and shows it', async () => {
      const { text } = await look(await seller.link({ rid: 'pass', email: 'eve@example.com' }))
      expect(wordsOf(text)).toContain('eve@example.com')
      expect(text).not.toContain('name="email"')
    })

    it('the terms of the link alone, and the resource that it names', async () => {
      const input = { rid: 'new-one', name: 'A new essay', amount: '1.20', currency: 'USD' }
      const { text, status } = await look(await seller.link({ ...input, period: '30 days' }))
      expect(status).toBe(200)
      expect(wordsOf(text)).toContain('A new essay')
      expect(wordsOf(text)).toContain('1.20 USD for 30 days')
      const own = await look(await seller.link({ ...input, rid: 'pass' }))
      expect(wordsOf(own.text)).toContain('All issues')
      expect(wordsOf(own.text)).not.toContain('every month')
    })

    it('one price where the link names one', async () => {
      const { text } = await look(await seller.link({ rid: 'pass', price: yearly }))
      expect(wordsOf(text)).toContain('49.00 EUR every year')
      expect(wordsOf(text)).not.toContain('every month')
    })
  })

  describe('is a page that', () => {
    it('no type sniffing, frame, script or foreign address can turn against us', async () => {
      const { headers, text } = await look(seller.pageOf('pass'))
      const policy = headers['content-security-policy']
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['referrer-policy']).toBe('same-origin')
      expect(headers['set-cookie']).toBeUndefined()
      expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\sstyle=|\son\w+=/i)
    })

    it('ties every field to its label, and says what is wrong beside it', async () => {
      const { status, text } = await fillIn(seller.pageOf('pass'), {
        email: 'ada@@example',
        first_name: 'Ada',
        last_name: 'x'.repeat(256),
      })
      expect(status).toBe(422)
      for (const name of ['email', 'first_name', 'last_name']) {
        expect(text).toContain(`<label class="label" for="${name}">`)
        expect(text).toContain(`<input id="${name}" name="${name}"`)
      }
      const wrong = {
        price: 'Choose one of the prices.',
        email: 'This is not a valid e-mail address.',
        last_name: 'Your last name is longer than 255 characters.',
      }
      for (const [name, problem] of Object.entries(wrong)) {
        expect(text).toContain(`<p class="wrong" id="${name}-problem">${problem}</p>`)
        expect(text).toMatch(new RegExp(`aria-describedby="[^"]*${name}-problem`))
        expect(text).toContain(`<a href="#${name}">${problem}</a>`)
      }
      expect(text).toContain('value="ada@@example"')
      expect(text).toContain('value="Ada"')
      expect(text).toContain('<title>Error: ')
      expect(text.match(/ autofocus/g)).toHaveLength(1)
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
      expect(ids).toEqual([...new Set(ids)])
    })
  })

  describe('is 404, readable,', () => {
    it.each([
      ['for an unknown application', () => '/checkout/0123456789/pass', 'No such application.'],
      ['for an unknown resource', () => `/checkout/${seller.aid}/nothing`, 'No such resource.'],
      ['for a name that none can have', () => `/checkout/${seller.aid}/a%20b`, 'No such resource.'],
    ])('%s', async (_, target, words) => {
      const { status, headers, text } = await look(seller.baseUrl + target())
      expect(status).toBe(404)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(wordsOf(text)).toContain(words)
    })

    it('where nothing is for sale, and for a price that is not offered any more', async () => {
      await seller.addResource('free')
      const free = await look(seller.pageOf('free'))
      expect(free.status).toBe(404)
      expect(wordsOf(free.text)).toContain('Nothing is for sale here')
      const old = await seller.offer('free')
      const { database, clock } = seller.environment
      await database.write((trx) =>
        archivePrice(trx, { aid: seller.aid, id: old }, clock(), 'test'),
      )
      expect((await look(seller.pageOf('free'))).status).toBe(404)
      expect((await look(await seller.link({ rid: 'free', price: old }))).status).toBe(404)
      expect((await look(await seller.link({ rid: 'pass', price: article }))).status).toBe(404)
    })

    it('in the other environment, and once the application is archived', async () => {
      const { pathname } = new URL(seller.pageOf('pass'))
      const production = `${service.url}${pathname.replace('/sandbox', '')}`
      expect((await look(production)).status).toBe(404)
      const gone = await openSeller(service)
      await gone.addResource('pass')
      await gone.offer('pass')
      const { database, clock } = gone.environment
      await database.write((trx) => archiveApplication(trx, gone.aid, clock(), 'test'))
      expect((await look(gone.pageOf('pass'))).status).toBe(404)
    })

    it('and JSON for programs', async () => {
      for (const accept of ['application/json', '*/*']) {
        const { status, headers, text } = await look(seller.pageOf('nothing'), { accept })
        expect(status).toBe(404)
        expect(headers['content-type']).toBe('application/json; charset=utf-8')
        expect(JSON.parse(text).error.code).toBe('resource_not_found')
      }
    })
  })

  it('says that payments are not set up, where they are not', async () => {
    const app = await service.newApplication('production')
    await app.addResource('pass')
    const link = await app.client.purchaseLink({
      rid: 'pass',
      amount: '1.00',
      currency: 'EUR',
      expires: service.clock.seconds + 60,
    })
    const { status, text } = await look(link)
    expect(status).toBe(402)
    expect(wordsOf(text)).toContain('Payments are not set up here.')
    expect(text).not.toContain('no money moves')
  })

  describe('without a signature', () => {
    it('lets nobody but the buyer speak: terms, name, address and reader are ignored', async () => {
      const words = new URLSearchParams({
        amount: '0.01',
        currency: 'EUR',
        name: 'Cheaper',
        url: 'https://evil.example',
        user_ref: 'eve',
        email: 'eve@example.com',
        recurring: 'false',
        expires: '9999999999',
      })
      const page = `${seller.pageOf('article')}?${words}`
      const { status, text } = await look(page)
      expect(status).toBe(200)
      expect(text).not.toMatch(/Cheaper|0\.01|eve/)
      await goToPayment(page, { ...ADA, price: article })
      expect(await lastCheckout()).toMatchObject({
        amount: 290,
        user_ref: null,
        vouched_email: null,
        typed_email: 'ada@example.com',
        resource_name: null,
        key_mark: null,
        link_mark: null,
      })
      expect((await look(`${seller.pageOf('new-one')}?${words}`)).status).toBe(404)
    })

    it('is not troubled by what else stands in the address', async () => {
      for (const query of ['utm_source=%zz', 'a=1&a=2', '&&=', 'price=%ff', 'x=%00']) {
        expect((await look(`${seller.pageOf('pass')}?${query}`)).status).toBe(200)
      }
    })
  })

  describe('with a signature', () => {
    const input = { rid: 'pass', amount: '5.00', currency: 'EUR', user_ref: 'reader-1' }

    it('is 403 if anything was altered, 410 once it has expired, and nothing is opened', async () => {
      const link = await seller.link({
        ...input,
        name: 'All',
        return_url: 'https://magazine.example/read/1',
      })
      const api = authorization(
        seller,
        'GET',
        link.slice(seller.baseUrl.length).split('&signature')[0] as string,
      )
      const before = (await checkouts()).length
      const altered = [
        link.replace('amount=5.00', 'amount=0.50'),
        link.replace('reader-1', 'reader-2'),
        link.replace('/pass?', '/article?'),
        link.replace('/pass?', '/p%61ss?'),
        link.replace('amount=', '%61mount='),
        link.replace('&signature=', '&amount=1.00&signature='),
        `${link}&amount=1.00`,
        link.replace(/signature=.*/, `signature=${'A'.repeat(43)}`),
        link.replace(/signature=.*/, 'signature='),
        link.replace(/signature=.*/, `signature=${api.split(':')[1]}`),
        `${link}=`,
        link.slice(0, -1),
        link.replace(/(signature=)(.)(.*)/, (_, a, b, c) => a + (b === 'A' ? 'B' : 'A') + c),
        link.replace(/expires=\d+/, 'expires=9999999999'),
      ]
      for (const one of altered) {
        expect(one).not.toBe(link)
        const page = await look(one)
        expect([one, page.status]).toEqual([one, 403])
        expect(wordsOf(page.text)).toContain('This link is not valid.')
        expect((await fillIn(one, ADA)).status).toBe(403)
      }
      expect((await look(link)).status).toBe(200)
      const { clock } = seller.environment
      const late = await seller.link({ ...input, expires: clock() })
      for (const answer of [await look(late), await fillIn(late, ADA)]) {
        expect(answer.status).toBe(410)
        expect(wordsOf(answer.text)).toContain('This link has expired')
      }
      expect(await checkouts()).toHaveLength(before)
    })

    it('of another application is 403', async () => {
      const other = await openSeller(service)
      const link = await other.link(input)
      expect((await look(link.replace(other.aid, seller.aid))).status).toBe(403)
    })

    it('is 400 where the application has signed nonsense, and names it', async () => {
      const texts = { rid: 'pass', amount: '5.00', currency: 'EUR' }
      const nonsense: [Record<string, unknown>, RegExp][] = [
        [{ ...texts, amount: '5.001' }, /amount/],
        [{ ...texts, amount: '-5' }, /amount/],
        [{ ...texts, amount: '0' }, /amount/],
        [{ ...texts, currency: 'XXQ' }, /currency/],
        [{ ...texts, period: '1 fortnight' }, /period/],
        [{ ...texts, recurring: true }, /period/],
        [{ ...texts, trial_days: 3 }, /trial/],
        [{ rid: 'pass', email: 'nobody' }, /email/],
        [{ rid: 'other', name: 'x', url: 'javascript:alert(1)' }, /url/],
      ]
      for (const [one, words] of nonsense) {
        const { status, text } = await look(await seller.link(one as never))
        expect([one, status]).toEqual([one, 400])
        expect(wordsOf(text)).toMatch(words)
      }
    })

    it('ties the purchase to its reader, makes the resource, and is good for one purchase', async () => {
      const link = await seller.link({
        ...input,
        rid: 'essay',
        name: 'An essay',
        url: 'https://magazine.example/essay',
        user_ref: 'reader-7',
      })
      const payment = await goToPayment(link, ADA)
      await look(await payAt(payment))
      const access = await seller.client.getAccess({ rid: 'essay', user_ref: 'reader-7' })
      expect(access).toMatchObject({ amount: 5, currency: 'EUR', rid: 'essay' })
      for (const answer of [await look(link), await fillIn(link, ADA)]) {
        expect(answer.status).toBe(410)
        expect(wordsOf(answer.text)).toContain('This link was used already')
      }
      await service.requireInvariants()
    })

    it('refuses a second subscription of its reader above the form, which stays filled in', async () => {
      const input = { rid: 'pass', price: yearly, user_ref: 'reader-8' }
      await look(
        await payAt(await goToPayment(await seller.link(input), { ...ADA, price: yearly })),
      )
      const again = await fillIn(await seller.link({ ...input, name: 'x' }), {
        ...ADA,
        price: yearly,
      })
      expect(again.status).toBe(402)
      expect(wordsOf(again.text)).toContain('There is a subscription to this already.')
      expect(again.text).toContain('value="ada@example.com"')
    })
  })

  describe('leads back only where the application allows it:', () => {
    const EVIL = [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https:/evil.example',
      '\t//evil.example',
      '%09//evil.example',
      'https://evil.example/read',
      'https://magazine.example',
      'https://magazine.example/reader',
      'https://magazine.example/read/../steal',
      'https://magazine.example/read/%2e%2e/steal',
      'https://magazine.example.evil.example/read',
      'https://magazine.example@evil.example/read',
      'https://evil.example#https://magazine.example/read',
      'http://magazine.example/read',
      'javascript:alert(1)',
      'data:text/html,x',
      '/read',
    ]

    it('anything else is refused, signed or not', async () => {
      for (const return_url of EVIL) {
        const unsigned = `${seller.pageOf('pass')}?${new URLSearchParams({ return_url })}`
        const addresses = [unsigned]
        // A signed link with a control character is refused earlier, with another status.
        if (!return_url.includes('\t'))
          addresses.push(await seller.link({ rid: 'pass', return_url }))
        for (const address of addresses) {
          const answer = await look(address)
          expect([return_url, answer.status]).toEqual([return_url, 402])
          expect(answer.headers.location).toBeUndefined()
          expect((await fillIn(address, { ...ADA, price: yearly })).status).toBe(402)
        }
      }
    })

    it('a folder of it with its own query and fragment is allowed', async () => {
      const return_url = 'https://magazine.example/read/7?a=1#top'
      const page = `${seller.pageOf('pass')}?${new URLSearchParams({ return_url })}`
      expect((await look(page)).status).toBe(200)
      await goToPayment(page, { ...ADA, price: yearly })
      expect(await lastCheckout()).toMatchObject({ return_url })
    })
  })

  describe('sends the buyer to the payment page', () => {
    it('with what was typed, as it was offered at that moment', async () => {
      const page = seller.pageOf('pass')
      const fields = {
        price: monthly,
        email: ' ada@example.com ',
        first_name: 'Ada',
        last_name: 'L',
      }
      const payment = await goToPayment(page, fields)
      expect(payment).toMatch(new RegExp(`^${seller.baseUrl}/test-cards/\\w+$`))
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
      const gone = await seller.offer('article', { amount: 1 })
      const { database, clock } = seller.environment
      await database.write((trx) =>
        archivePrice(trx, { aid: seller.aid, id: gone }, clock(), 'test'),
      )
      const before = (await checkouts()).length
      for (const price of [gone, monthly, '']) {
        const { status, text } = await fillIn(seller.pageOf('article'), { ...ADA, price })
        expect(status).toBe(422)
        expect(text).toContain('id="price-problem"')
      }
      expect(await checkouts()).toHaveLength(before)
    })

    it('and tells a program what is wrong in JSON', async () => {
      const { status, text } = await fillIn(
        seller.pageOf('article'),
        { price: article, email: 'x' },
        { accept: 'application/json' },
      )
      expect(status).toBe(400)
      expect(JSON.parse(text).error).toMatchObject({
        code: 'invalid_parameter',
        message: 'email: This is not a valid e-mail address.',
      })
    })

    it('alike for an address that is known and for one that is not', async () => {
      await seller.client.grantAccess({
        rid: 'pass',
        email: 'known@example.com',
        user_ref: 'known',
        first_name: 'Known',
      })
      const shapes = []
      for (const email of ['known@example.com', 'nobody@example.com']) {
        const answer = await fillIn(seller.pageOf('pass'), { price: yearly, email })
        const payment = next(answer, seller.pageOf('pass'))
        const done = await payAt(payment)
        const thanks = await look(done)
        expect(thanks.text).not.toMatch(/known@|nobody@|Known/i)
        shapes.push([answer.status, answer.text, thanks.status, thanks.text])
      }
      expect(shapes[0]).toEqual(shapes[1])
    })
  })

  describe('refuses forms', () => {
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
      const before = await dumpTables(seller.environment.database.read)
      const given = Object.fromEntries(
        Object.entries({ origin: service.url, 'sec-fetch-site': 'same-origin', ...headers }).filter(
          ([, value]) => value !== undefined,
        ),
      )
      const { origin, pathname } = new URL(seller.pageOf('article'))
      const answer = await send(origin, pathname, {
        method: 'POST',
        headers: {
          accept: 'text/html',
          'content-type': 'application/x-www-form-urlencoded',
          ...given,
        },
        body: new URLSearchParams({ ...ADA, price: article }).toString(),
      })
      expect(answer.status).toBe(403)
      expect(wordsOf(answer.text)).toContain('This form was not sent from its own page.')
      expect(await dumpTables(seller.environment.database.read)).toEqual(before)
    })

    it('but none of a browser that tells less, of our public name, or of no browser', async () => {
      const page = seller.pageOf('article')
      const { origin, pathname } = new URL(page)
      const own = [
        { origin },
        { origin: 'null', 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
        {},
      ]
      for (const headers of own) {
        const answer = await send(origin, pathname, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: new URLSearchParams({ ...ADA, price: article }).toString(),
        })
        expect(answer.status).toBe(303)
      }
    })

    it.each([
      ['of another type', { 'content-type': 'text/plain' }, 'price=x'],
      ['as JSON', { 'content-type': 'application/json' }, '{"price":"x"}'],
      ['that are compressed', { 'content-encoding': 'gzip' }, 'price=x'],
      ['with a field twice', {}, 'email=a%40b.example&email=c%40d.example'],
    ])('%s: 400', async (_, headers, body) => {
      const { origin, pathname } = new URL(seller.pageOf('article'))
      const answer = await send(origin, pathname, {
        method: 'POST',
        headers: {
          accept: 'text/html',
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        body,
      })
      expect(answer.status).toBe(400)
    })
  })

  describe('shows hostile texts as texts:', () => {
    it('names, seller and resource', async () => {
      const shapes = new Set<string>()
      const linked = new Set<string>()
      for (const text of ['plain', ...HOSTILE]) {
        const other = await openSeller(service)
        const settings = { name: text, seller_name: text, seller_address: `${text}\n${text}` }
        await other.set(settings)
        await other.addResource('x', { name: text })
        await other.offer('x')
        const page = await look(other.pageOf('x'))
        expect(page.status).toBe(200)
        shapes.add(elementsOf(page.text).join(' '))
        const link = await other.link({ rid: 'y', name: text, amount: '1', currency: 'EUR' })
        linked.add(elementsOf((await look(link)).text).join(' '))
      }
      expect([shapes.size, linked.size]).toEqual([1, 1])
    })

    it('whatever was typed, when the form comes back', async () => {
      const shapes = new Set<string>()
      for (const text of ['plain text', ...HOSTILE]) {
        const fields = { price: text, email: text, first_name: text, last_name: text }
        const { status, text: page } = await fillIn(seller.pageOf('article'), fields)
        expect(status).toBe(422)
        shapes.add(elementsOf(page).join(' '))
      }
      expect(shapes.size).toBe(1)
    })

    it('the address of the page', async () => {
      for (const text of HOSTILE) {
        const asked = encodeURIComponent(text)
        const address = `${seller.pageOf('article')}?price=${asked}&${asked}=${asked}`
        const { text: page } = await look(address)
        expect(page).not.toContain(text)
      }
    })
  })
})
