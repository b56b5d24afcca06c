import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { setOpens } from '../../domain/passes/opens.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { HOSTILE_TEXTS } from '../../testing/http/hostile-texts.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  tagsIn,
  visibleText,
} from '../../testing/payments/page-client.ts'
import { goToPayment, openPageShop, payOnPage } from '../../testing/payments/page-shop.ts'
import { DAY } from '../../testing/time.ts'
import { useServiceWithPageShop } from '../../testing/use-service.ts'

const LEGAL = {
  terms: 'https://magazine.example/terms',
  imprint: 'https://magazine.example/imprint',
}

describe.each(entryPointDatabases)('the branded pages on $name', (database) => {
  const { service, shop } = useServiceWithPageShop(database)
  let monthly: string
  let month: string
  let issue: string
  beforeAll(async () => {
    await shop.changeSettings({
      accent: '#c2185b',
      support_email: 'help@magazine.example',
      legal_links: JSON.stringify(LEGAL),
      time_zone: 'Pacific/Auckland',
    })
    await shop.addResource('pass', { name: 'All issues' })
    const subscription = { recurring: 1, period: '1 month' } as const
    monthly = await shop.addPrice('pass', { ...subscription, amount: 999, currency: 'USD' })
    month = await shop.addPrice('pass', { period: '30 days', amount: 450, currency: 'USD' })
    await shop.addResource('issue', { name: 'Winter issue', url: 'https://magazine.example/w' })
    issue = await shop.addPrice('issue')
    await addDownload(shop, 'issue', Buffer.from('the pages'), { title: 'The PDF' })
  })

  const day = (at: number, locale = 'en-GB') =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Pacific/Auckland' }).format(
      at * 1000,
    )
  const now = () => shop.environment.clock()
  const read = async (address: string, headers = {}) =>
    visibleText((await getPage(address, headers)).text)
  let links = 0
  const buyAs = async (user_ref: string, rid: string, price: string) => {
    const email = `${user_ref}@example.com`
    // The name makes the link another one: each is good for one purchase.
    const link = await shop.link({ rid, price, user_ref, email, name: `${++links}` })
    const done = await payOnPage(await goToPayment(link, { price }))
    return { done, page: await getPage(done) }
  }
  it('keep the brand when a link from an email has expired, and name nobody when it is forged', async () => {
    await buyAs('late', 'pass', monthly)
    const { environment: env, aid } = shop
    const subscription = await env.database.read
      .selectFrom('subscriptions')
      .select(['aid', 'id', 'access_id'])
      .where('aid', '=', aid)
      .executeTakeFirstOrThrow()
    const access = { aid, id: subscription.access_id, linkNumber: 0 }
    for (const link of [
      await env.filesLink(access, now() - 100, 10),
      await env.manageLink({ ...subscription, linkNumber: 0 }, now() - 100, 10),
    ]) {
      const page = await getPage(link)
      expect(page.status).toBe(410)
      expect(visibleText(page.text)).toContain('Write to help@magazine.example')
      const forged = await getPage(link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))
      expect(forged.status).toBe(403)
      expect(forged.text).not.toContain('magazine.example')
    }
  })

  const linkFor = (user_ref: string, rid: string) => shop.link({ rid, user_ref, name: 'any' })

  describe('show', () => {
    it('the seller, the way to help and the legal pages', async () => {
      const { text } = await getPage(shop.pageOf('issue'))
      expect(text).toContain('<a href="mailto:help@magazine.example">help@magazine.example</a>')
      expect(text).toContain('<a href="https://magazine.example/terms">Terms</a>')
      expect(text).toContain('<a href="https://magazine.example/imprint">Imprint</a>')
      expect(visibleText(text)).not.toMatch(/Privacy|Refunds/)
    })

    it('the accent color in a style sheet that the policy allows by its hash alone', async () => {
      const { text, headers } = await getPage(shop.pageOf('issue'))
      const css = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] as string
      expect(css).toContain('--button: #c2185b;')
      const hash = createHash('sha256').update(css).digest('base64')
      expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`)
      expect(headers['content-security-policy']).toContain("img-src 'self';")
    })

    it('whatever is stored as text, and never as a style or another kind of link', async () => {
      const shapes = new Set<string>()
      for (const text of ['plain', ...HOSTILE_TEXTS, '#fff;}</style><script>']) {
        const other = await openPageShop(service)
        const legal_links = JSON.stringify({ terms: text, privacy: 'https://a.example' })
        const settings = { accent: text, support_email: text, legal_links, time_zone: text }
        await other.changeSettings(settings)
        await other.addResource('x')
        await other.addPrice('x', { period: '30 days' })
        const page = await getPage(other.pageOf('x'))
        expect(page.status).toBe(200)
        expect(page.text).not.toMatch(/href="(?!https:|mailto:)/)
        shapes.add(tagsIn(page.text).join(' '))
        // The service ends with an inspection that allows no such settings.
        await other.changeSettings({ accent: null, time_zone: 'UTC' })
      }
      expect(shapes.size).toBe(1)
    })

    it('what is charged when, in the language and time zone that apply', async () => {
      const words = await read(`${shop.pageOf('pass')}?price=${monthly}`)
      const after = new Date(now() * 1000)
      after.setUTCMonth(after.getUTCMonth() + 1)
      expect(words).toContain(`Today $9.99 Then, from ${day(after.getTime() / 1000)} $9.99 a month`)
      expect(words).toContain(`Today $4.50 Access until ${day(now() + 30 * DAY)}`)
      expect(words).toContain('Continue to payment Subscribe for $9.99 a month Pay $4.50')
      const american = await read(shop.pageOf('pass'), { 'accept-language': 'en-US' })
      expect(american).toContain(`Access until ${day(now() + 30 * DAY, 'en-US')}`)
      const german = await read(shop.pageOf('issue'), { 'accept-language': 'de-DE,de;q=0.9' })
      expect(german).toContain('Pay 2,90 €')
    })

    it('a button that says what it does, where there is one price', async () => {
      const { text } = await getPage(shop.pageOf('issue'))
      expect(text).toContain('<button>Pay €2.90</button>')
    })
  })

  describe('to a reader whom a signed link names, the checkout', () => {
    it('shows a subscription with its page, and offers no second one', async () => {
      await buyAs('sue', 'pass', monthly)
      const { text } = await getPage(await linkFor('sue', 'pass'))
      expect(visibleText(text)).toContain('You have a subscription to All issues. It renews on')
      expect(text).not.toContain(`value="${monthly}"`)
      expect(text).toContain(`value="${month}"`)
      const manage = /href="([^"]*\/manage\/[^"]*)"/.exec(text)?.[1] as string
      expect(await read(manage)).toContain('All issues')
      await shop.advance(3_601)
      expect((await getPage(manage)).status).toBe(410)
    })

    it('adds a period to what was paid for', async () => {
      await buyAs('max', 'pass', month)
      const words = await read(await linkFor('max', 'pass'))
      expect(words).toContain(`You have access to All issues until ${day(now() + 30 * DAY)}`)
      expect(words).toContain(`Access until ${day(now() + 60 * DAY)}`)
      const { page } = await buyAs('max', 'pass', month)
      expect(visibleText(page.text)).toContain(`Access until ${day(now() + 60 * DAY)}`)
    })

    it('sells nothing to who has it for a lifetime, but opens it', async () => {
      await buyAs('liz', 'issue', issue)
      const { text } = await getPage(await linkFor('liz', 'issue'))
      expect(visibleText(text)).toContain('You have lifetime access to Winter issue.')
      expect(text).toContain('href="https://magazine.example/w"')
      expect(text).toContain('aria-label="Download The PDF"')
      expect(text).not.toContain('name="email"')
      expect(text).not.toContain('<button>Pay')
    })

    it('tells a proven reader that a pass opens it, and sells it all the same', async () => {
      const { database, clock } = shop.environment
      const opens = { rids: ['issue'], prefixes: [], all: false }
      const setPass = (to: typeof opens) =>
        database.write((trx) => setOpens(trx, { aid: shop.aid, rid: 'pass' }, to, clock(), 'test'))
      await setPass(opens)
      await buyAs('pat', 'pass', month)
      const { text } = await getPage(await linkFor('pat', 'issue'))
      expect(visibleText(text)).toContain(
        `You can open Winter issue through All issues until ${day(now() + 30 * DAY)}`,
      )
      expect(text).toContain('href="https://magazine.example/w"')
      expect(text).toContain('<button>Pay')
      expect(await read(shop.pageOf('issue'))).not.toContain('through All issues')
      await setPass({ ...opens, rids: [] })
      expect(await read(await linkFor('pat', 'issue'))).not.toContain('through All issues')
    })

    it('tells nobody else what an address has', async () => {
      await buyAs('ida', 'issue', issue)
      const typed = { email: 'ida@example.com', price: '' }
      for (const { text } of [
        await getPage(shop.pageOf('issue')),
        await getPage(await linkFor('stranger', 'issue')),
        await submitForm(shop.pageOf('issue'), typed),
      ]) {
        expect(text).not.toMatch(/already have|lifetime access to Winter|Download/)
      }
    })
  })

  describe('after a purchase', () => {
    it('show what was bought, deliver its files, and promise no email where none is sent', async () => {
      const { page } = await buyAs('ann', 'issue', issue)
      const words = visibleText(page.text)
      expect(words).toContain('Item Winter issue Paid €2.90 Access Lifetime')
      expect(words).not.toMatch(/email is|by email/)
      const action = /action="([^"]*\/files\/[^"]*)"/.exec(page.text)?.[1] as string
      const file = await fetch(redirectTarget(await submitForm(action), action))
      expect(await file.text()).toBe('the pages')
    })

    it('show no date that tells whether a typed address had access before', async () => {
      const fields = { email: 'eva@example.com', price: month }
      const pages = []
      for (let i = 0; i < 2; i++) {
        const { text } = await getPage(
          await payOnPage(await goToPayment(shop.pageOf('pass'), fields)),
        )
        pages.push(visibleText(text))
      }
      expect(pages[0]).toContain('Access 30 days')
      expect(pages[1]).toBe(pages[0])
    })

    it('show no files once the access is gone', async () => {
      const { done } = await buyAs('tom', 'issue', issue)
      await shop.client.revokeAccess({ rid: 'issue', user_ref: 'tom' })
      const { text } = await getPage(done)
      expect(visibleText(text)).toContain('Your access has ended')
      expect(text).not.toMatch(/\/files\/|Download/)
    })
  })

  describe('take the addresses that people type', () => {
    it.each(['carol@nowhere', 'carol@localhost', 'carol@', 'carol'])('not %s', async (email) => {
      const { status, text } = await submitForm(shop.pageOf('issue'), { email, price: issue })
      expect(status).toBe(422)
      expect(text).toContain('id="email-problem">Enter a valid email address')
      expect(text).toContain(`value="${email}"`)
    })

    it.each(['carol@example.com', 'кэрол@пример.рф', '用户@例え.テスト'])('%s', async (email) => {
      expect((await submitForm(shop.pageOf('issue'), { email, price: issue })).status).toBe(303)
    })
  })

  describe('have a page for every failure:', () => {
    it.each([
      ['an unknown path', 'GET', '/checkout/x', 404, 'Page not found'],
      ['a page below', 'GET', '/manage/x/y', 404, 'Page not found'],
      ['a wrong method', 'DELETE', '/checkout/x/y', 402, 'This page can’t be opened like this'],
      ['a wrong method of a file', 'POST', '/d/x', 402, 'This page can’t be opened like this'],
    ])('%s', async (_, method, path, status, words) => {
      const headers = { accept: 'text/html' }
      const page = await fetch(shop.baseUrl + path, { method, headers })
      expect(page.status).toBe(status)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(visibleText(await page.text())).toContain(words)
      const program = await fetch(shop.baseUrl + path, { method })
      expect([program.status, program.headers.get('content-type')]).toEqual([
        status,
        'application/json; charset=utf-8',
      ])
    })

    it('with the brand where the application is known, and JSON for the API', async () => {
      const { status, text } = await getPage(shop.pageOf('nothing'))
      expect(status).toBe(404)
      expect(text).toContain('Need help? Write to <a href="mailto:help@magazine.example">')
      expect(text).toContain('--button: #c2185b;')
      const api = await getPage(`${shop.baseUrl}/r2/nothing`)
      expect(api.headers['content-type']).toBe('application/json; charset=utf-8')
    })
  })
})
