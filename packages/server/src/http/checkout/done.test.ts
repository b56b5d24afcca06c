import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addKey } from '../../domain/apps/keys.ts'
import { ProviderError } from '../../domain/payments/provider.ts'
import { databases } from '../../testing/databases.ts'
import { GOOD, goToPayment, openSeller, payAt, type Seller } from '../../testing/payments/seller.ts'
import { elementsOf, fillIn, HOSTILE, look, next, wordsOf } from '../../testing/payments/visitor.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const ADA = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
const RETURN = 'https://magazine.example/read/7?a=1#top'

describe.each(databases)('coming back from the payment page on $name', (database) => {
  let service: TestService
  let seller: Seller

  beforeAll(async () => {
    service = await startTestService(database)
    seller = await openSeller(service)
    await seller.set({ return_urls: '["https://magazine.example"]' })
    await seller.addResource('article', {
      name: 'The long winter',
      url: 'https://magazine.example/7',
    })
  })
  afterAll(() => service.stop())

  let readers = 0
  /** Starts a checkout by a link that names a new reader; returns the payment page. */
  async function begin(more: Partial<Parameters<Seller['link']>[0]> = {}): Promise<string> {
    readers += 1
    const input = { rid: 'article', amount: '2.90', currency: 'EUR', user_ref: `reader-${readers}` }
    return await goToPayment(await seller.link({ ...input, ...more }), ADA)
  }
  const doneOf = async (payment: string) =>
    (await seller.cards.session(payment.split('/').at(-1) as string))?.doneUrl as string

  it('paid: on to the return address, signed, which the SDK can read', async () => {
    const payment = await begin({ return_url: RETURN })
    const done = await payAt(payment)
    const back = next(await look(done), done)
    expect(back.startsWith('https://magazine.example/read/7?a=1&gatehouse_status=paid')).toBe(true)
    expect(back.endsWith('#top')).toBe(true)
    const userRef = `reader-${readers}`
    const now = service.clock.seconds
    const word = await seller.client.readReturn(back, { rid: 'article', userRef, now })
    expect(word).toMatchObject({ status: 'paid', rid: 'article', user_ref: userRef, time: now })
    expect(done.endsWith(`/${word.checkout}`)).toBe(true)
    await expect(seller.client.readReturn(back, { userRef: 'reader-0', now })).rejects.toThrow()
    expect(await seller.client.getAccess({ rid: 'article', user_ref: userRef })).toMatchObject({
      amount: 2.9,
      currency: 'EUR',
    })
  })

  it('paid: signed with the key that signed the link, also after a new one was made', async () => {
    const other = await openSeller(service)
    await other.set({ return_urls: '["https://magazine.example"]' })
    const input = { rid: 'x', name: 'X', amount: '1', currency: 'EUR', return_url: RETURN }
    const payment = await goToPayment(await other.link(input), ADA)
    const { keyring, database } = other.environment
    await database.write((trx) =>
      addKey(trx, service.ctx.masterKey, other.aid, service.clock.now + 1),
    )
    await keyring.refresh()
    expect(keyring.keysOf(other.aid)[1]).toBe(other.privateKey)
    const done = await payAt(payment)
    const back = next(await look(done), done)
    expect(await other.client.readReturn(back, { now: service.clock.seconds })).toMatchObject({
      status: 'paid',
    })
  })

  it('paid: the word is for one site of the application, and the others can tell', async () => {
    const other = await openSeller(service)
    const sites = ['https://magazine.example', 'https://shop.example']
    await other.set({ return_urls: JSON.stringify(sites) })
    const input = { rid: 'x', name: 'X', amount: '1', currency: 'EUR', return_url: RETURN }
    const done = await payAt(await goToPayment(await other.link(input), ADA))
    const back = next(await look(done), done)
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
    const done = await payAt(await begin({ return_url: RETURN }))
    expect((await look(done)).status).toBe(303)
    service.clock.advance(15 * 60)
    const { status, text } = await look(done)
    expect(status).toBe(200)
    expect(text).not.toContain('gatehouse_signature')
  })

  it('paid twice by a double click: once', async () => {
    const payment = await begin({ return_url: RETURN })
    const done = await payAt(payment)
    expect(await payAt(payment)).toBe(done)
    expect(next(await look(payment), payment)).toBe(done)
    const answers = await Promise.all(Array.from({ length: 5 }, () => look(done)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
    const id = done.split('/').at(-1) as string
    const { read } = seller.environment.database
    const payments = await read
      .selectFrom('payments')
      .selectAll()
      .where('checkout_id', '=', id)
      .execute()
    expect(payments).toHaveLength(1)
    await service.requireInvariants()
  })

  it('paid without a return address: thanks, and the way to what was bought, but nothing of the person', async () => {
    const { status, text } = await look(await payAt(await begin({ email: 'eve@example.com' })))
    expect(status).toBe(200)
    expect(wordsOf(text)).toContain('Thank you The long winter is now open to you.')
    expect(text).toContain('<a class="button" href="https://magazine.example/7">')
    expect(text).not.toMatch(/eve@|ada@|Lovelace|reader-/)
    expect(text).not.toContain('http-equiv')
  })

  it('paid, but the application does not allow that address any more: thanks', async () => {
    const other = await openSeller(service)
    await other.set({ return_urls: '["https://magazine.example"]' })
    await other.addResource('article')
    await other.offer('article')
    const price = await other.offer('article')
    const page = `${other.pageOf('article')}?return_url=${encodeURIComponent(RETURN)}`
    const done = await payAt(await goToPayment(page, { ...ADA, price }))
    expect((await look(done)).status).toBe(303)
    await other.set({ return_urls: '[]' })
    const { status, text } = await look(done)
    expect(status).toBe(200)
    expect(wordsOf(text)).toContain('Thank you')
  })

  it('a resource with an address that is no web address gets no link to it', async () => {
    await seller.addResource('odd', { url: 'javascript:alert(1)' })
    const price = await seller.offer('odd')
    const payment = await goToPayment(seller.pageOf('odd'), { ...ADA, price })
    const { text } = await look(await payAt(payment))
    expect(text).not.toContain('javascript:')
  })

  it('not known yet: says so, looks again by itself, and after a minute leaves that to the reader', async () => {
    const done = await doneOf(await begin())
    const first = await look(done)
    expect(first.status).toBe(200)
    expect(wordsOf(first.text)).toContain('Confirming your payment')
    expect(first.text).toContain('<meta http-equiv="refresh" content="5;url=?looks=1">')
    const last = await look(`${done}?looks=12`)
    expect(last.text).not.toContain('http-equiv')
    expect(wordsOf(last.text)).toContain('takes longer than usual')
    for (const odd of ['-1', 'x', '1e9', '99999', HOSTILE[0] as string]) {
      const { text } = await look(`${done}?looks=${encodeURIComponent(odd)}`)
      expect(text).toContain('content="5;url=?looks=1"')
    }
  })

  it('not paid: back to the payment page for the same checkout', async () => {
    const payment = await begin({ return_url: RETURN })
    const session = await seller.cards.session(payment.split('/').at(-1) as string)
    const back = session?.backUrl as string
    const page = await look(back)
    expect(wordsOf(page.text)).toContain('Nothing was paid')
    expect(page.text).toContain('href="https://magazine.example/read/7?a=1#top"')
    expect(next(await fillIn(back), back)).toBe(payment)
    expect((await fillIn(back, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const done = await payAt(payment)
    expect((await look(back)).status).toBe(303)
    expect(next(await fillIn(done), done)).toBe(`${done}?`)
  })

  it('the address that the provider gets holds no link, no token and no person', async () => {
    const payment = await begin({ email: 'eve@example.com', return_url: RETURN })
    const session = await seller.cards.session(payment.split('/').at(-1) as string)
    const path = `${seller.baseUrl}/checkout/done/`
    expect(session?.doneUrl).toMatch(new RegExp(`^${path}\\w+$`))
    expect(session?.backUrl).toMatch(new RegExp(`^${path}\\w+\\?gave_up=1$`))
  })

  it('expired: says so, with a way to start again where the prices are for everybody', async () => {
    const other = await openSeller(service)
    await other.addResource('a/b')
    const price = await other.offer('a/b')
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
    const [first, second] = await Promise.all(addresses.map((one) => look(one)))
    expect([first?.status, second?.status]).toEqual([410, 410])
    expect(wordsOf(first?.text ?? '')).toContain('This checkout has expired')
    const [, href = ''] = /href="([^"]+)">Start again/.exec(first?.text ?? '') ?? []
    expect((await look(new URL(href, addresses[0]).href)).status).toBe(200)
    expect(second?.text).not.toContain('Start again')
    expect(wordsOf(second?.text ?? '')).toContain('start again from there')
  })

  it('the provider does not answer: it is not said that nothing was paid', async () => {
    const payment = await begin()
    const done = await doneOf(payment)
    const { find } = seller.cards
    const asked = find.checkout
    find.checkout = async () => {
      throw new ProviderError('silent')
    }
    try {
      for (const address of [done, `${done}?gave_up=1`]) {
        const { status, text } = await look(address)
        expect(status).toBe(200)
        expect(wordsOf(text)).toContain('Confirming your payment')
      }
    } finally {
      find.checkout = asked
    }
  })

  it('an unknown checkout is a readable 404', async () => {
    const { status, text } = await look(`${seller.baseUrl}/checkout/done/${'x'.repeat(20)}`)
    expect(status).toBe(404)
    expect(wordsOf(text)).toContain('No such checkout.')
  })

  it('hostile names are texts on every page of it', async () => {
    const shapes: Record<string, Set<string>> = {}
    const remember = (page: string, text: string) => {
      shapes[page] ??= new Set()
      shapes[page]?.add(elementsOf(text).join(' '))
    }
    for (const text of ['plain', ...HOSTILE]) {
      const other = await openSeller(service)
      await other.set({ name: text, seller_name: text, seller_address: text })
      await other.addResource('x', { name: text })
      const price = await other.offer('x')
      const fields = { ...ADA, price, first_name: text, last_name: text }
      const payment = await goToPayment(other.pageOf('x'), fields)
      const done = await doneOf(payment)
      remember('cards', (await look(payment)).text)
      remember('waiting', (await look(done)).text)
      remember('gave up', (await look(`${done}?gave_up=1`)).text)
      await payAt(payment, GOOD)
      remember('thanks', (await look(done)).text)
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
