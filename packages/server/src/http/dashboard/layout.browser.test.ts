import { describe, expect, it } from 'vitest'
import { findBarriers } from '../../testing/browser/axe.ts'
import { useDashboard } from '../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf } from '../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../testing/fixtures.ts'
import { MONTHLY, openShop } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'

interface Box {
  left: number
  top: number
  bottom: number
}

const DATE = /^\d{1,2} \w+ \d{4}, \d\d:\d\d$/

describe('the layout of pages with a browser', () => {
  const server = useDashboard()
  const shop = useFixture(() => openShop(server.service))

  it('tells on a phone when something was paid or sent', async () => {
    await shop.addResource('news', { name: 'The news' })
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef: 'ann', vouchedEmail: 'ann@example.com' })
    await shop.advance(40 * DAY)
    const { page, open, context } = await server.staffBrowser('support', DARK_PHONE)
    const datesIn = async () => {
      await page.locator('tr[data-row]').nth(1).waitFor()
      const rows = await page.locator('tr[data-row]').all()
      return await Promise.all(rows.map((row) => row.locator('time:visible').allInnerTexts()))
    }
    for (const list of ['payments', 'mail']) {
      await open(shop, list)
      for (const dates of await datesIn()) expect(dates).toEqual([expect.stringMatching(DATE)])
      expect(await findBarriers(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
    }
    await open(shop, 'subscriptions')
    await page.locator('tr[data-row] a').first().click()
    const dates = (await datesIn()).flat()
    expect(dates).toEqual([expect.stringMatching(DATE), expect.stringMatching(DATE)])
    expect(new Set(dates).size).toBe(2)
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await context.close()
  })

  it('leaves no hole between the settings', async () => {
    const { page, open, context } = await server.staffBrowser('owner', {
      viewport: { width: 1280, height: 800 },
    })
    await open(shop, 'settings')
    await page.getByRole('heading', { name: 'Archive this application' }).waitFor()
    const boxes = await page
      .locator('section:has(> div > h2)')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as Box))
    const edges = [...new Set(boxes.map(({ left }) => left))]
    expect(edges).toHaveLength(2)
    for (const edge of edges) {
      const column = boxes.filter(({ left }) => left === edge)
      const gaps = column.slice(1).map(({ top }, at) => top - (column[at] as Box).bottom)
      expect(Math.max(...gaps)).toBeLessThan(50)
    }
    await context.close()
  })
})
