import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { overflowOf } from '../../../testing/browser/dashboard-parts.ts'
import { inProcessCli } from '../../../testing/cli.ts'
import { useFixture } from '../../../testing/fixtures.ts'

describe('the audit log', () => {
  const server = useDashboard()
  const app = useFixture(() => server.service.newApplication())
  beforeAll(async () => {
    await inProcessCli(server.installation.env).json('app', 'show', app.aid, '--reveal')
  })

  it.each([
    ['on a desk', { viewport: { width: 1280, height: 800 } }],
    ['on a phone', { viewport: { width: 390, height: 800 } }],
  ])('says from where something was done, and who ran a command, %s', async (name, options) => {
    const { page } = await server.staffBrowser('owner', options)
    await page.goto(`${server.dashboard}audit`)
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    // As the app does: with the browser's cookie and name.
    await page.evaluate(async (text) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ name: text })
      await fetch('/dashboard/api/me', { method: 'PATCH', headers, body })
    }, `Petra ${name}`)
    await page.reload()
    const renamed = page.locator('tr, li').filter({ hasText: 'changed their own name' }).first()
    await renamed.getByText('Details').click()
    const text = await renamed.locator('details').textContent()
    expect(text).toMatch(
      /from: (::ffff:)?127\.0\.0\.1, with: Chrome on Linux, session: [A-Za-z0-9]{16}/,
    )
    await page
      .getByText(/on the command line revealed a private key/)
      .first()
      .waitFor()
    expect(await overflowOf(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })
})
