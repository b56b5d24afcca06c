import { beforeEach, describe, expect, it } from 'vitest'
import { eraseUser } from '../../domain/people/erase.ts'
import { databases } from '../../testing/databases.ts'
import {
  type Fields,
  getPage,
  redirectTarget,
  submitForm,
  visibleText,
} from '../../testing/payments/page-client.ts'
import {
  goToPayment,
  openPageShop,
  type PageShop,
  payOnPage,
} from '../../testing/payments/page-shop.ts'
import { type CardName, cardNumber } from '../../testing/payments/shop.ts'
import { useService } from '../../testing/use-service.ts'

const FREE = 'First 14 days free'
const NO_TRIAL = /free trial [^.]*has already been used/i
const TRIAL = { recurring: 1, period: '1 month', trial_days: 14 } as const
const LINK_TERMS = {
  ...{ rid: 'pass', amount: '2.90', currency: 'EUR' },
  ...{ period: '1 month', recurring: true, trial_days: 14 },
}

describe.each(databases)('free trials on $name', (database) => {
  const service = useService(database)
  let shop: PageShop
  let price: string
  beforeEach(async () => {
    shop = await openPageShop(service)
    await shop.changeSettings({ return_urls: '["https://magazine.example"]' })
    await shop.addResource('pass')
    price = await shop.addPrice('pass', TRIAL)
  })

  const link = (more: Partial<Parameters<PageShop['link']>[0]>) =>
    shop.link({ ...LINK_TERMS, ...more })
  const page = () => shop.pageOf('pass')

  /** The public page, unlike a link, needs a price in the form. */
  const pricesAt = (at: string): Fields => (at === page() ? { price } : {})

  /** Buys what a page offers; returns the page to which the payer comes back. */
  async function take(at: string, fields: Fields, card: CardName = 'good'): Promise<string> {
    return await payOnPage(await goToPayment(at, { ...pricesAt(at), ...fields }), cardNumber(card))
  }

  const statuses = async () =>
    (await shop.client.searchSubscriptions({ rid: 'pass' })).data.map(({ status }) => status)
  const payments = async () => (await shop.client.searchPayments({ rid: 'pass' })).total

  it('are given once to an address, whichever readers type it', async () => {
    const first = await take(await link({ user_ref: 'ann' }), { email: 'ann@example.com' })
    expect(visibleText((await getPage(first)).text)).toContain('You now have access to')
    const again = await link({ user_ref: 'second' })
    expect(visibleText((await getPage(again)).text)).toContain(FREE)
    const { status, text } = await submitForm(again, { email: 'Ann@Example.com' })
    expect(status).toBe(422)
    expect(visibleText(text)).toMatch(NO_TRIAL)
    expect(visibleText(text)).not.toContain(FREE)
    expect(visibleText(text)).toContain('€2.90')
    expect(await statuses()).toEqual(['trialing'])
  })

  it('are given once to an address that is typed where nobody is named', async () => {
    await getPage(await take(page(), { email: 'bob@example.com' }))
    await shop.client.revokeAccess({ rid: 'pass', user_ref: await uidOf('bob@example.com') })
    const { status, text } = await submitForm(page(), { price, email: 'bob@example.com' })
    expect(status).toBe(422)
    expect(visibleText(text)).not.toContain(FREE)
  })

  it('are bought without a trial once the reader has seen and confirmed that', async () => {
    await getPage(await take(page(), { email: 'cid@example.com' }))
    const fields = { email: 'cid@example.com' }
    const at = await link({ user_ref: 'cid-2' })
    const shown = await submitForm(at, fields)
    const confirmed = { ...fields, ...hiddenIn(shown.text) }
    const payment = redirectTarget(await submitForm(at, confirmed), at)
    expect(visibleText((await getPage(payment)).text)).toContain('Pay €2.90')
    await getPage(await payOnPage(payment))
    expect((await statuses()).sort()).toEqual(['active', 'trialing'])
    expect(await payments()).toBe(1)
  })

  it('are promised again when the reader types another address after all', async () => {
    await getPage(await take(page(), { email: 'dan@example.com' }))
    const shown = await submitForm(page(), { price, email: 'dan@example.com' })
    const other = { price, email: 'new-dan@example.com', ...hiddenIn(shown.text) }
    const { status, text } = await submitForm(page(), other)
    expect(status).toBe(422)
    expect(visibleText(text)).toContain(FREE)
  })

  it('are given once to an address that the application vouches for, and the page says so at once', async () => {
    await getPage(await take(await link({ email: 'eve@example.com' }), {}))
    const eve = await uidOf('eve@example.com')
    await shop.client.revokeAccess({ rid: 'pass', user_ref: eve })
    const again = await link({ email: 'EVE@example.com', expires: service.clock.seconds + 999 })
    const { text } = await getPage(again)
    expect(visibleText(text)).not.toContain(FREE)
    const payment = redirectTarget(await submitForm(again, hiddenIn(text)), again)
    expect(visibleText((await getPage(payment)).text)).toContain('Pay €2.90')
  })

  it('a form that was sent without having shown that there is no trial is shown again', async () => {
    await getPage(await take(await link({ email: 'fay@example.com' }), {}))
    await shop.client.revokeAccess({ rid: 'pass', user_ref: await uidOf('fay@example.com') })
    const again = await link({ email: 'fay@example.com', expires: service.clock.seconds + 999 })
    expect((await submitForm(again, {})).status).toBe(422)
    const response = await submitForm(again, {}, { accept: 'application/json' })
    expect(response.status).toBe(402)
    expect(response.text).toContain('trial_used')
  })

  it('are given once to an address of somebody who was known by a reference alone', async () => {
    const granted = { rid: 'pass', email: 'gus@example.com', user_ref: 'gus' }
    await shop.client.grantAccess({ ...granted, suppress_email: true })
    await getPage(await take(await link({ user_ref: 'gus' }), { email: 'elsewhere@example.com' }))
    for (const email of ['gus@example.com', 'elsewhere@example.com']) {
      expect((await submitForm(await link({ user_ref: 'x' }), { email })).status).toBe(422)
    }
  })

  it('are given once to a card, and nothing is charged for the one that is refused', async () => {
    await getPage(await take(page(), { email: 'hal@example.com' }))
    const done = await take(page(), { email: 'other@example.com' })
    const { status, text } = await getPage(done)
    expect(status).toBe(200)
    expect(visibleText(text)).toMatch(NO_TRIAL)
    expect(visibleText(text)).toContain('Nothing was charged')
    expect(visibleText(text)).not.toContain('You now have access to')
    expect(await statuses()).toEqual(['trialing'])
    expect(await payments()).toBe(0)
    const payment = redirectTarget(await submitForm(done), done)
    expect(visibleText((await getPage(payment)).text)).toContain('Pay €2.90')
    const bought = await getPage(await payOnPage(payment))
    expect(visibleText(bought.text)).toContain('You now have access to')
    expect((await statuses()).sort()).toEqual(['active', 'trialing'])
    expect(await payments()).toBe(1)
  })

  it('a refused trial leaves the address free for a trial with another card', async () => {
    await getPage(await take(page(), { email: 'ian@example.com' }))
    await getPage(await take(page(), { email: 'joy@example.com' }))
    const done = await take(page(), { email: 'joy@example.com' }, 'declined_later')
    expect(visibleText((await getPage(done)).text)).toContain('You now have access to')
    expect(await statuses()).toEqual(['trialing', 'trialing'])
  })

  it('a link whose trial was refused is not used up, and its purchase is signed for', async () => {
    await getPage(await take(page(), { email: 'kim@example.com' }))
    const at = await link({ user_ref: 'kim-2', return_url: 'https://magazine.example/thanks' })
    const done = await take(at, { email: 'kim-2@example.com' })
    expect((await getPage(done)).status).toBe(200)
    expect((await getPage(at)).status).toBe(200)
    const paid = await payOnPage(redirectTarget(await submitForm(done), done))
    expect(redirectTarget(await getPage(paid), paid)).toContain('gatehouse_signature')
    expect((await getPage(at)).status).toBe(410)
  })

  it('two at once for one address are one trial', async () => {
    const pages = await Promise.all(
      ['lea-1', 'lea-2', 'lea-3'].map(async (user_ref) =>
        goToPayment(await link({ user_ref }), { email: 'lea@example.com' }),
      ),
    )
    const cards = ['good', 'declined_later', 'needs_payer'] as const
    const done = await Promise.all(
      pages.map((one, i) => payOnPage(one, cardNumber(cards[i] as CardName))),
    )
    await Promise.all(done.map((one) => getPage(one)))
    expect(await statuses()).toEqual(['trialing'])
    const words = await Promise.all(done.map(async (one) => visibleText((await getPage(one)).text)))
    expect(words.filter((one) => NO_TRIAL.test(one))).toHaveLength(2)
  })

  it('two at once with one card are one trial, and the other address can still have its own', async () => {
    const emails = ['max@example.com', 'moe@example.com', 'meg@example.com']
    const pages = await Promise.all(emails.map((email) => goToPayment(page(), { price, email })))
    const done = await Promise.all(pages.map((one) => payOnPage(one)))
    await Promise.all(done.map((one) => getPage(one)))
    expect(await statuses()).toEqual(['trialing'])
    const words = await Promise.all(done.map(async (one) => visibleText((await getPage(one)).text)))
    const refused = emails.filter((_, i) => NO_TRIAL.test(words[i] as string))
    expect(refused).toHaveLength(2)
    const [email = ''] = refused
    const again = await take(page(), { email }, 'needs_payer')
    expect(visibleText((await getPage(again)).text)).toContain('You now have access to')
  })

  it('an address that had one has had it after its person was erased, and is not kept', async () => {
    await getPage(await take(page(), { email: 'mia@example.com' }))
    const { database, clock, realTime } = shop.environment
    const who = { aid: shop.aid, uid: await uidOf('mia@example.com'), actor: 'test' }
    await database.write((trx) => eraseUser(trx, who, { now: clock(), realTime: realTime() }))
    expect((await submitForm(page(), { price, email: 'mia@example.com' })).status).toBe(422)
    const kept = await database.read.selectFrom('trials').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain('mia@example.com')
  })

  it('an address on record that had one has had it after its person was erased', async () => {
    const granted = { rid: 'pass', email: 'nat@example.com', user_ref: 'nat' }
    const { uid } = await shop.client.grantAccess({ ...granted, suppress_email: true })
    await getPage(await take(await link({ user_ref: 'nat' }), { email: 'typed@example.com' }))
    const { database, clock, realTime } = shop.environment
    const who = { aid: shop.aid, uid, actor: 'test' }
    await database.write((trx) => eraseUser(trx, who, { now: clock(), realTime: realTime() }))
    for (const email of ['nat@example.com', 'typed@example.com']) {
      expect((await submitForm(page(), { price, email })).status).toBe(422)
    }
  })

  it('of one resource say nothing about another', async () => {
    await getPage(await take(page(), { email: 'ned@example.com' }))
    await shop.addResource('archive')
    const other = await shop.addPrice('archive', TRIAL)
    const at = shop.pageOf('archive')
    const done = await take(at, { price: other, email: 'ned@example.com' })
    expect(visibleText((await getPage(done)).text)).toContain('You now have access to')
  })

  /** Returns the hidden fields of a form, as a browser would submit them. */
  function hiddenIn(text: string): Record<string, string> {
    const all = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
    return Object.fromEntries([...all].map(([, name, value]) => [name, value]))
  }

  async function uidOf(email: string): Promise<string> {
    const { uid } = await shop.environment.database.read
      .selectFrom('users')
      .select('uid')
      .where('aid', '=', shop.aid)
      .where('email_key', '=', email)
      .executeTakeFirstOrThrow()
    return uid
  }
})
