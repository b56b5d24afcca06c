import { describe, expect, it } from 'vitest'
import { listRows } from '../../../db/queries/rows.ts'
import { addApplicationKey } from '../../../domain/apps/keys.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'
import { ADA, RETURN, useCheckouts } from '../../../testing/payments/page-checkouts.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  tagsIn,
  visibleText,
} from '../../../testing/payments/page-client.ts'
import {
  GOOD_CARD,
  goToPayment,
  openPageShop,
  payOnPage,
} from '../../../testing/payments/page-shop.ts'

describe.each(entryPointDatabases)('coming back from the payment page on $name', (database) => {
  const { service, shop, begin, lastReader, doneOf } = useCheckouts(database)

  it('paid: on to the return address, signed, which the SDK can read', async () => {
    const payment = await begin({ return_url: RETURN })
    const done = await payOnPage(payment)
    const back = redirectTarget(await getPage(done), done)
    expect(back.startsWith('https://magazine.example/read/7?a=1&gatehouse_status=paid')).toBe(true)
    expect(back.endsWith('#top')).toBe(true)
    const userRef = lastReader()
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

  it('paid: the page ends after 30 days, and leads nowhere then', async () => {
    const done = await payOnPage(await begin())
    expect(await getPage(done)).toMatchObject({ status: 200 })
    service.clock.advance(30 * 86_400 - 1)
    expect(await getPage(done)).toMatchObject({ status: 200 })
    service.clock.advance(1)
    const { status, text } = await getPage(done)
    expect([status, visibleText(text)]).toEqual([410, expect.stringContaining('page has ended')])
    expect(text).not.toContain('/files/')
    expect((await submitForm(done)).headers.location).toBe('?')
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
