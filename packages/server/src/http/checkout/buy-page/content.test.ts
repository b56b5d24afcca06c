import { describe, expect, it } from 'vitest'
import { archiveApplication } from '../../../domain/apps/applications.ts'
import { changeResource } from '../../../domain/resources/change.ts'
import { archivePrice } from '../../../domain/resources/prices.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'
import { getPage, submitForm, tagsIn, visibleText } from '../../../testing/payments/page-client.ts'
import { openPageShop } from '../../../testing/payments/page-shop.ts'
import { usePricedShop } from '../../../testing/payments/priced-shop.ts'

describe.each(entryPointDatabases)('the checkout page on $name', (database) => {
  const { service, shop, prices } = usePricedShop(database)

  const chosenIn = (page: string) =>
    [...page.matchAll(/value="(\w+)" required checked/g)].map(([, id]) => id)

  describe('shows', () => {
    it('what is for sale, whose it is and on which terms, and lets the buyer choose', async () => {
      const { status, headers, text } = await getPage(shop.pageOf('pass'))
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      const words = visibleText(text)
      for (const one of [
        'All issues',
        'Test magazine',
        '€2.90 a month',
        'First 14 days free, then €2.90 a month until you cancel.',
        '€49.00 a year',
        'Continue to payment',
        'Start free trial',
        'Subscribe for €49.00 a year',
        'No money is charged.',
      ]) {
        expect(words).toContain(one)
      }
      expect(text.match(/type="radio"/g)).toHaveLength(2)
      expect(chosenIn(text)).toEqual([prices.monthly])
    })

    it('what the resource is in its own words, harmless whatever they are, and nothing where it has none', async () => {
      expect((await getPage(shop.pageOf('pass'))).text).not.toContain('class="about"')
      await shop.addResource('essay', { name: 'Snow' })
      await shop.addPrice('essay')
      const { database, clock } = shop.environment
      const plain = tagsIn((await getPage(shop.pageOf('essay'))).text)
      const description = ['Six weeks of snow.', ...HOSTILE_TEXTS].join('\n')
      await database.write((trx) =>
        changeResource(trx, { aid: shop.aid, rid: 'essay' }, { description }, clock(), 'test'),
      )
      const { text } = await getPage(shop.pageOf('essay'))
      expect(text).toContain('<div class="about"><p>Six weeks of snow.\n')
      const about = ['<div', '<p', '</p', '</div']
      expect(tagsIn(text).toSorted()).toEqual([...plain, ...about].toSorted())
    })

    it('a price that the address asks for as chosen, and ignores one that is not there', async () => {
      const { text } = await getPage(`${shop.pageOf('pass')}?price=${prices.yearly}`)
      expect(chosenIn(text)).toEqual([prices.yearly])
      const other = await getPage(`${shop.pageOf('pass')}?price=${prices.article}`)
      expect(chosenIn(other.text)).toEqual([prices.monthly])
    })

    it('a name that has to be escaped in the address', async () => {
      for (const rid of ['a/b', 'ä?&#=+%41', "it's", '%2e%2e', '..;']) {
        await shop.addResource(rid, { name: `Named ${rid.length}` })
        await shop.addPrice(rid)
        const { status, text } = await getPage(shop.pageOf(rid))
        expect([rid, status]).toEqual([rid, 200])
        expect(text).toContain(`Named ${rid.length}`)
      }
    })

    it('nothing to type where a link vouches for the address, and shows it', async () => {
      const { text } = await getPage(await shop.link({ rid: 'pass', email: 'eve@example.com' }))
      expect(visibleText(text)).toContain('eve@example.com')
      expect(text).not.toContain('name="email"')
    })

    it('the terms of the link alone, and the resource that it names', async () => {
      const input = { rid: 'new-one', name: 'A new essay', amount: '1.20', currency: 'USD' }
      const { text, status } = await getPage(await shop.link({ ...input, period: '30 days' }))
      expect(status).toBe(200)
      expect(visibleText(text)).toContain('A new essay')
      expect(visibleText(text)).toContain('$1.20 for 30 days')
      const own = await getPage(await shop.link({ ...input, rid: 'pass' }))
      expect(visibleText(own.text)).toContain('All issues')
      expect(visibleText(own.text)).not.toContain('a month')
    })

    it('one price where the link names one', async () => {
      const { text } = await getPage(await shop.link({ rid: 'pass', price: prices.yearly }))
      expect(visibleText(text)).toContain('€49.00 a year')
      expect(visibleText(text)).not.toContain('a month')
    })
  })

  describe('is a page that', () => {
    it('no type sniffing, frame, script or foreign address can turn against us', async () => {
      const { headers, text } = await getPage(shop.pageOf('pass'))
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
      const { status, text } = await submitForm(shop.pageOf('pass'), {
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
        price: 'Choose one of the options.',
        email: 'Enter a valid email address, like name@example.com.',
        last_name: 'Your last name is too long or contains characters that can’t be used.',
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
      ['for an unknown resource', () => `/checkout/${shop.aid}/nothing`, 'No such resource.'],
      ['for a name that none can have', () => `/checkout/${shop.aid}/a%20b`, 'No such resource.'],
    ])('%s', async (_, target, words) => {
      const { status, headers, text } = await getPage(shop.baseUrl + target())
      expect(status).toBe(404)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(visibleText(text)).toContain(words)
    })

    it('where nothing is for sale, and for a price that is not offered any more', async () => {
      await shop.addResource('free')
      const free = await getPage(shop.pageOf('free'))
      expect(free.status).toBe(404)
      expect(visibleText(free.text)).toContain('Nothing is for sale here')
      const old = await shop.addPrice('free')
      const { database, clock } = shop.environment
      await database.write((trx) => archivePrice(trx, { aid: shop.aid, id: old }, clock(), 'test'))
      expect((await getPage(shop.pageOf('free'))).status).toBe(404)
      expect((await getPage(await shop.link({ rid: 'free', price: old }))).status).toBe(404)
      expect((await getPage(await shop.link({ rid: 'pass', price: prices.article }))).status).toBe(
        404,
      )
    })

    it('in the other environment, and once the application is archived', async () => {
      const { pathname } = new URL(shop.pageOf('pass'))
      const production = `${service.url}${pathname.replace('/sandbox', '')}`
      expect((await getPage(production)).status).toBe(404)
      const gone = await openPageShop(service)
      await gone.addResource('pass')
      await gone.addPrice('pass')
      const { database, clock } = gone.environment
      await database.write((trx) => archiveApplication(trx, gone.aid, clock(), 'test'))
      expect((await getPage(gone.pageOf('pass'))).status).toBe(404)
    })

    it('and JSON for programs', async () => {
      for (const accept of ['application/json', '*/*']) {
        const { status, headers, text } = await getPage(shop.pageOf('nothing'), { accept })
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
    const { status, text } = await getPage(link)
    expect(status).toBe(402)
    expect(visibleText(text)).toContain(
      'This can’t be paid for here at the moment. Nothing was charged.',
    )
    expect(text).not.toContain('No money is charged.')
  })

  describe('shows hostile texts as texts:', () => {
    it('names, seller and resource', async () => {
      const shapes = new Set<string>()
      const linked = new Set<string>()
      for (const text of ['plain', ...HOSTILE_TEXTS]) {
        const other = await openPageShop(service)
        const settings = { name: text, seller_name: text, seller_address: `${text}\n${text}` }
        await other.changeSettings(settings)
        await other.addResource('x', { name: text })
        await other.addPrice('x')
        const page = await getPage(other.pageOf('x'))
        expect(page.status).toBe(200)
        shapes.add(tagsIn(page.text).join(' '))
        const link = await other.link({ rid: 'y', name: text, amount: '1', currency: 'EUR' })
        linked.add(tagsIn((await getPage(link)).text).join(' '))
      }
      expect([shapes.size, linked.size]).toEqual([1, 1])
    })

    it('whatever was typed, when the form comes back', async () => {
      const shapes = new Set<string>()
      for (const text of ['plain text', ...HOSTILE_TEXTS]) {
        const fields = { price: text, email: text, first_name: text, last_name: text }
        const { status, text: page } = await submitForm(shop.pageOf('article'), fields)
        expect(status).toBe(422)
        shapes.add(tagsIn(page).join(' '))
      }
      expect(shapes.size).toBe(1)
    })

    it('the address of the page', async () => {
      for (const text of HOSTILE_TEXTS) {
        const asked = encodeURIComponent(text)
        const address = `${shop.pageOf('article')}?price=${asked}&${asked}=${asked}`
        const { text: page } = await getPage(address)
        expect(page).not.toContain(text)
      }
    })
  })
})
