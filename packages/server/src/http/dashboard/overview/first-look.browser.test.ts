import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { useFixture } from '../../../testing/fixtures.ts'

describe('the overview of an installation that was just tried out, with a browser', () => {
  const server = useDashboard()
  const app = useFixture(() => server.service.newApplication())
  const owner = useFixture(() => server.staffBrowser('owner'))
  let page: Page
  beforeAll(() => {
    page = owner.page
  })

  it('says how many emails were not sent where no mail server is set up', async () => {
    await app.addResource('news')
    for (const name of ['ann', 'bob']) {
      await app.client.grantAccess({ rid: 'news', email: `${name}@example.com` })
    }
    await owner.open(app, 'overview')
    await page
      .getByRole('link', { name: /^Emails not sent\s*2\s*no mail server is set up$/ })
      .click()
    await page.getByRole('status').getByText('2 results').waitFor()
    expect(new URL(page.url()).search).toBe('?status=kept')
  })

  it('leads from production, where nothing is sold yet, to the sandbox', async () => {
    await owner.open(app, 'overview')
    await page.getByText('Trying Gatehouse out? Test purchases are in the sandbox.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    const link = page.getByRole('link', { name: 'Open the sandbox' })
    await link.click()
    await page.waitForURL(/\/sandbox\/[^/]+\/overview$/)
    await page.getByRole('heading', { name: 'No sales yet' }).waitFor()
    expect(await link.count()).toBe(0)
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
