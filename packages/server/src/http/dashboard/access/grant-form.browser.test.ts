import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useAccessPages } from '../../../testing/browser/access-pages.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'

describe('the form that grants access, with a browser', () => {
  const pages = useAccessPages(() => page)
  const { server, app, helper, row, button, dialog, shown } = pages
  let page: Page
  beforeAll(() => {
    page = helper.page
  })

  async function openForm(email: string) {
    await helper.open(app, 'access')
    await button('Grant access').first().click()
    await page.getByLabel('Resource').selectOption('news')
    await page.getByLabel('Email', { exact: true }).fill(email)
  }
  it('refuses a last day that has passed, at its field and before anything is sent', async () => {
    await openForm('ann@example.com')
    await page.getByLabel('Access ends').selectOption('date')
    await page.getByLabel('Last day').fill('2020-01-01')
    await button('Grant access', dialog()).click()
    await shown('This day has passed. Choose today or a later day.')
    expect(await dialog().getByText(/until 1 Jan 2020/).count()).toBe(0)
    expect(await page.getByLabel('Last day').getAttribute('aria-invalid')).toBe('true')
    const [end, day] = [page.getByLabel('Access ends'), page.getByLabel('Last day')]
    expect((await end.boundingBox())?.y).toBe((await day.boundingBox())?.y)
    expect(await findBarriers(page)).toEqual([])
    const { total } = await app.client.searchAccess({})
    expect(total).toBe(0)
  })
  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
