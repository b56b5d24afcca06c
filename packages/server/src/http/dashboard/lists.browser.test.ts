import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../testing/browser/axe.ts'
import { type StaffBrowser, useDashboard } from '../../testing/browser/dashboard-browser.ts'
import { overflowOf, partsOf } from '../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../testing/fixtures.ts'
import { openShop } from '../../testing/payments/shop.ts'

describe('lists with a browser', () => {
  const server = useDashboard()
  const app = useFixture(() => openShop(server.service))
  let owner: StaffBrowser
  let page: Page
  beforeAll(async () => {
    for (const [rid, name] of Object.entries({ maps: 'Maps', pass: 'Pass' })) {
      await app.addResource(rid, { name })
    }
    await app.buy({ rid: 'maps', userRef: 'gina', vouchedEmail: 'gina@example.com' })
    const amount = 1299
    await app.buy({
      rid: 'pass',
      userRef: 'ann',
      vouchedEmail: 'ann@example.com',
      terms: { amount },
    })
    await app.client.grantAccess({
      ...{ rid: 'maps', email: 'zoe@example.com', first_name: 'Zoe', last_name: 'Adams' },
    })
    owner = await server.staffBrowser('owner')
    page = owner.page
  })

  const { button, choose, dialog, question, shown, title } = partsOf(() => page)
  const header = (name: string) => page.getByRole('columnheader', { name })
  /** The first cells of all rows, without initials. */
  const firstCells = () => page.locator('tr[data-row] td a').allInnerTexts()
  const settled = () => page.locator('[aria-busy=true]').waitFor({ state: 'detached' })

  it('are sorted by a header, one way, the other way, and as before', async () => {
    await owner.open(app, 'people')
    await button('Person').click()
    await page.waitForURL(/sort=name/)
    await settled()
    expect(await header('Person').getAttribute('aria-sort')).toBe('ascending')
    const up = await firstCells()
    expect(up.at(-1)).toContain('Zoe Adams')
    await button('Person').click()
    await page.waitForURL(/sort=-name/)
    await settled()
    expect(await header('Person').getAttribute('aria-sort')).toBe('descending')
    expect((await firstCells())[0]).toContain('Zoe Adams')
    expect(await findBarriers(page)).toEqual([])
    await button('Person').click()
    await page.waitForURL((url) => !url.searchParams.has('sort'))
    await owner.open(app, 'payments')
    await button('Amount').click()
    await page.waitForURL(/sort=-amount/)
    await settled()
    await page.locator('tr[data-row]').first().getByText('12.99 EUR').last().waitFor()
  })

  it('lead from Find to a refund, by choosing the payment', async () => {
    await owner.open(app, 'people')
    await title('People')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('refund')
    await page.getByRole('option', { name: 'Refund a payment…' }).waitFor()
    await page.keyboard.press('Enter')
    await shown('Choose the payment to refund.')
    await page.getByRole('button', { name: /^Refund.*12\.99 EUR/ }).click()
    expect(await dialog().getByLabel('Amount in EUR').inputValue()).toBe('12.99')
    await page.keyboard.press('Escape')
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await page.locator('tr[data-row]').first().waitFor()
    expect(await page.getByText('Choose the payment to refund.').count()).toBe(0)
  })

  it('can be used with a thumb: menus are large, and nothing covers the last row', async () => {
    const phone = { viewport: { width: 390, height: 400 }, hasTouch: true, isMobile: true }
    const touch = await server.staffBrowser('owner', phone)
    await touch.open(app, 'access')
    const menus = touch.page.getByRole('button', { name: /^Actions for/ })
    await menus.last().waitFor()
    const size = await menus.last().boundingBox()
    expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44)
    await menus.last().scrollIntoViewIfNeeded()
    await menus.last().tap()
    await touch.page.getByRole('menuitem').first().waitFor()
    expect(await overflowOf(touch.page)).toBe(0)
    await touch.context.close()
  })

  it('are filtered by a resource, which is chosen by its name', async () => {
    await owner.open(app, 'payments')
    await button('Filter').click()
    await page.getByLabel('Resource').selectOption({ label: 'Pass' })
    await button('Apply').click()
    await page.getByRole('list', { name: 'Filters' }).getByText('Pass').waitFor()
    await page.getByRole('status').getByText('1 result').waitFor()
    expect(await page.locator('tr[data-row]').count()).toBe(1)
  })

  it('find people by name and by address, also those who were sent an email', async () => {
    for (const path of ['payments', 'mail', 'people', 'access']) {
      for (const q of path === 'payments' ? ['Rita', 'gina@'] : ['Zoe', 'zoe@']) {
        await owner.open(app, `${path}?q=${q}`)
        await page.locator('tr[data-row]').first().waitFor()
      }
    }
  })

  it('are saved as views, renamed, opened by default, and removed', async () => {
    await owner.open(app, 'payments?rid=pass&sort=-amount')
    await button('Save view').click()
    await button('Save', dialog()).click()
    await shown('This field is required.')
    await dialog().getByLabel('Name').fill('Passes')
    expect(await findBarriers(page)).toEqual([])
    await button('Save', dialog()).click()
    await shown('View “Passes” saved.')
    expect(await button('Passes').getAttribute('aria-current')).toBe('page')
    await button('All').click()
    await page.getByRole('status').getByText('2 results').waitFor()
    await button('Passes').click()
    await page.getByRole('status').getByText('1 result').waitFor()
    await choose('Actions for the view Passes', 'Rename')
    await dialog().getByLabel('Name').fill('All passes')
    await button('Rename', dialog()).click()
    await choose('Actions for the view All passes', 'Use as the default view')
    await shown('The list now opens with “All passes”.')
    await owner.open(app, 'payments')
    await page.waitForURL(/rid=pass/)
    await page.getByRole('status').getByText('1 result').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await choose('Actions for the view All passes', 'Remove view')
    await button('Remove view', question()).click()
    await button('All passes').waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('2 results').waitFor()
  })

  it('tell the audit log in sentences, by member, group and day', async () => {
    await owner.open(app, 'payments?q=gina')
    await choose(/^Actions for /, 'Refund')
    await button(/^Refund/, page.getByRole('dialog').or(question())).click()
    await page.getByText('Refunded').first().waitFor()
    await page.goto(`${server.dashboard}audit`)
    await title('Audit log')
    const entry = page.getByRole('row').filter({ hasText: 'Test refunded 4.99 EUR to Rita Reader' })
    await entry.first().waitFor()
    await entry.getByText('Details').click()
    expect(await findBarriers(page)).toEqual([])
    await entry.locator('time').focus()
    await page.getByRole('tooltip').first().waitFor()
    await button('Filter').click()
    await page
      .getByLabel('What', { exact: true })
      .selectOption({ label: 'Sign-ins and own account' })
    await button('Apply').click()
    await page.getByRole('row').filter({ hasText: 'saved a view of a list' }).first().waitFor()
    await entry.first().waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.goto(`${server.dashboard}audit`)
    await entry.getByRole('link', { name: 'Rita Reader' }).click()
    await title('Rita Reader')
  })

  it('show what was paid at one price of a resource', async () => {
    await app.buy({ rid: 'maps', userRef: 'tim', vouchedEmail: 'tim@example.com' })
    await app.buy({
      rid: 'maps',
      userRef: 'uma',
      vouchedEmail: 'uma@example.com',
      terms: { amount: 250 },
    })
    await page.setViewportSize({ width: 1280, height: 800 })
    await owner.open(app, 'payments?rid=maps&price=499-EUR')
    await page.getByRole('status').getByText('2 results').waitFor()
    await page.getByRole('list', { name: 'Filters' }).getByText('4.99 EUR').waitFor()
    await owner.open(app, 'payments?rid=maps&price=250-EUR')
    await page.getByRole('status').getByText('1 result', { exact: true }).waitFor()
  })

  it('complain about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
