import { beforeAll, describe, expect, it } from 'vitest'
import { getSubscription, updateSubscription } from '../../../domain/subscriptions/subscriptions.ts'
import { createManageToken } from '../../../signing/links.ts'
import { databases } from '../../../testing/databases.ts'
import { dumpTables } from '../../../testing/dump.ts'
import { HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'
import { oldManageToken } from '../../../testing/payments/old-ids.ts'
import {
  getPage,
  redirectTarget,
  submitForm,
  tagsIn,
  visibleText,
} from '../../../testing/payments/page-client.ts'
import { openPageShop, payOnPage } from '../../../testing/payments/page-shop.ts'
import { type CardName, cardNumber, MONTHLY } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'
import { useServiceWithPageShop } from '../../../testing/use-service.ts'

describe.each(databases)('the manage page on $name', (database) => {
  const { service, shop } = useServiceWithPageShop(database)
  beforeAll(() => shop.addResource('pass', { name: 'All issues' }))

  const read = () => shop.environment.database.read
  const tokenOf = async (id: string, expires: number, aid = shop.aid) =>
    createManageToken(await shop.environment.trialKey(), { aid, id, linkNumber: 0 }, expires)
  const pageBy = (token: string) => `${shop.baseUrl}/manage/${token}`

  let readers = 0
  /** Subscribes a new reader; returns the subscription and its manage page. */
  async function subscribe(card: CardName = 'good', seller = shop, trial_days = 0) {
    readers += 1
    const userRef = `reader-${readers}`
    await seller.buy({
      rid: 'pass',
      userRef,
      email: 'ada@example.com',
      terms: { ...MONTHLY, trial_days },
      card,
    })
    const { data } = await seller.client.searchSubscriptions({ user_ref: userRef })
    const { id } = data[0] as { id: string }
    const token = await tokenOf(id, seller.environment.clock() + 400 * DAY, seller.aid)
    return { id, page: pageBy(token), userRef }
  }
  const statusOf = async (id: string, { aid } = shop) =>
    (await getSubscription(read(), aid, id)).status

  it('shows the subscription in words, and nothing of the person', async () => {
    const { page, userRef, id } = await subscribe()
    const { status, headers, text } = await getPage(page)
    expect(status).toBe(200)
    const words = visibleText(text)
    expect(words).toContain('All issues')
    expect(words).toContain('€4.99 a month')
    expect(words).toContain('Active')
    expect(words).toContain('Your next payment of €4.99 is due on 3 April 2027')
    expect(words).toContain('If you cancel, your access continues until 3 April 2027')
    const { uid } = await getSubscription(read(), shop.aid, id)
    for (const one of ['ada@example.com', 'Rita', 'Reader', userRef, uid]) {
      expect(text).not.toContain(one)
    }
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('cancels and resumes, each time back at the page, which says so', async () => {
    const { id, page } = await subscribe()
    const canceled = redirectTarget(await submitForm(page, { action: 'cancel' }), page)
    expect(canceled).toBe(`${page}?notice=cancel`)
    expect(await statusOf(id)).toBe('canceled')
    const words = visibleText((await getPage(canceled)).text)
    expect(words).toContain('Your subscription has been canceled.')
    expect(words).toContain('Your access continues until 3 April 2027')
    expect(words).not.toContain('Cancel subscription')
    const resumed = redirectTarget(await submitForm(canceled, { action: 'resume' }), canceled)
    expect(resumed).toBe(`${page}?notice=resume`)
    expect(await statusOf(id)).toBe('active')
    expect(visibleText((await getPage(resumed)).text)).toContain(
      'Your subscription has been resumed.',
    )
    await service.requireInvariants()
  })

  it('says only what is true, whatever stands in the address', async () => {
    const { page } = await subscribe()
    for (const notice of ['cancel', 'nonsense', ...HOSTILE_TEXTS]) {
      const { text } = await getPage(`${page}?notice=${encodeURIComponent(notice)}`)
      expect(text).not.toContain('role="status"')
      expect(text).not.toContain(notice === 'cancel' ? 'has been canceled' : notice)
    }
    const twice = await getPage(`${page}?notice=card&notice=card`)
    expect(twice.status).toBe(200)
  })

  it('takes a new card, and comes back', async () => {
    const { id, page } = await subscribe()
    const before = (await getSubscription(read(), shop.aid, id)).method
    const payment = redirectTarget(await submitForm(page, { action: 'card' }), page)
    expect(visibleText((await getPage(payment)).text)).toContain('Save this card')
    const done = await payOnPage(payment)
    const back = redirectTarget(await getPage(done), done)
    expect(back).toMatch(new RegExp(`^${shop.baseUrl}/manage/[\\w.-]+\\?notice=card$`))
    expect(visibleText((await getPage(back)).text)).toContain('Your new card has been saved.')
    const after = (await getSubscription(read(), shop.aid, id)).method
    expect(after).not.toBe(before)
    expect(after).not.toBeNull()
  })

  it('is where somebody who gave up a new card comes back to, with the old one', async () => {
    const { id, page } = await subscribe()
    const before = (await getSubscription(read(), shop.aid, id)).method
    const payment = redirectTarget(await submitForm(page, { action: 'card' }), page)
    const session = await shop.cards.session(payment.split('/').at(-1) as string)
    const back = redirectTarget(await getPage(session?.backUrl as string), page)
    const { text } = await getPage(back)
    expect(text).not.toContain('role="status"')
    expect((await getSubscription(read(), shop.aid, id)).method).toBe(before)
  })

  it('is not reached by the address of a card change that is over for long', async () => {
    const other = await openPageShop(service)
    await other.addResource('pass')
    const { page } = await subscribe('good', other)
    const payment = redirectTarget(await submitForm(page, { action: 'card' }), page)
    const done = await payOnPage(payment)
    expect((await getPage(done)).status).toBe(303)
    await other.advance(2 * DAY)
    expect((await getPage(done)).status).toBe(200)
  })

  it('walks a reader through a payment that failed, to a card that works', async () => {
    const other = await openPageShop(service)
    await other.addResource('pass', { name: 'All issues' })
    const { id, page } = await subscribe('declined_later', other)
    await other.advance(32 * DAY)
    expect(await statusOf(id, other)).toBe('past_due')
    const words = visibleText((await getPage(page)).text)
    expect(words).toContain('Payment failed')
    expect(words).toContain('failed. We will try again on')
    expect(words).toContain('If you cancel, your access ends immediately')
    const payment = redirectTarget(await submitForm(page, { action: 'card' }), page)
    const done = await payOnPage(payment, cardNumber('good'))
    const back = redirectTarget(await getPage(done), done)
    expect(visibleText((await getPage(back)).text)).toContain(
      'We are trying to charge €4.99 again now',
    )
    await other.work()
    expect(await statusOf(id, other)).toBe('active')
    expect(visibleText((await getPage(back)).text)).toContain(
      'Your next payment of €4.99 is due on',
    )
  })

  it('shows a trial, and an end with a way to begin anew', async () => {
    const other = await openPageShop(service)
    await other.addResource('pass', { name: 'All issues' })
    await other.addPrice('pass')
    const { page } = await subscribe('good', other, 14)
    const trial = visibleText((await getPage(page)).text)
    expect(trial).toContain('Free trial')
    expect(trial).toContain('You will then be charged €4.99, unless you cancel before.')
    await submitForm(page, { action: 'cancel' })
    await other.advance(15 * DAY)
    const { text } = await getPage(page)
    expect(visibleText(text)).toContain(
      'This subscription has ended. You will not be charged again.',
    )
    expect(text).not.toContain('name="action"')
    const [, href = ''] = /href="([^"]+)">Subscribe again/.exec(text) ?? []
    expect((await getPage(new URL(href, page).href)).status).toBe(200)
    for (const action of ['cancel', 'resume', 'card']) {
      expect((await submitForm(page, { action })).status).toBe(404)
    }
  })

  it('says that no card is saved, for one that was sold elsewhere', async () => {
    const { id, page } = await subscribe()
    await shop.environment.database.write(async (trx) =>
      updateSubscription(trx, await getSubscription(trx, shop.aid, id), { method: null }),
    )
    const words = visibleText((await getPage(page)).text)
    expect(words).toContain('No card is saved. Add one before')
    expect(words).toContain('Add a card')
  })

  it('refuses every token with a byte changed, 403, and nothing changes', async () => {
    const { page } = await subscribe()
    const token = page.split('/').at(-1) as string
    const before = await dumpTables(read())
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const forged = pageBy(token.slice(0, at) + other + token.slice(at + 1))
      const response =
        at % 2 === 0 ? await getPage(forged) : await submitForm(forged, { action: 'cancel' })
      expect([at, response.status]).toEqual([at, 403])
    }
    for (const odd of ['x', '..x', `${token}=`, token.slice(0, -1), 'a.1.', '%41']) {
      const { status, text } = await getPage(pageBy(odd))
      expect([odd, status]).toEqual([odd, odd === '%41' ? 404 : 403])
      if (status === 403)
        expect(visibleText(text)).toContain('the newest email about your subscription')
    }
    expect(await dumpTables(read())).toEqual(before)
  })

  it('opens by a link of an older version, which names no application', async () => {
    const { id } = await subscribe()
    const { trialKey, clock } = shop.environment
    const page = pageBy(oldManageToken(await trialKey(), id, clock() + 400 * DAY))
    expect(visibleText((await getPage(page)).text)).toContain('All issues')
    await submitForm(page, { action: 'cancel' })
    expect(await statusOf(id)).toBe('canceled')
  })

  it('does not open by a link that names another application than the subscription’s', async () => {
    const { id } = await subscribe()
    const other = await openPageShop(service)
    const page = pageBy(await tokenOf(id, shop.environment.clock() + DAY, other.aid))
    expect((await getPage(page)).status).toBe(404)
    expect((await submitForm(page, { action: 'cancel' })).status).toBe(404)
    expect(await statusOf(id)).toBe('active')
  })

  it('says how to get a new link when one has expired, 410, and nothing changes', async () => {
    const { id } = await subscribe()
    const page = pageBy(await tokenOf(id, shop.environment.clock()))
    for (const response of [await getPage(page), await submitForm(page, { action: 'cancel' })]) {
      expect(response.status).toBe(410)
      expect(visibleText(response.text)).toContain('the newest email about your subscription')
    }
    expect(await statusOf(id)).toBe('active')
  })

  it('is another in each environment', async () => {
    const { page } = await subscribe()
    expect((await getPage(page.replace('/sandbox', ''))).status).toBe(403)
  })

  it('changes nothing for another site, by GET, or for an unknown action', async () => {
    const { id, page } = await subscribe()
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
    ]) {
      expect((await submitForm(page, { action: 'cancel' }, headers)).status).toBe(403)
    }
    expect((await getPage(`${page}?action=cancel`)).status).toBe(200)
    for (const fields of [{}, { action: 'delete' }, { action: '' }]) {
      expect((await submitForm(page, fields as Record<string, string>)).status).toBe(400)
    }
    expect(await statusOf(id)).toBe('active')
  })

  it('shows hostile names as texts', async () => {
    const shapes = new Set<string>()
    for (const text of ['plain', ...HOSTILE_TEXTS]) {
      const other = await openPageShop(service)
      await other.changeSettings({ name: text, seller_name: text, seller_address: text })
      await other.addResource('pass', { name: text })
      const { page } = await subscribe('good', other)
      shapes.add(tagsIn((await getPage(page)).text).join(' '))
    }
    expect(shapes.size).toBe(1)
  })
})
