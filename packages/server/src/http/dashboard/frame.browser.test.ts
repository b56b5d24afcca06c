import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { putOnHold, removeHold } from '../../domain/installation/hold.ts'
import { findBarriers } from '../../testing/browser/axe.ts'
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
    await page.getByRole('button', { name: /^Resend: Access granted, \d+ \w+ \d+/ }).waitFor()
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

  /** The pages' content security policy forbids a style element. */
  const space = (page: Page) =>
    page.evaluate((rules) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(rules)
      document.adoptedStyleSheets = [sheet]
    }, SPACED)

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
