import { describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { openShop } from '../../../testing/payments/shop.ts'

describe('the overview with a browser', () => {
  const server = useDashboard()
  const shop = useFixture(() => openShop(server.service))
  const visitor = useFixture(() => server.staffBrowser('owner'))

  const heading = (name: string | RegExp) => visitor.page.getByRole('heading', { name })

  it('lists what is to be set up, and leads to the first resource', async () => {
    const { page, open } = visitor
    await open(shop, 'overview')
    await heading('Set up your shop').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'Create resource' }).click()
    await page.getByRole('dialog', { name: 'New resource' }).waitFor()
  })

  it('tells what holds and what was done, each number a link to its list', async () => {
    await shop.addResource('news')
    for (const name of ['ann', 'bob', 'eve']) {
      await shop.client.grantAccess({ rid: 'news', user_ref: name, email: `${name}@example.com` })
    }
    const soon = server.service.ctx.environments.sandbox.clock() + 86_400
    await shop.client.grantAccess({
      rid: 'news',
      user_ref: 'max',
      email: 'm@example.com',
      expiration: soon,
    })
    await shop.client.revokeAccess({ rid: 'news', user_ref: 'eve' })
    await shop.buy({
      rid: 'news',
      userRef: 'lea',
      email: 'lea@example.com',
      terms: { amount: 1_250 },
    })

    const { page, open } = visitor
    await open(shop, 'overview')
    const tile = (name: RegExp) => page.getByRole('link', { name })
    await tile(/^Live access 4 /).waitFor()
    expect(await tile(/^Ending within 7 days 1 /).getAttribute('href')).toContain(
      'access?state=ending',
    )
    expect(await tile(/^Renewing within 7 days 0 /).getAttribute('href')).toContain(
      'access?state=renewing',
    )
    expect(await tile(/^Failed emails 0 /).getAttribute('href')).toContain('mail?status=dead')
    const list = async (name: string) =>
      await page.getByRole('link', { name: `${name} Open the list` }).getAttribute('href')
    // The one that was revoked since counts as well.
    expect(await list('Access granted: 5.')).toContain('/access?state=any&from=')
    expect(await list('Access revoked: 1.')).toContain('/access?state=revoked&from=')
    expect(await list('Revenue: 12.50 EUR.')).toContain('/payments?from=')
    expect(await list('Refunds: 0.00 EUR.')).toContain('/payments')
    // It stays until all of it is done.
    await page.getByText('2 of 7 done').waitFor()
    expect(await page.getByRole('link', { name: 'Create resource' }).count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })

  it('goes back 7, 30 or 90 days, as its address says, and has the numbers as a table', async () => {
    const { page } = visitor
    await page.getByRole('img', { name: 'Revenue: 12.50 EUR in 30 days.' }).waitFor()
    await page.getByRole('link', { name: '90 days' }).click()
    const bars = page.getByRole('img', { name: 'Revenue: 12.50 EUR in 90 days.' })
    await bars.waitFor()
    expect(page.url()).toMatch(/\/overview\?days=90$/)
    await bars.locator('canvas').waitFor()
    const figure = page.getByRole('figure', { name: /^Revenue/ })
    await figure.getByRole('button', { name: 'Show as a table' }).click()
    const rows = figure.getByRole('row')
    expect(await rows.count()).toBe(91)
    expect(await rows.last().textContent()).toContain('12.50 EUR')
    expect(await findBarriers(page)).toEqual([])
    await page.goBack()
    await page.getByRole('img', { name: 'Access granted: 5 in 30 days.' }).waitFor()
  })

  it('has no barriers on a small, dark screen, and nothing to scroll sideways', async () => {
    const small = await server.staffBrowser('support', DARK_PHONE)
    await small.open(shop, 'overview?days=7')
    await small.page.getByRole('img', { name: 'Revenue: 12.50 EUR in 7 days.' }).waitFor()
    expect(await findBarriers(small.page)).toEqual([])
    expect(await overflowOf(small.page)).toBe(0)
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
