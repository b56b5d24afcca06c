import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSubscription, updateSubscription } from '../../domain/subscriptions/subscriptions.ts'
import { manageToken } from '../../signing/links.ts'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { openSeller, payAt, type Seller } from '../../testing/payments/seller.ts'
import { type CardName, MONTHLY, numberOf } from '../../testing/payments/shop.ts'
import { elementsOf, fillIn, HOSTILE, look, next, wordsOf } from '../../testing/payments/visitor.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const DAY = 86_400

describe.each(databases)('the manage page on $name', (database) => {
  let service: TestService
  let seller: Seller

  beforeAll(async () => {
    service = await startTestService(database)
    seller = await openSeller(service)
    await seller.addResource('pass', { name: 'All issues' })
  })
  afterAll(() => service.stop())

  const read = () => seller.environment.database.read
  const tokenOf = async (id: string, expires: number) =>
    manageToken(await seller.environment.linkKey(), id, expires)
  const pageBy = (token: string) => `${seller.baseUrl}/manage/${token}`

  let readers = 0
  /** Subscribes a new reader; returns the subscription and its manage page. */
  async function subscribe(card: CardName = 'good', shop = seller, trial_days = 0) {
    readers += 1
    const userRef = `reader-${readers}`
    await shop.buy({
      rid: 'pass',
      userRef,
      email: 'ada@example.com',
      terms: { ...MONTHLY, trial_days },
      card,
    })
    const { data } = await shop.client.searchSubscriptions({ user_ref: userRef })
    const { id } = data[0] as { id: string }
    const token = await tokenOf(id, shop.environment.clock() + 400 * DAY)
    return { id, page: pageBy(token), userRef }
  }
  const statusOf = async (id: string) => (await getSubscription(read(), id)).status

  it('shows the subscription in words, and nothing of the person', async () => {
    const { page, userRef, id } = await subscribe()
    const { status, headers, text } = await look(page)
    expect(status).toBe(200)
    const words = wordsOf(text)
    expect(words).toContain('All issues')
    expect(words).toContain('4.99 EUR every month')
    expect(words).toContain('Active')
    expect(words).toContain('The next payment of 4.99 EUR is on 3 April 2027')
    expect(words).toContain('If you cancel, your access stays open until 3 April 2027')
    const { uid } = await getSubscription(read(), id)
    for (const one of ['ada@example.com', 'Rita', 'Reader', userRef, uid]) {
      expect(text).not.toContain(one)
    }
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('cancels and resumes, each time back at the page, which says so', async () => {
    const { id, page } = await subscribe()
    const canceled = next(await fillIn(page, { action: 'cancel' }), page)
    expect(canceled).toBe(`${page}?notice=cancel`)
    expect(await statusOf(id)).toBe('canceled')
    const words = wordsOf((await look(canceled)).text)
    expect(words).toContain('Your subscription is canceled.')
    expect(words).toContain('Your access stays open until 3 April 2027')
    expect(words).not.toContain('Cancel subscription')
    const resumed = next(await fillIn(canceled, { action: 'resume' }), canceled)
    expect(resumed).toBe(`${page}?notice=resume`)
    expect(await statusOf(id)).toBe('active')
    expect(wordsOf((await look(resumed)).text)).toContain('Your subscription goes on.')
    await service.requireInvariants()
  })

  it('says only what is true, whatever stands in the address', async () => {
    const { page } = await subscribe()
    for (const notice of ['cancel', 'nonsense', ...HOSTILE]) {
      const { text } = await look(`${page}?notice=${encodeURIComponent(notice)}`)
      expect(text).not.toContain('role="status"')
      expect(text).not.toContain(notice === 'cancel' ? 'is canceled' : notice)
    }
    const twice = await look(`${page}?notice=card&notice=card`)
    expect(twice.status).toBe(200)
  })

  it('takes a new card, and comes back', async () => {
    const { id, page } = await subscribe()
    const before = (await getSubscription(read(), id)).method
    const payment = next(await fillIn(page, { action: 'card' }), page)
    expect(wordsOf((await look(payment)).text)).toContain('Save this card')
    const done = await payAt(payment)
    const back = next(await look(done), done)
    expect(back).toMatch(new RegExp(`^${seller.baseUrl}/manage/[\\w.-]+\\?notice=card$`))
    expect(wordsOf((await look(back)).text)).toContain('Your new card is saved.')
    const after = (await getSubscription(read(), id)).method
    expect(after).not.toBe(before)
    expect(after).not.toBeNull()
  })

  it('is where somebody who gave up a new card comes back to, with the old one', async () => {
    const { id, page } = await subscribe()
    const before = (await getSubscription(read(), id)).method
    const payment = next(await fillIn(page, { action: 'card' }), page)
    const session = await seller.cards.session(payment.split('/').at(-1) as string)
    const back = next(await look(session?.backUrl as string), page)
    const { text } = await look(back)
    expect(text).not.toContain('role="status"')
    expect((await getSubscription(read(), id)).method).toBe(before)
  })

  it('is not reached by the address of a card change that is over for long', async () => {
    const other = await openSeller(service)
    await other.addResource('pass')
    const { page } = await subscribe('good', other)
    const payment = next(await fillIn(page, { action: 'card' }), page)
    const done = await payAt(payment)
    expect((await look(done)).status).toBe(303)
    await other.advance(2 * DAY)
    expect((await look(done)).status).toBe(200)
  })

  it('walks a reader through a payment that failed, to a card that works', async () => {
    const other = await openSeller(service)
    await other.addResource('pass', { name: 'All issues' })
    const { id, page } = await subscribe('declined_later', other)
    await other.advance(32 * DAY)
    expect(await statusOf(id)).toBe('past_due')
    const words = wordsOf((await look(page)).text)
    expect(words).toContain('Payment failed')
    expect(words).toContain('could not be made. We try again on')
    expect(words).toContain('If you cancel, your access ends at once')
    const payment = next(await fillIn(page, { action: 'card' }), page)
    const done = await payAt(payment, numberOf('good'))
    const back = next(await look(done), done)
    expect(wordsOf((await look(back)).text)).toContain('is being tried again now')
    await other.work()
    expect(await statusOf(id)).toBe('active')
    expect(wordsOf((await look(back)).text)).toContain('The next payment of 4.99 EUR is on')
  })

  it('shows a trial, and an end with a way to begin anew', async () => {
    const other = await openSeller(service)
    await other.addResource('pass', { name: 'All issues' })
    await other.offer('pass')
    const { page } = await subscribe('good', other, 14)
    const trial = wordsOf((await look(page)).text)
    expect(trial).toContain('Free trial')
    expect(trial).toContain('Then 4.99 EUR is charged, unless you cancel before.')
    await fillIn(page, { action: 'cancel' })
    await other.advance(15 * DAY)
    const { text } = await look(page)
    expect(wordsOf(text)).toContain('This subscription has ended. Nothing more is charged.')
    expect(text).not.toContain('name="action"')
    const [, href = ''] = /href="([^"]+)">Subscribe again/.exec(text) ?? []
    expect((await look(new URL(href, page).href)).status).toBe(200)
    for (const action of ['cancel', 'resume', 'card']) {
      expect((await fillIn(page, { action })).status).toBe(404)
    }
  })

  it('says that no card is saved, for one that was sold elsewhere', async () => {
    const { id, page } = await subscribe()
    await seller.environment.database.write(async (trx) =>
      updateSubscription(trx, await getSubscription(trx, id), { method: null }),
    )
    const words = wordsOf((await look(page)).text)
    expect(words).toContain('No card is saved. Put one in before')
    expect(words).toContain('Add a card')
  })

  it('refuses every token with a byte changed, 403, and nothing changes', async () => {
    const { page } = await subscribe()
    const token = page.split('/').at(-1) as string
    const before = await dumpTables(read())
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const forged = pageBy(token.slice(0, at) + other + token.slice(at + 1))
      const answer = at % 2 === 0 ? await look(forged) : await fillIn(forged, { action: 'cancel' })
      expect([at, answer.status]).toEqual([at, 403])
    }
    for (const odd of ['x', '..x', `${token}=`, token.slice(0, -1), 'a.1.', '%41']) {
      const { status, text } = await look(pageBy(odd))
      expect([odd, status]).toEqual([odd, odd === '%41' ? 404 : 403])
      if (status === 403)
        expect(wordsOf(text)).toContain('The newest e-mail about your subscription')
    }
    expect(await dumpTables(read())).toEqual(before)
  })

  it('says how to get a new link when one has expired, 410, and nothing changes', async () => {
    const { id } = await subscribe()
    const page = pageBy(await tokenOf(id, seller.environment.clock()))
    for (const answer of [await look(page), await fillIn(page, { action: 'cancel' })]) {
      expect(answer.status).toBe(410)
      expect(wordsOf(answer.text)).toContain('The newest e-mail about your subscription has one')
    }
    expect(await statusOf(id)).toBe('active')
  })

  it('is another in each environment', async () => {
    const { page } = await subscribe()
    expect((await look(page.replace('/sandbox', ''))).status).toBe(403)
  })

  it('changes nothing for another site, by GET, or for an unknown action', async () => {
    const { id, page } = await subscribe()
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
    ]) {
      expect((await fillIn(page, { action: 'cancel' }, headers)).status).toBe(403)
    }
    expect((await look(`${page}?action=cancel`)).status).toBe(200)
    for (const fields of [{}, { action: 'delete' }, { action: '' }]) {
      expect((await fillIn(page, fields as Record<string, string>)).status).toBe(400)
    }
    expect(await statusOf(id)).toBe('active')
  })

  it('shows hostile names as texts', async () => {
    const shapes = new Set<string>()
    for (const text of ['plain', ...HOSTILE]) {
      const other = await openSeller(service)
      await other.set({ name: text, seller_name: text, seller_address: text })
      await other.addResource('pass', { name: text })
      const { page } = await subscribe('good', other)
      shapes.add(elementsOf((await look(page)).text).join(' '))
    }
    expect(shapes.size).toBe(1)
  })
})
