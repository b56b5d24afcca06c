import { beforeAll, describe, expect, it } from 'vitest'
import { listRows, updateRows } from '../../db/queries/rows.ts'
import { addApplicationKey } from '../../domain/apps/keys.ts'
import { ProviderError } from '../../domain/payments/provider-error.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { HOSTILE_TEXTS } from '../../testing/http/hostile-texts.ts'
import { createOldCheckout } from '../../testing/payments/old-ids.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  tagsIn,
  visibleText,
} from '../../testing/payments/page-client.ts'
import {
  GOOD_CARD,
  goToPayment,
  openPageShop,
  type PageShop,
  payOnPage,
} from '../../testing/payments/page-shop.ts'
import { useServiceWithPageShop } from '../../testing/use-service.ts'
import { providerPageUrl } from './buy.ts'

const ADA = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
const RETURN = 'https://magazine.example/read/7?a=1#top'

describe.each(entryPointDatabases)('coming back from the payment page on $name', (database) => {
  const { service, shop } = useServiceWithPageShop(database)
  beforeAll(async () => {
    await shop.changeSettings({ return_urls: '["https://magazine.example"]' })
    await shop.addResource('article', {
      name: 'The long winter',
      url: 'https://magazine.example/7',
    })
  })

  let readers = 0
  /** Starts a checkout by a link that names a new reader; returns the payment page. */
  async function begin(more: Partial<Parameters<PageShop['link']>[0]> = {}): Promise<string> {
    readers += 1
    const input = { rid: 'article', amount: '2.90', currency: 'EUR', user_ref: `reader-${readers}` }
    return await goToPayment(await shop.link({ ...input, ...more }), ADA)
  }
  const doneOf = async (payment: string) =>
    (await shop.cards.session(payment.split('/').at(-1) as string))?.doneUrl as string

  it('paid: on to the return address, signed, which the SDK can read', async () => {
    const payment = await begin({ return_url: RETURN })
    const done = await payOnPage(payment)
    const back = redirectTarget(await getPage(done), done)
    expect(back.startsWith('https://magazine.example/read/7?a=1&gatehouse_status=paid')).toBe(true)
    expect(back.endsWith('#top')).toBe(true)
    const userRef = `reader-${readers}`
    const now = service.clock.seconds
    const word = await shop.client.readReturn(back, { rid: 'article', userRef, now })
    expect(word).toMatchObject({ status: 'paid', rid: 'article', user_ref: userRef, time: now })
    expect(done.endsWith(`/${word.checkout}`)).toBe(true)
    await expect(shop.client.readReturn(back, { userRef: 'reader-0', now })).rejects.toThrow()
    expect(await shop.client.getAccess({ rid: 'article', user_ref: userRef })).toMatchObject({
      amount: 2.9,
      currency: 'EUR',
    })
  })

  it('paid: signed with the key that signed the link, also after a new one was made', async () => {
    const other = await openPageShop(service)
    await other.changeSettings({ return_urls: '["https://magazine.example"]' })
    const input = { rid: 'x', name: 'X', amount: '1', currency: 'EUR', return_url: RETURN }
    const payment = await goToPayment(await other.link(input), ADA)
    const { keyring, database } = other.environment
    await database.write((trx) =>
      addApplicationKey(trx, service.ctx.masterKey, other.aid, service.clock.now + 1),
    )
    await keyring.refresh()
    expect(keyring.keysOf(other.aid)[1]).toBe(other.privateKey)
    const done = await payOnPage(payment)
    const back = redirectTarget(await getPage(done), done)
    expect(await other.client.readReturn(back, { now: service.clock.seconds })).toMatchObject({
      status: 'paid',
    })
  })

  it('paid: the word is for one site of the application, and the others can tell', async () => {
    const other = await openPageShop(service)
    const sites = ['https://magazine.example', 'https://shop.example']
    await other.changeSettings({ return_urls: JSON.stringify(sites) })
    const input = { rid: 'x', name: 'X', amount: '1', currency: 'EUR', return_url: RETURN }
    const done = await payOnPage(await goToPayment(await other.link(input), ADA))
    const back = redirectTarget(await getPage(done), done)
    const replayed = back.replace('magazine.example', 'shop.example')
    const now = service.clock.seconds
    const [magazine = '', shop = ''] = sites
    expect(await other.client.readReturn(back, { origin: magazine, now })).toMatchObject({
      origin: magazine,
    })
    await expect(other.client.readReturn(replayed, { origin: shop, now })).rejects.toMatchObject({
      reason: 'other_site',
    })
    // The signature covers the origin, so it can't be replaced.
    const forged = back.replaceAll('magazine.example', 'shop.example')
    await expect(other.client.readReturn(forged, { origin: shop, now })).rejects.toMatchObject({
      reason: 'altered',
    })
  })

  it('paid a while ago: thanks, but no new word to the application', async () => {
    const done = await payOnPage(await begin({ return_url: RETURN }))
    expect((await getPage(done)).status).toBe(303)
    service.clock.advance(15 * 60)
    const { status, text } = await getPage(done)
    expect(status).toBe(200)
    expect(text).not.toContain('gatehouse_signature')
  })

  it('paid twice by a double click: once', async () => {
    const payment = await begin({ return_url: RETURN })
    const done = await payOnPage(payment)
    expect(await payOnPage(payment)).toBe(done)
    expect(redirectTarget(await getPage(payment), payment)).toBe(done)
    const answers = await Promise.all(Array.from({ length: 5 }, () => getPage(done)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
    const id = done.split('/').at(-1) as string
    const { read } = shop.environment.database
    expect(await listRows(read, 'payments', { aid: shop.aid, checkout_id: id })).toHaveLength(1)
    await service.requireInvariants()
  })

  it('paid without a return address: thanks, and the way to what was bought, but nothing of the person', async () => {
    const { status, text } = await getPage(
      await payOnPage(await begin({ email: 'eve@example.com' })),
    )
    expect(status).toBe(200)
    expect(visibleText(text)).toContain('Thank you You now have access to The long winter.')
    expect(text).toContain('<a class="button" href="https://magazine.example/7">')
    expect(text).not.toMatch(/eve@|ada@|Lovelace|reader-/)
    expect(text).not.toContain('http-equiv')
  })

  it('paid, but the application does not allow that address any more: thanks', async () => {
    const other = await openPageShop(service)
    await other.changeSettings({ return_urls: '["https://magazine.example"]' })
    await other.addResource('article')
    await other.addPrice('article')
    const price = await other.addPrice('article')
    const page = `${other.pageOf('article')}?return_url=${encodeURIComponent(RETURN)}`
    const done = await payOnPage(await goToPayment(page, { ...ADA, price }))
    expect((await getPage(done)).status).toBe(303)
    await other.changeSettings({ return_urls: '[]' })
    const { status, text } = await getPage(done)
    expect(status).toBe(200)
    expect(visibleText(text)).toContain('Thank you')
  })

  it('a resource with an address that is no web address gets no link to it', async () => {
    await shop.addResource('odd', { url: 'javascript:alert(1)' })
    const price = await shop.addPrice('odd')
    const payment = await goToPayment(shop.pageOf('odd'), { ...ADA, price })
    const { text } = await getPage(await payOnPage(payment))
    expect(text).not.toContain('javascript:')
  })

  it('not known yet: says so, looks again by itself, and after a minute leaves that to the reader', async () => {
    const done = await doneOf(await begin())
    const first = await getPage(done)
    expect(first.status).toBe(200)
    expect(visibleText(first.text)).toContain('Confirming your payment')
    expect(first.text).toContain('<meta http-equiv="refresh" content="5;url=?looks=1">')
    const last = await getPage(`${done}?looks=12`)
    expect(last.text).not.toContain('http-equiv')
    expect(visibleText(last.text)).toContain('taking longer than usual')
    for (const odd of ['-1', 'x', '1e9', '99999', HOSTILE_TEXTS[0] as string]) {
      const { text } = await getPage(`${done}?looks=${encodeURIComponent(odd)}`)
      expect(text).toContain('content="5;url=?looks=1"')
    }
  })

  it('not paid: back to the payment page for the same checkout', async () => {
    const payment = await begin({ return_url: RETURN })
    const session = await shop.cards.session(payment.split('/').at(-1) as string)
    const back = session?.backUrl as string
    const page = await getPage(back)
    expect(visibleText(page.text)).toContain('Payment not completed')
    expect(page.text).toContain('href="https://magazine.example/read/7?a=1#top"')
    expect(redirectTarget(await submitForm(back), back)).toBe(payment)
    expect((await submitForm(back, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const done = await payOnPage(payment)
    expect((await getPage(back)).status).toBe(303)
    expect(redirectTarget(await submitForm(done), done)).toBe(`${done}?`)
  })

  it('the address that the provider gets holds no link, no token and no person', async () => {
    const payment = await begin({ email: 'eve@example.com', return_url: RETURN })
    const session = await shop.cards.session(payment.split('/').at(-1) as string)
    const path = `${shop.baseUrl}/checkout/done/`
    expect(session?.doneUrl).toMatch(new RegExp(`^${path}${shop.aid}-\\w{20}$`))
    expect(session?.backUrl).toMatch(new RegExp(`^${path}${shop.aid}-\\w{20}\\?gave_up=1$`))
  })

  it('expired: says so, with a way to start again where the prices are for everybody', async () => {
    const other = await openPageShop(service)
    await other.addResource('a/b')
    const price = await other.addPrice('a/b')
    const open = await goToPayment(other.pageOf('a/b'), { ...ADA, price })
    const linked = await begin()
    const addresses = [await doneOf(open), await doneOf(linked)]
    await other.environment.database.write((trx) =>
      trx
        .updateTable('checkouts')
        .set({ status: 'expired' })
        .where('status', '=', 'open')
        .execute(),
    )
    const [first, second] = await Promise.all(addresses.map((one) => getPage(one)))
    expect([first?.status, second?.status]).toEqual([410, 410])
    expect(visibleText(first?.text ?? '')).toContain('This checkout has expired')
    const [, href = ''] = /href="([^"]+)">Start again/.exec(first?.text ?? '') ?? []
    expect((await getPage(new URL(href, addresses[0]).href)).status).toBe(200)
    expect(second?.text).not.toContain('Start again')
    expect(visibleText(second?.text ?? '')).toContain('go back to the site where you started')
  })

  it('the provider does not answer: it is not said that nothing was paid', async () => {
    const payment = await begin()
    const done = await doneOf(payment)
    const { find } = shop.cards
    const asked = find.checkout
    find.checkout = async () => {
      throw new ProviderError('silent')
    }
    try {
      for (const address of [done, `${done}?gave_up=1`]) {
        const { status, text } = await getPage(address)
        expect(status).toBe(200)
        expect(visibleText(text)).toContain('Confirming your payment')
      }
    } finally {
      find.checkout = asked
    }
  })

  it('an unknown checkout is a readable 404, in whatever form and of whatever application', async () => {
    const done = await doneOf(await begin())
    const other = await openPageShop(service)
    const random = done.slice(-20)
    for (const id of [
      'x'.repeat(20),
      random,
      `${other.aid}-${random}`,
      `${'x'.repeat(10)}-${random}`,
    ]) {
      const { status, text } = await getPage(`${shop.baseUrl}/checkout/done/${id}`)
      expect(status).toBe(404)
      expect(visibleText(text)).toContain('No such checkout.')
    }
    expect((await getPage(done)).status).toBe(200)
  })

  it('a checkout of an older version, whose id names no application, is completed', async () => {
    const { aid, environment } = shop
    const checkout = await createOldCheckout(environment, { aid, rid: 'article', userRef: 'old' })
    const done = `${shop.baseUrl}/checkout/done/${checkout.id}`
    await shop.cards.pay(
      (await providerPageUrl(environment, checkout)).split('/').at(-1) as string,
      GOOD_CARD,
    )
    const { status, text } = await getPage(done)
    expect(status).toBe(200)
    expect(visibleText(text)).toContain('The long winter')
    expect(await shop.client.hasAccess({ rid: 'article', user_ref: 'old' })).toBe(true)
  })

  it('a checkout whose row is of another application than its id says is unknown', async () => {
    const { id } = await createOldCheckout(shop.environment, {
      aid: shop.aid,
      rid: 'article',
      userRef: 'odd',
    })
    const other = await openPageShop(service)
    const misplaced = `${other.aid}-${id}`
    await shop.environment.database.write((trx) =>
      updateRows(trx, 'checkouts', { aid: shop.aid, id }, { id: misplaced }),
    )
    expect((await getPage(`${shop.baseUrl}/checkout/done/${misplaced}`)).status).toBe(404)
  })

  it('hostile names are texts on every page of it', async () => {
    const shapes: Record<string, Set<string>> = {}
    const remember = (page: string, text: string) => {
      shapes[page] ??= new Set()
      shapes[page]?.add(tagsIn(text).join(' '))
    }
    for (const text of ['plain', ...HOSTILE_TEXTS]) {
      const other = await openPageShop(service)
      await other.changeSettings({ name: text, seller_name: text, seller_address: text })
      await other.addResource('x', { name: text })
      const price = await other.addPrice('x')
      const fields = { ...ADA, price, first_name: text, last_name: text }
      const payment = await goToPayment(other.pageOf('x'), fields)
      const done = await doneOf(payment)
      remember('cards', (await getPage(payment)).text)
      remember('waiting', (await getPage(done)).text)
      remember('gave up', (await getPage(`${done}?gave_up=1`)).text)
      await payOnPage(payment, GOOD_CARD)
      remember('thanks', (await getPage(done)).text)
    }
    const counts = Object.entries(shapes).map(([page, set]) => [page, set.size])
    expect(counts).toEqual([
      ['cards', 1],
      ['waiting', 1],
      ['gave up', 1],
      ['thanks', 1],
    ])
  })
})
