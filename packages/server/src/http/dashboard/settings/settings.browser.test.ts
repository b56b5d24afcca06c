import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { getApplication } from '../../../domain/apps/applications.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { HTML_ATTACKS } from '../../../testing/browser/tags.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { MONTHLY, openShop } from '../../../testing/payments/shop.ts'

/** The form of the sender and of the email that a grant sends. */
const SENDER = 'Sender and grants'

describe('the settings with a browser', () => {
  const server = useDashboard()
  const shop = useFixture(() => openShop(server.service))
  const visitor = useFixture(() => server.staffBrowser('owner'))

  const stored = () => getApplication(shop.environment.database.read, shop.aid)
  const card = (name: string) => visitor.page.getByRole('form', { name })
  const field = (name: string) => visitor.page.getByLabel(name)
  const sender = () => visitor.page.getByRole('textbox', { name: 'Sender' })
  const { button, question, title } = partsOf(() => visitor.page)
  const save = (name: string) => card(name).getByRole('button', { name: 'Save' }).click()

  async function arrive(): Promise<void> {
    await visitor.open(shop, 'settings')
    await field('Seller address').waitFor()
  }

  async function arriveAtEmails(): Promise<void> {
    await visitor.open(shop, 'settings/emails')
    await visitor.page.getByText('Test magazine: your access to Issue 7').waitFor()
  }

  it('changes the name, which the whole place shows at once, and takes it back', async () => {
    const { page } = visitor
    await arrive()
    expect(await findBarriers(page)).toEqual([])
    await card('General').getByLabel('Name').fill('Evening Post')
    await field('Currency').fill('chf')
    await save('General')
    await button('Evening Post').waitFor()
    expect(await stored()).toMatchObject({ name: 'Evening Post', currency: 'CHF' })
    expect(await findBarriers(page)).toEqual([])
    await button('Undo').click()
    await button('Test magazine').waitFor()
    await vi.waitFor(async () => expect(await field('Currency').inputValue()).toBe('USD'), {
      timeout: 60_000,
    })
  })

  it('says at the field what is wrong, and saves nothing', async () => {
    const { page } = visitor
    await field('Currency').fill('XXQ')
    await save('General')
    await page.getByText('Enter a currency code, such as EUR.').waitFor()
    await field('Grace period in days').fill('61')
    await save('Selling')
    await page.getByText('Enter a whole number from 0 to 60.').waitFor()
    await field('Allowed URLs').fill('https://example.com\nhttp://example.com')
    await save('Return URLs')
    await page.getByText('Line 2: enter a URL', { exact: false }).waitFor()
    await field('Allowed URLs').fill('https://example.com/a/../b')
    await save('Return URLs')
    await page.getByText('Must be a plain URL', { exact: false }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await arriveAtEmails()
    await sender().fill('nobody')
    await save(SENDER)
    await page.getByText('Must be an address like Example', { exact: false }).waitFor()
    expect(await sender().getAttribute('aria-invalid')).toBe('true')
    expect(await findBarriers(page)).toEqual([])
    const none = { currency: 'USD', grace_days: 7, return_urls: '[]', mail_from: null }
    expect(await stored()).toMatchObject(none)
    await arrive()
  })

  it('keeps who sells, and shows it as on a receipt', async () => {
    const { page } = visitor
    await field('Seller name').fill('Evening Post Ltd')
    await field('Seller address').fill('Main Street 1\n12345 Town')
    await field('Tax line').fill('VAT ID DE123')
    await field('Grace period in days').fill('3')
    const receipt = page.getByRole('definition').filter({ hasText: 'Evening Post Ltd' })
    expect(await receipt.locator('span').allTextContents()).toEqual([
      ...['Evening Post Ltd', 'Main Street 1', '12345 Town', 'VAT ID DE123'],
    ])
    await save('Selling')
    await page.getByText('Saved.').first().waitFor()
    await field('Allowed URLs').fill('https://example.com/shop\n\nhttp://localhost:3000')
    await save('Return URLs')
    await vi.waitFor(async () =>
      expect(await stored()).toMatchObject({
        ...{ seller_name: 'Evening Post Ltd', seller_address: 'Main Street 1\n12345 Town' },
        ...{ tax_line: 'VAT ID DE123', grace_days: 3 },
        return_urls: '["https://example.com/shop","http://localhost:3000"]',
      }),
    )
  })

  /** Returns the text in the frame, and the padding of its head. */
  const mailIn = (page: Page) =>
    page.evaluate(() => {
      const inside = document.querySelector('iframe')?.contentDocument
      const shown = inside?.querySelector('.card td')
      if (!inside || !shown) return undefined
      return { text: inside.body.textContent, padding: getComputedStyle(shown).paddingTop }
    })

  it('previews the mail as it is typed, with what is wrong by line', async () => {
    const { page } = visitor
    await arriveAtEmails()
    await vi.waitFor(async () =>
      expect(await mailIn(page)).toMatchObject({
        text: expect.stringContaining('You have been given access to Issue 7.'),
        padding: '28px',
      }),
    )
    const template = field('Template of the email for a grant')
    await template.fill('Subject: For {{first_name}}\n\nDear {{who}},')
    await page.getByText('Line 3: unknown placeholder {{who}}', { exact: false }).waitFor()
    await page.getByText('Fix the template to see the preview.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await template.fill('Subject: For {{first_name}}\n\nEnjoy ')
    await button(/^Insert \{\{resource\}\}/, card(SENDER)).click()
    expect(await template.inputValue()).toBe('Subject: For {{first_name}}\n\nEnjoy {{resource}}')
    await page.getByText('For Ann', { exact: true }).waitFor()
    await vi.waitFor(async () => expect((await mailIn(page))?.text).toContain('Enjoy Issue 7'), {
      timeout: 60_000,
    })
    await page.getByRole('tab', { name: 'Plain text' }).first().click()
    await page.getByText('Enjoy Issue 7').filter({ visible: true }).first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await sender().fill('Evening Post <post@example.com>')
    await save(SENDER)
    await vi.waitFor(async () =>
      expect(await stored()).toMatchObject({
        mail_from: 'Evening Post <post@example.com>',
        mail_template: 'Subject: For {{first_name}}\n\nEnjoy {{resource}}',
      }),
    )
    await button('Restore the default text', card(SENDER)).click()
    await save(SENDER)
    await vi.waitFor(async () => expect((await stored()).mail_template).toBeNull(), {
      timeout: 60_000,
    })
  })

  it('takes whatever is typed for text', async () => {
    const { page } = visitor
    await arrive()
    for (const attack of HTML_ATTACKS) {
      await card('General').getByLabel('Name').fill(attack)
      await save('General')
      await button(attack.trim()).waitFor()
    }
    const all = HTML_ATTACKS.join(' ')
    await field('Seller name').fill(all.slice(0, 255))
    await field('Seller address').fill(HTML_ATTACKS.join('\n'))
    await field('Tax line').fill(all.slice(0, 255))
    await save('Selling')
    await field('Allowed URLs').fill(`javascript:alert(1)\n${all}`)
    await save('Return URLs')
    await visitor.open(shop, 'settings/emails')
    await sender().fill(all)
    await field('Template of the email for a grant').fill(`Subject: ${all}\n\n${all}`)
    await vi.waitFor(async () => expect((await mailIn(page))?.text).toContain(HTML_ATTACKS[0]), {
      timeout: 60_000,
    })
    await save(SENDER)
    await page.getByText('Must be an address like Example', { exact: false }).waitFor()
    const outside = 'img[src=x], main style, a[href*=evil]'
    expect(await page.locator(outside).count()).toBe(0)
    const inside = await page.evaluate(
      () =>
        document
          .querySelector('iframe')
          ?.contentDocument?.querySelectorAll('img, script, form, a[href]').length,
    )
    expect(inside).toBe(0)
    await arrive()
    await card('General').getByLabel('Name').fill('Test magazine')
    await save('General')
    await button('Test magazine').waitFor()
  })

  it('lets others read, and change nothing', async () => {
    const reader = await server.staffBrowser('reader')
    await reader.open(shop, 'settings')
    await reader.page.getByText('Only owners and developers can change these settings.').waitFor()
    expect(await reader.page.getByLabel('Currency').isDisabled()).toBe(true)
    for (const name of ['Save', 'Archive', /^Insert/]) {
      expect(await reader.page.getByRole('button', { name }).count()).toBe(0)
    }
    expect(await findBarriers(reader.page)).toEqual([])
    await reader.context.close()
  })

  it('has no barriers on a small, dark screen, and nothing to scroll sideways', async () => {
    const small = await server.staffBrowser('developer', DARK_PHONE)
    await small.open(shop, 'settings/emails')
    await small.page.getByText('your access to Issue 7', { exact: false }).first().waitFor()
    expect(await findBarriers(small.page)).toEqual([])
    expect(await overflowOf(small.page)).toBe(0)
    await small.open(shop, 'settings')
    await small.page.getByLabel('Seller address').waitFor()
    expect(await findBarriers(small.page)).toEqual([])
    expect(await overflowOf(small.page)).toBe(0)
    expect(await small.page.getByRole('button', { name: 'Archive' }).count()).toBe(0)
    await small.context.close()
  })

  it('leads owners to the team and to what was done here', async () => {
    const { page } = visitor
    expect(await page.getByRole('link', { name: 'Team' }).getAttribute('href')).toMatch(/\/team$/)
    await page.getByRole('link', { name: 'Audit log of this application' }).click()
    await title('Audit log')
    await page
      .getByText(/ changed the /)
      .first()
      .waitFor()
    expect(page.url()).toContain(`aid=${shop.aid}`)
  })

  it('archives for good, after it has counted what that ends', async () => {
    const { page } = visitor
    await shop.addResource('news')
    await shop.client.grantAccess({ rid: 'news', user_ref: 'ann', email: 'ann@example.com' })
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef: 'bob', vouchedEmail: 'bob@example.com' })
    await arrive()
    await button('Archive').click()
    const ask = question('Archive Test magazine?')
    await ask.getByText('2 readers lose access', { exact: false }).waitFor()
    await ask.getByText('1 subscription will not renew.').waitFor()
    expect(await ask.getByRole('button', { name: 'Archive' }).isDisabled()).toBe(true)
    await ask.getByLabel('Type Test magazine to confirm').fill('Test magazine')
    expect(await findBarriers(page)).toEqual([])
    await ask.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('This application is archived.', { exact: false }).waitFor()
    expect((await stored()).archived).not.toBeNull()
    expect(await field('Currency').isDisabled()).toBe(true)
    expect(await findBarriers(page)).toEqual([])
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
