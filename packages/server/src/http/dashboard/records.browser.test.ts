import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordDeliveries } from '../../domain/downloads/deliveries.ts'
import { findBarriers } from '../../testing/browser/axe.ts'
import { useDashboard } from '../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../testing/browser/dashboard-parts.ts'
import { addDownload, toDeliveryRows } from '../../testing/downloads/downloads.ts'
import { useFixture } from '../../testing/fixtures.ts'
import { HOSTILE_TEXTS } from '../../testing/http/hostile-texts.ts'
import { MONTHLY, openShop } from '../../testing/payments/shop.ts'
import { waitUntilOutboxSettled } from '../../testing/smtp/outbox.ts'
import { useSmtp } from '../../testing/use-service.ts'

const LISTS = ['subscriptions', 'payments', 'downloads', 'downloads/deliveries', 'mail'] as const

describe('subscriptions, payments, downloads and mail with a browser', () => {
  const smtp = useSmtp()
  const server = useDashboard(() => ({ GATEHOUSE_SMTP_URL: smtp.url }))
  /** Sells in the sandbox, which keeps its mails. */
  const shop = useFixture(() => openShop(server.service))
  /** Runs in production, with a mail server. */
  const app = useFixture(() => server.service.newApplication())
  const helper = useFixture(() => server.staffBrowser('support'))
  let page: Page

  beforeAll(async () => {
    page = helper.page
  })

  const { button, choose, dialog, question, shown, title } = partsOf(() => page)
  /** A message stays while the pointer is over it, so that it can be read. Closes them all. */
  const closeMessages = async () => {
    const messages = page.getByRole('region', { name: /^Notifications/ })
    const close = messages.getByRole('button', { name: 'Close' })
    while ((await close.count()) > 0) await close.first().click()
  }

  /** Checks the page in both themes. */
  async function barriers(at = page): Promise<string[]> {
    const found = await findBarriers(at)
    await at.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await findBarriers(at)))
    await at.emulateMedia({ colorScheme: 'light' })
    return found
  }

  it('teach what they are where there is nothing', async () => {
    const lessons = [
      'No subscriptions yet',
      'No payments yet',
      'No files yet',
      'No deliveries yet',
      'No emails yet',
    ]
    for (const [at, list] of LISTS.entries()) {
      await helper.open(app, list)
      await page.getByRole('heading', { name: lessons[at] as string }).waitFor()
    }
    expect(await barriers()).toEqual([])
  })

  it('let a subscription be canceled, which tells what it ends, and resumed', async () => {
    await shop.addResource('news', { name: 'The news' })
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef: 'ann', vouchedEmail: 'ann@example.com' })
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef: 'bea', vouchedEmail: 'bea@example.com' })
    await helper.open(shop, 'subscriptions?status=active')
    await title('Subscriptions')
    await page.getByText('2 results').waitFor()
    expect(await barriers()).toEqual([])
    await page.getByLabel('Search').fill('ann')
    await page.getByText('1 result', { exact: true }).waitFor()

    await choose('Actions for ann@example.com: The news', 'Cancel subscription')
    await question().waitFor()
    await page.keyboard.press('Escape')
    const opener = button('Actions for ann@example.com: The news')
    await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true)
    await choose('Actions for ann@example.com: The news', 'Cancel subscription')
    const asked = question('Cancel ann@example.com’s subscription to The news?')
    await asked
      .getByText(/^Access continues until \d+ \w+ \d+\. The subscription will not renew\.$/)
      .waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Cancel subscription', asked).click()
    await shown('ann@example.com’s subscription is canceled.')
    await button('Remove filter State').click()
    await page.getByRole('link', { name: 'ann@example.com' }).waitFor()
    await page.getByLabel('Search').press('ArrowDown')
    await page.keyboard.press('Enter')
    await title('The news')
    await shown(/^This subscription is canceled and will not renew\./)
    expect(await barriers()).toEqual([])
    await button('Account link: The news').click()
    const dialog = page.getByRole('dialog', { name: 'Account link for ann@example.com' })
    expect(await dialog.locator('code').textContent()).toContain(
      `${server.service.url}/sandbox/manage/`,
    )
    expect(await findBarriers(page)).toEqual([])
    await button('Done', dialog).click()
    await button('Resume subscription').click()
    await shown(/^This subscription renews on .+ for 4\.99 EUR every month\.$/)
    await button('Undo').last().click()
    await shown(/^This subscription is canceled and will not renew\./)
    expect(await page.getByRole('link', { name: '4.99 EUR' }).count()).toBe(1)
  })

  it('let a payment be refunded in part and whole, and never more', async () => {
    await shop.buy({ rid: 'news', userRef: 'carl', vouchedEmail: 'carl@example.com' })
    await helper.open(shop, 'payments')
    await title('Payments')
    expect(await barriers()).toEqual([])
    await page.getByLabel('Search').fill('carl')
    await page.getByText('1 result', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'carl@example.com' }).click()
    await title('Payment of 4.99 EUR')
    await shown('No refunds.')

    await button('Refund').click()
    const amount = page.getByLabel('Amount in EUR')
    expect(await amount.inputValue()).toBe('4.99')
    await shown(/the access it paid for ends immediately/)
    await amount.fill('5')
    await shown('You can refund up to 4.99 EUR.')
    await button('Refund', dialog()).click()
    expect(await amount.getAttribute('aria-invalid')).toBe('true')
    await amount.fill('1,50')
    await shown('carl@example.com gets 1.50 EUR back and keeps access. 3.49 EUR is not refunded.')
    expect(await findBarriers(page)).toEqual([])
    await button('Refund 1.50 EUR').click()
    await shown('1.50 EUR refunded to carl@example.com.')
    await shown('Partly refunded')
    await shown(/ · Test$/)
    expect(await barriers()).toEqual([])

    await page.getByRole('link', { name: 'Payments' }).first().click()
    await choose(/^Actions for carl@example\.com: 4\.99 EUR, \d+ \w+ \d+$/, 'Refund')
    await button('Refund 3.49 EUR').click()
    await shown('3.49 EUR refunded to carl@example.com.')
    await page.getByRole('row', { name: /carl/ }).getByText('Refunded', { exact: true }).waitFor()
    expect(await button(/^Actions for carl/).count()).toBe(0)
  })

  it('filter by day as the address says it, and hand out what is shown', async () => {
    const day = 86_400
    const today = Math.floor(Date.now() / 1000 / day) * day
    await helper.open(shop, `payments?from=${today + day}`)
    await page.getByRole('heading', { name: 'No matches' }).waitFor()
    await button('Filter').click()
    await page
      .getByLabel('From', { exact: true })
      .fill(new Date(today * 1000 - 1).toISOString().slice(0, 10))
    await page
      .getByLabel('Until', { exact: true })
      .fill(new Date(today * 1000).toISOString().slice(0, 10))
    expect(await findBarriers(page)).toEqual([])
    await button('Apply').click()
    await page.getByRole('link', { name: 'carl@example.com' }).waitFor()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([
      String(today - day),
      String(today + day),
    ])
    expect(await button('Export this page (CSV)').count()).toBe(0)
    const download = page.waitForEvent('download')
    await choose('Export', 'For a spreadsheet This list, with names and readable dates.')
    expect((await download).suggestedFilename()).toBe('payments.csv')
  })

  const file = (name: string, bytes: string) => ({
    ...{ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) },
  })

  it('let a file be described, replaced, linked to, withdrawn and removed', async () => {
    await shop.addResource('issue', { name: 'Issue one' })
    const { id } = await addDownload(shop, 'issue', Buffer.from('first'), { title: 'Issue one' })
    const { uid } = await shop.client.grantAccess({
      ...{ rid: 'issue', user_ref: 'eva', email: 'eva@example.com' },
    })
    const now = Math.floor(Date.now() / 1000)
    const delivery = { aid: shop.aid, rid: 'issue', download_id: id, at: now, bytes: 5 }
    const both = [
      { ...delivery, link: 'a', uid, outcome: 'complete' as const },
      { ...delivery, link: 'b', uid: null, outcome: 'partial' as const },
    ]
    await shop.environment.database.write((trx) => recordDeliveries(trx, toDeliveryRows(both), now))
    await helper.open(shop, 'downloads')
    await title('Downloads')
    expect(await barriers()).toEqual([])
    await page.getByRole('link', { name: 'Issue one' }).click()
    await title('Issue one')
    await shown('eva@example.com')
    expect(await barriers()).toEqual([])

    await page.getByLabel('Title', { exact: true }).fill('')
    await page.getByLabel('Image').fill('javascript:alert(1)')
    await button('Save').click()
    await shown('This field is required.')
    await shown('Enter a URL that starts with https://.')
    await page.getByLabel('Title', { exact: true }).fill('Issue 1')
    await page.getByLabel('Description').fill('All of it.')
    await page.getByLabel('Image').fill('')
    await button('Save').click()
    await title('Issue 1')
    await page
      .locator('input[type=file]:not([accept])')
      .setInputFiles(file('second.pdf', 'the second'))
    await shown('The file is now second.pdf.')
    await shown('application/pdf')

    await button('Create link').click()
    await page.getByLabel('Maximum number of downloads').fill('none')
    await page.getByLabel(/^Only for the reader/).fill('nobody')
    await button('Create link', dialog()).click()
    await shown('Enter a whole number from 1 to 1,000,000.')
    await page.getByLabel('Maximum number of downloads').fill('2')
    await button('Create link', dialog()).click()
    await shown('No reader with this site user ID has access right now.')
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel(/^Only for the reader/).fill('eva')
    await button('Create link', dialog()).click()
    const url = await dialog().getByText(shop.baseUrl).textContent()
    expect(await (await fetch(url as string)).text()).toBe('the second')
    expect(await findBarriers(page)).toEqual([])
    await button('Done').click()

    await choose('Actions for Issue 1', 'Unpublish')
    await shown(/^Nobody can download this file/)
    expect(await button('Create link').count()).toBe(0)
    await button('Undo').last().click()
    await button('Create link').waitFor()

    await closeMessages()
    await page.getByRole('link', { name: 'Show all deliveries' }).click()
    await title('Deliveries')
    await page.getByText('Anybody with the link').waitFor()
    expect(page.url()).toContain('rid=issue')
    expect(await barriers()).toEqual([])
    await page.getByRole('link', { name: 'Go to downloads' }).click()
    await page.getByRole('link', { name: 'Issue 1' }).click()
    await title('Issue 1')
    await choose('Actions for Issue 1', 'Remove file')
    const asked = question('Remove Issue 1?')
    await asked.getByText(/^second\.pdf \(10 B\) is deleted/).waitFor()
    await asked
      .getByText(/^It was delivered \d times\. The list of deliveries is kept\.$/)
      .waitFor()
    await button('Remove file', asked).click()
    await page.getByRole('heading', { name: 'No files yet' }).waitFor()
  })

  const grant = (name: string) =>
    app.client.grantAccess({ rid: 'hostile', user_ref: name, email: `${name}@example.com` })
  /** Polls how many mails a reader has received. */
  const received = (name: string) => expect.poll(() => smtp.mailsTo(`${name}@example.com`).length)

  it('show a mail as its reader sees it, and send it again', async () => {
    await app.addResource('hostile', { name: HOSTILE_TEXTS.slice(0, 3).join(' ') })
    smtp.fault = (step, address) =>
      step === 'recipient' && !address.startsWith('fay') ? 550 : undefined
    for (const name of ['fay', 'gus', 'hal']) await grant(name)
    await waitUntilOutboxSettled(server.service)
    await helper.open(app, 'mail')
    await title('Emails')
    await page.getByText('3 results').waitFor()
    expect(await barriers()).toEqual([])
    await page.getByRole('link', { name: 'fay@example.com' }).click()
    const frame = page.locator('iframe')
    await frame.waitFor()
    // The styles apply, although none came with the HTML.
    await expect
      .poll(() =>
        frame.evaluate((element: HTMLIFrameElement) => {
          const card = element.contentDocument?.querySelector('.card')
          return card ? getComputedStyle(card).maxWidth : ''
        }),
      )
      .toBe('580px')
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-scripts')
    expect(await barriers()).toEqual([])
    await page.getByRole('tab', { name: 'Plain text' }).click()
    await shown(/<script>alert\(1\)<\/script>/)
    await page.getByRole('tab', { name: 'Headers' }).click()
    await shown('Auto-Submitted')

    await button('Resend').click()
    const asked = question(/^Resend “Access granted” to fay@example\.com/)
    await asked.getByText('The reader gets it a second time.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Resend', asked).click()
    await shown('The email to fay@example.com is sent within a minute.')
    await received('fay').toBe(2)
  })

  it('list mails that were given up, and send one or all of them again', async () => {
    await helper.open(app, 'mail?status=dead')
    await button('Resend 2 failed emails').waitFor()
    smtp.fault = () => undefined
    await choose('Actions for Access granted, gus@example.com', 'Resend')
    await button('Resend', question()).click()
    await page.getByText('1 result', { exact: true }).waitFor()
    await received('gus').toBe(1)
    await page.getByRole('link', { name: 'hal@example.com' }).click()
    await shown(/^Sending failed too many times/)
    await shown(/^The last attempt failed: .+: 550 <\(address\)>: not with us$/)
    await page.getByRole('link', { name: 'Emails', exact: true }).first().click()
    await button('Resend 1 failed email').click()
    await button('Resend', question()).click()
    await shown('1 email queued.')
    expect(await button('Resend 1 failed email').count()).toBe(0)
    await received('hal').toBe(1)
    await helper.open(shop, 'mail')
    await shown(/^No mail server is set up, so emails are not sent\./)
  })

  it('tell the old and the new address that it was changed, if staff want that', async () => {
    const { uid } = await grant('gina')
    await received('gina').toBe(1)
    await helper.open(app, `people/${uid}`)
    const notify = page.getByLabel('Notify the old and the new address by email')
    async function changeTo(address: string, isNotified: boolean) {
      await choose('More actions for this person', 'Edit name or email')
      expect(await notify.count()).toBe(0)
      await dialog().getByLabel('Email', { exact: true }).fill(address)
      await notify.setChecked(isNotified)
      expect(await findBarriers(page)).toEqual([])
      await button('Save').click()
      await dialog().waitFor({ state: 'detached' })
      await shown(address)
    }
    await changeTo('gina.typo@example.com', false)
    await button('Undo').last().click()
    await shown('Undone.')
    await closeMessages()
    await changeTo('gina.new@example.com', true)
    await shown(/An email about the change is sent within a minute\.$/)
    expect(await button('Undo').count()).toBe(0)
    await received('gina').toBe(2)
    await received('gina.new').toBe(1)
    await received('gina.typo').toBe(0)
    await shown('Old email address notified')
    await shown('You changed the email address')
    await closeMessages()
  })

  it('show a reader of the team everything, and nothing that changes it', async () => {
    await addDownload(shop, 'issue', Buffer.from('again'), { title: 'Issue two' })
    const reader = await server.staffBrowser('reader', DARK_PHONE)
    const records = {
      subscriptions: 'The news',
      payments: /^Payment of/,
      downloads: 'Issue two',
      mail: /:/,
    }
    for (const [list, name] of Object.entries(records)) {
      await reader.open(shop, list)
      const row = reader.page.locator('tr[data-row]').first()
      await row.waitFor()
      expect(await reader.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
      expect(await overflowOf(reader.page)).toBe(0)
      await row.getByRole('link').first().click()
      await reader.page.getByRole('heading', { level: 1, name }).waitFor()
      const changing =
        /^(Cancel.*|Resume|Refund|Save|Make a link|Send again|Actions for.*|choose one)$/
      expect(await reader.page.getByRole('button', { name: changing }).count()).toBe(0)
      expect(await overflowOf(reader.page)).toBe(0)
      expect(await findBarriers(reader.page)).toEqual([])
    }
    await reader.context.close()
  })

  it('survive whatever is typed into any field', async () => {
    await helper.open(shop, 'downloads')
    await page.getByRole('link', { name: 'Issue two' }).click()
    for (const text of HOSTILE_TEXTS) {
      await page.getByLabel('Title', { exact: true }).fill(text)
      await page.getByLabel('Description').fill(text)
      await button('Save').click()
      await title(text)
    }
    await button('Create link').click()
    for (const text of HOSTILE_TEXTS) {
      await page.getByLabel(/^Only for the reader/).fill(text)
      await page.getByLabel('Maximum number of downloads').fill(text)
      await button('Create link', dialog()).click()
    }
    await button('Cancel').click()
    await page.getByLabel('Image').fill(HOSTILE_TEXTS.join(' '))
    await button('Save').click()
    await helper.open(shop, 'payments?q=bea')
    await choose(/^Actions for bea@example\.com: 4\.99 EUR, /, 'Refund')
    for (const text of HOSTILE_TEXTS) await page.getByLabel('Amount in EUR').fill(text)
    await shown('Enter an amount, such as 4.99.')
    const all = HOSTILE_TEXTS.join(' ')
    const named = new URLSearchParams({
      rid: all,
      uid: all,
      from: all,
      to: all,
      status: all,
      flag: all,
    })
    for (const list of LISTS) {
      await helper.open(shop, `${list}?${named}`)
      for (const text of HOSTILE_TEXTS) await page.getByLabel('Search').fill(text)
      await button('Filter').click()
      for (const field of await page.locator('form input[type=text]').all()) await field.fill(all)
      await button('Apply').click()
      const row = page.locator('tr[data-row]')
      await page.getByRole('alert').or(page.getByText('No matches')).or(row).first().waitFor()
    }
    expect(server.browserErrors).toEqual([])
  })
})
