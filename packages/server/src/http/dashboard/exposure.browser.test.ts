import { describe, expect, it } from 'vitest'
import { findBarriers } from '../../testing/browser/axe.ts'
import { useDashboard } from '../../testing/browser/dashboard-browser.ts'
import { overflowOf } from '../../testing/browser/dashboard-parts.ts'

const PHONE = { viewport: { width: 390, height: 800 } }

describe('a dashboard without a sandbox, with a browser', () => {
  const server = useDashboard(() => ({ GATEHOUSE_SANDBOX: 'off' }))

  it('shows no switch of environments, and nothing that leads to the sandbox', async () => {
    await server.service.newApplication('sandbox')
    const app = await server.service.newApplication()
    const { page, open, context } = await server.staffBrowser('owner')
    await open(app, 'overview')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Environment' }).count()).toBe(0)
    expect(await page.locator('a[href*="/sandbox/"]').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await context.close()
  })
})

describe('a page of the sandbox that is kept for members, with a browser', () => {
  const server = useDashboard(() => ({ GATEHOUSE_SANDBOX: 'members' }))

  it('turns a stranger away, and opens for a member who comes from another site', async () => {
    const app = await server.service.newApplication('sandbox')
    const checkout = `${new URL(server.dashboard).origin}/sandbox/test-cards/none`
    const { page: stranger, context } = await server.newPerson(PHONE)
    await stranger.goto(checkout)
    await stranger.getByRole('heading', { name: 'For the team only' }).waitFor()
    expect(await findBarriers(stranger)).toEqual([])
    expect(await overflowOf(stranger)).toBe(0)
    await context.close()

    const member = await server.staffBrowser('reader', PHONE)
    await member.open(app, 'overview')
    // Signing in sets the cookie for the whole host.
    const cookies = await member.context.cookies()
    await member.context.addCookies(cookies.map((cookie) => ({ ...cookie, path: '/' })))
    // A link on another site: the cookie of the session does not come with it.
    await member.page.route('https://site.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${checkout}">Buy</a>` }),
    )
    await member.page.goto('https://site.example/')
    await member.page.getByRole('link', { name: 'Buy' }).click()
    await member.page.getByRole('link', { name: 'I am signed in: open the page' }).click()
    await member.page.getByRole('heading', { name: 'Checkout not found' }).waitFor()
    await member.context.close()
  })
})
