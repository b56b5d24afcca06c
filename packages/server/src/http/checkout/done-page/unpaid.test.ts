import { describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { ProviderError } from '../../../domain/payments/provider-error.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'
import { createOldCheckout } from '../../../testing/payments/old-ids.ts'
import { ADA, RETURN, useCheckouts } from '../../../testing/payments/page-checkouts.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  visibleText,
} from '../../../testing/payments/page-client.ts'
import {
  GOOD_CARD,
  goToPayment,
  openPageShop,
  payOnPage,
} from '../../../testing/payments/page-shop.ts'
import { providerPageUrl } from '../buy.ts'

describe.each(entryPointDatabases)('coming back from the payment page on $name', (database) => {
  const { service, shop, begin, doneOf } = useCheckouts(database)

  it('not known yet: says so, looks again by itself, and after a minute leaves that to the reader', async () => {
    const done = await doneOf(await begin())
    const first = await getPage(done)
    expect(first.status).toBe(200)
    expect(visibleText(first.text)).toContain('Confirming your payment')
    expect(first.text).toContain('<meta http-equiv="refresh" content="5;url=?looks=1">')
    expect(visibleText((await getPage(`${done}?looks=2`)).text)).toContain('takes a few seconds')
    const late = await getPage(`${done}?looks=3`)
    expect(late.text).toContain('content="5;url=?looks=4"')
    const words = visibleText(late.text)
    expect(words).toContain('You can close this page')
    expect(words).toContain('You are not charged twice')
    expect(words).not.toContain('takes a few seconds')
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
    expect(session?.doneUrl).toMatch(new RegExp(`^${path}${shop.aid}-\\w{22}$`))
    expect(session?.backUrl).toMatch(new RegExp(`^${path}${shop.aid}-\\w{22}\\?gave_up=1$`))
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

  it.each(['open', 'expired'] as const)(
    '%s and reloaded often: the provider is asked ten times in ten seconds',
    async (status) => {
      const done = await doneOf(await begin())
      const id = done.split('/').at(-1) as string
      const { database } = shop.environment
      await database.write((trx) => updateRows(trx, 'checkouts', { aid: shop.aid, id }, { status }))
      const { find } = shop.cards
      const findCheckout = find.checkout
      let count = 0
      find.checkout = (ref) => {
        count++
        return findCheckout(ref)
      }
      try {
        for (let n = 0; n < 12; n++) await getPage(done)
        // The button that leads to the payment page asks too.
        expect(redirectTarget(await submitForm(done), done)).toBe(`${done}?`)
        expect(count).toBe(10)
        service.clock.advance(10)
        await getPage(done)
        expect(count).toBe(11)
      } finally {
        find.checkout = findCheckout
      }
    },
  )

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
})
