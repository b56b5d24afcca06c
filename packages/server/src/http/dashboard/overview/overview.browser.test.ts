import { describe, expect, it } from 'vitest'
import { cancelSubscription } from '../../../domain/subscriptions/lifecycle.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { MONTHLY, openShop } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'

const TRIAL = { ...MONTHLY, trial_days: 7 }

describe('the overview with a browser', () => {
  const server = useDashboard()
  const shop = useFixture(() => openShop(server.service))
  const visitor = useFixture(() => server.staffBrowser('owner'))
  const env = () => server.service.ctx.environments.sandbox

  const heading = (name: string | RegExp) => visitor.page.getByRole('heading', { name })
  const listOf = async (name: string) =>
    await visitor.page.getByRole('link', { name: `${name} Open the list` }).getAttribute('href')

  async function cancel(userRef: string): Promise<void> {
    const { database, delivery, clock } = env()
    const row = await database.read
      .selectFrom('subscriptions as s')
      .innerJoin('user_refs as r', 'r.uid', 's.uid')
      .select('s.id')
      .where('s.aid', '=', shop.aid)
      .where('r.ref', '=', userRef)
      .executeTakeFirstOrThrow()
    const clocks = { now: clock(), realTime: Date.now() }
    await database.write((trx) =>
      cancelSubscription(trx, { aid: shop.aid, id: row.id, actor: 'test' }, clocks, delivery),
    )
  }

  it('says what it is for, and what is to be set up, before the first sale', async () => {
    const { page, open } = visitor
    await open(shop, 'overview')
    await heading('Set up your shop').waitFor()
    await heading('No sales yet').waitFor()
    expect(await page.getByRole('figure').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'Create resource' }).click()
    await page.getByRole('dialog', { name: 'New resource' }).waitFor()
  })

  it('tells what was earned, who came and who left, each number a link to its list', async () => {
    await shop.addResource('news')
    await shop.addResource('maps')
    await shop.buy({ rid: 'news', userRef: 'ann', terms: MONTHLY })
    await shop.buy({ rid: 'news', vouchedEmail: 'bob@example.com', userRef: 'bob', terms: MONTHLY })
    await shop.buy({ rid: 'maps', userRef: 'cy', terms: TRIAL })
    await shop.buy({ rid: 'maps', userRef: 'dan', terms: MONTHLY, card: 'declined_later' })
    await shop.buy({ rid: 'news', userRef: 'lea', terms: { amount: 1_250, currency: 'USD' } })
    await cancel('bob')
    await shop.advance(33 * DAY)
    const { page, open } = visitor
    await open(shop, 'overview?range=90d')
    // Lea paid in the application's own currency. Currencies are never added.
    await listOf('Net revenue: 12.50 USD.')
    await page.getByRole('combobox', { name: 'Currency' }).selectOption('EUR')
    // Ann paid twice, and Bob, Cy and Dan once.
    const net = await listOf('Net revenue: 24.95 EUR.')
    expect(net).toMatch(/\/payments\?money=taken&first=[\d-]+&last=[\d-]+&currency=EUR$/)
    await listOf('MRR: 14.97 EUR.')
    await listOf('Subscribers: 3.')
    await listOf('Trials converted: 100%.')
    await page.getByText('One subscription has a failed payment.').waitFor()
    const row = (name: string) => page.getByRole('row', { name })
    expect(await row('Left').textContent()).toBe(`Left${await definitionOf('Left')}−1−4.99 EUR`)
    await row('Resource news').getByText('14.97 EUR').waitFor()
    await page.getByText('Resource maps').first().waitFor()
    // The set-up checklist stays below the figures until all of it is done.
    await page.getByText(/^\d of 7 done$/).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  const definitionOf = async (name: string) => {
    const button = visitor.page.getByRole('button', { name, exact: true })
    const id = (await button.getAttribute('aria-describedby')) as string
    return await visitor.page.locator(`[id="${id}"]`).textContent()
  }

  it('answers how many subscribers left in a range, and who', async () => {
    const { page } = visitor
    await page.getByRole('row', { name: 'Left' }).getByRole('link', { name: '−1' }).click()
    await heading('Subscriptions').waitFor()
    await page.getByText('1 result').waitFor()
    await page.getByText('bob@example.com').waitFor()
    await page.getByText('Movement: Left').waitFor()
    await page.goBack()
  })

  it('defines a figure when it is pointed at, and when it is focused', async () => {
    const { page } = visitor
    const definition = page.getByText('Monthly recurring revenue: what all paid')
    expect(await definition.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'MRR', exact: true }).hover()
    await definition.waitFor()
    await heading('Overview').hover()
    await definition.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'MRR', exact: true }).focus()
    await definition.waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await definition.waitFor({ state: 'hidden' })
  })

  it('shows the range of its address, also as a table and as a file', async () => {
    const { page } = visitor
    await page.getByRole('combobox', { name: 'Time range' }).selectOption('Last 7 days')
    await page.getByRole('img', { name: /^Net revenue: 4\.99 EUR, as 7 bars by day\./ }).waitFor()
    expect(page.url()).toMatch(/\/overview\?range=7d&currency=EUR$/)
    const figure = page.getByRole('figure', { name: 'Net revenue' })
    await figure.getByRole('button', { name: 'Show as a table' }).click()
    expect(await figure.getByRole('row').count()).toBe(8)
    const download = page.waitForEvent('download')
    await figure.getByRole('button', { name: 'Export CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(/^revenue-EUR-[\d-]+\.csv$/)
    expect(await findBarriers(page)).toEqual([])

    await page.getByRole('combobox', { name: 'Time range' }).selectOption('Other days…')
    await page.getByLabel('First day').fill('2020-01-01')
    await page.getByLabel('Last day').fill('2019-12-31')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('must not be before the first day').waitFor()
    await page.getByLabel('Last day').fill('2020-01-05')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('1 Jan 2020 – 5 Jan 2020.').waitFor()
    await page.getByText('Nothing was paid in this range and currency.').waitFor()
  })

  it('has no barriers on a small, dark screen, and nothing to scroll sideways', async () => {
    const small = await server.staffBrowser('support', DARK_PHONE)
    await small.open(shop, 'overview?range=90d&currency=EUR')
    await small.page.getByRole('img', { name: /^Net revenue: 24\.95 EUR/ }).waitFor()
    await small.page.getByRole('heading', { name: 'Recent activity' }).waitFor()
    expect(await findBarriers(small.page)).toEqual([])
    expect(await overflowOf(small.page)).toBe(0)
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
