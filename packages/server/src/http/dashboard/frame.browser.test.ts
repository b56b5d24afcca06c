import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { putOnHold, removeHold } from '../../domain/installation/hold.ts'
import { findBarriers } from '../../testing/browser/axe.ts'
import { launchBrowser } from '../../testing/browser/browser.ts'
import { useDashboard } from '../../testing/browser/dashboard-browser.ts'
import { overflowOf } from '../../testing/browser/dashboard-parts.ts'
import { signInAs } from '../../testing/dashboard-api.ts'
import { MONTHLY, openShop } from '../../testing/payments/shop.ts'
import type { TestApplication } from '../../testing/service.ts'
import { waitUntilOutboxSettled } from '../../testing/smtp/outbox.ts'
import { useSmtp } from '../../testing/use-service.ts'
import type { PaymentItem } from './payments/schemas.ts'
import type { Page as Listed } from './schemas.ts'

/** The text spacing that WCAG 1.4.12 requires pages to support. */
const SPACED =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'

describe('the frame of all pages with a browser', () => {
  const smtp = useSmtp()
  const server = useDashboard(() => ({ GATEHOUSE_SMTP_URL: smtp.url }))

  it('says on every page, and to every role, that nothing is sent out', async () => {
    const { service } = server
    const app = await service.newApplication('sandbox')
    const { control } = service.ctx
    await control.write((trx) => putOnHold(trx, { cause: 'older_database', since: Date.now() }))
    try {
      for (const role of ['owner', 'reader'] as const) {
        const { page, open, context } = await server.staffBrowser(role)
        for (const path of ['people', 'payments']) {
          await open(app, path)
          const banner = page.getByRole('region', { name: 'Installation status' })
          await banner.getByText('nobody can buy').waitFor()
          await banner.getByText('gatehouse resume').waitFor()
        }
        expect(await findBarriers(page)).toEqual([])
        await context.close()
      }
    } finally {
      await control.write((trx) => removeHold(trx))
    }
  })

  it('says so where the other environment has no application of that name', async () => {
    const { service } = server
    const owner = await signInAs(service, 'owner')
    const named = async (environment: 'production' | 'sandbox', name: string) => {
      const app = await service.newApplication(environment)
      await owner.of(app).request('PATCH', '/settings', { name })
      return app
    }
    const times = await named('production', 'The Times')
    const post = await named('production', 'The Post')
    const trial = await named('sandbox', 'The Times')
    const { page, open, context } = await server.staffBrowser('support')
    const isAt = ({ aid }: TestApplication, path: string) =>
      page.waitForURL((url) => url.pathname.endsWith(`/${aid}/${path}`))
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    const said = page.getByText(
      '“The Post” doesn’t exist in the sandbox. You are now in “The Times”.',
    )

    await open(times, 'people')
    await link('Sandbox').click()
    await isAt(trial, 'people')
    expect(await said.count()).toBe(0)
    await open(post, 'people')
    await link('Sandbox').click()
    await isAt(trial, 'people')
    await said.first().waitFor()
    // The list has arrived: what fades in later would be looked at half-way.
    await page.getByText('A person is added with their first access').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await isAt(post, 'people')
    await context.close()
  })

  it('has buttons in rows that say what they are for', async () => {
    const app = await server.service.newApplication()
    await app.addResource('news', { name: 'The news' })
    const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
    const { uid } = await app.client.grantAccess(input)
    await waitUntilOutboxSettled(server.service)
    const { page, open, context } = await server.staffBrowser('support')
    await open(app, `people/${uid}`)
    await page.getByRole('tab', { name: /^Emails / }).click()
    await page
      .getByRole('button', { name: /^Resend: Access granted: The news, \d+ \w+ \d+/ })
      .waitFor()
    await context.close()
  })

  it('has lists that need no scrolling sideways, with spaced text at 320 px', async () => {
    const shop = await openShop(server.service)
    await shop.addResource('news', { name: 'The news' })
    const vouchedEmail = 'a.rather.long.address@readers.example.com'
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef: 'ann', vouchedEmail })
    await shop.work()
    const support = (await signInAs(server.service, 'support')).of(shop)
    const { body } = await support.request<Listed<PaymentItem>>('GET', '/payments')
    await support.request('POST', `/payments/${body.data[0]?.id}/refund`, {
      amount: 150,
      reference: 'part',
    })

    const narrow = { viewport: { width: 320, height: 640 } }
    const { page, open, context } = await server.staffBrowser('support', narrow)
    const found: [string, number][] = []
    const lists = ['access', 'people', 'resources', 'subscriptions', 'payments', 'mail'] as const
    for (const list of lists) {
      await open(shop, list)
      await page.locator('tr[data-row]').first().waitFor()
      await space(page)
      found.push([list, await overflowOf(page)])
    }
    expect(found).toEqual(lists.map((list) => [list, 0]))
    await context.close()
  })

  it.each([-600_000, 600_000])(
    'dates what has just happened by the clock of the server, in a browser that is %i ms off',
    async (error) => {
      const app = await server.service.newApplication()
      await app.addResource('news', { name: 'The news' })
      const { uid } = await app.client.grantAccess({ rid: 'news', email: 'ann@example.com' })
      const { page, open, context } = await server.staffBrowser('support')
      await page.clock.setSystemTime(Date.now() + error)
      await open(app, `people/${uid}`)
      const granted = page.getByRole('listitem').filter({ hasText: 'granted access to The news' })
      await granted.getByText(/^(now|\d+ seconds? ago)$/).waitFor()
      await context.close()
    },
  )

  it('shows the shortcuts for “?”, and leaves the key to fields and dialogs', async () => {
    const app = await server.service.newApplication()
    const { page, open, context } = await server.staffBrowser('support')
    await open(app, 'people')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const field = page.getByRole('searchbox')
    await field.waitFor()
    await page.keyboard.press('?')
    await help.getByText('Find anything').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('who?')
    expect(await field.inputValue()).toBe('who?')
    expect(await help.count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('shortcuts')
    await page.keyboard.press('Enter')
    await help.waitFor()
    await context.close()
  })

  it('finds actions, which start on every page, and offers only those that a member may take', async () => {
    const app = await server.service.newApplication()
    await app.addResource('news')
    const { page, open, context } = await server.staffBrowser('support')
    const act = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find anything' }).fill(text)
      await page.getByRole('option').filter({ hasText: 'Action' }).first().waitFor()
      await page.keyboard.press('Enter')
    }
    await open(app, 'access')
    for (const _ of ['from the page itself', 'again']) {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await act('grant acc')
      await page.getByRole('dialog', { name: 'Grant access' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await act('new res')
    await page.getByRole('dialog', { name: /resource/ }).waitFor()
    await page.keyboard.press('Escape')
    await act('dark theme')
    await page.locator('html[data-theme=dark]').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await context.close()

    const viewer = await server.staffBrowser('reader')
    await viewer.open(app, 'overview')
    await viewer.page.getByRole('heading', { level: 1 }).waitFor()
    await viewer.page.keyboard.press('Control+k')
    const options = viewer.page.getByRole('option').filter({ hasText: 'Action' })
    await options.first().waitFor()
    expect(await options.allInnerTexts()).not.toContainEqual(expect.stringMatching(/Grant|New/))
    await viewer.context.close()
  })

  it('keeps what a long form will do, and its buttons, in view', async () => {
    const app = await server.service.newApplication()
    await app.addResource('news', { name: 'The news' })
    const low = { viewport: { width: 390, height: 560 } }
    const { page, open, context } = await server.staffBrowser('support', low)
    await open(app, 'access#grant')
    const form = page.getByRole('dialog', { name: 'Grant access' })
    await form.getByText('Name, site user ID, tags and message').click()
    await form.getByLabel('Email', { exact: true }).fill('ann@example.com')
    const parts = [
      form.getByText('Gets access with no end date.'),
      form.getByRole('button', { name: 'Grant access' }),
    ]
    for (const label of ['Email', /^First name/, /^Message/]) {
      await form.getByLabel(label, { exact: true }).scrollIntoViewIfNeeded()
      for (const part of parts) {
        await part.waitFor()
        const box = await part.boundingBox()
        expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(560)
      }
    }
    expect(await findBarriers(page)).toEqual([])
    await context.close()
  })

  it('has a band that reaches the right edge, and tabs without scroll bars, where those take space', async () => {
    const shop = await openShop(server.service)
    const { uid } = await grantNews(shop)
    const browser = await launchBrowser({ scrollBars: true })
    const found: unknown[] = []
    for (const width of [1440, 768, 390]) {
      const context = await browser.newContext({ viewport: { width, height: 800 } })
      const { context: own } = await server.staffBrowser('support')
      await context.addCookies(await own.cookies())
      await own.close()
      const page = await context.newPage()
      await page.goto(`${server.dashboard}sandbox/${shop.aid}/people/${uid}`)
      await page.getByRole('tablist').waitFor()
      found.push(await page.evaluate(measureEdges))
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      found.push(await page.evaluate(measureEdges))
      await context.close()
    }
    await browser.close()
    expect(found).toEqual(Array(6).fill({ band: 0, tabs: 0 }))
  })

  async function grantNews(app: TestApplication) {
    await app.addResource('news', { name: 'The news' })
    return await app.client.grantAccess({ rid: 'news', email: 'ann@example.com' })
  }

  /** How many pixels are between the band and the edge or the scroll bar, and how many the scroll bars of tabs take. */
  function measureEdges() {
    const root = document.documentElement
    const band = document.querySelector('[data-band]') as HTMLElement
    const tabs = document.querySelector('[role=tablist]') as HTMLElement
    const isScrolled = root.scrollHeight > root.clientHeight && !('locked' in root.dataset)
    const edge = isScrolled ? root.clientWidth : innerWidth
    return {
      band: edge - band.getBoundingClientRect().right,
      tabs: tabs.scrollHeight - tabs.clientHeight + (tabs.offsetHeight - tabs.clientHeight),
    }
  }

  /** The pages' content security policy forbids a style element. */
  const space = (page: Page) =>
    page.evaluate((rules) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(rules)
      document.adoptedStyleSheets = [sheet]
    }, SPACED)

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
