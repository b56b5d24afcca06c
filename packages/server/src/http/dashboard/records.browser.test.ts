import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../testing/browser/axe.ts'
import { DARK_PHONE, overflowOf } from '../../testing/browser/dashboard-parts.ts'
import { useRecordPages } from '../../testing/browser/record-pages.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { HOSTILE_TEXTS } from '../../testing/http/hostile-texts.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'

const LISTS = ['subscriptions', 'payments', 'downloads', 'downloads/deliveries', 'mail'] as const

describe('subscriptions, payments, downloads and mail with a browser', () => {
  const pages = useRecordPages(() => page)
  const { server, shop, app, helper, barriers, button, choose, dialog, question, shown } = pages
  const { title } = pages
  let page: Page
  beforeAll(async () => {
    page = helper.page
    await shop.addResource('issue', { name: 'Issue one' })
  })

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

  it('say why a renewal is unpaid and what helps, and later why the subscription ended', async () => {
    const who = { userRef: 'una', vouchedEmail: 'una@example.com' }
    await shop.buy({ rid: 'news', terms: MONTHLY, ...who, card: 'needs_payer' })
    await shop.advance(32 * DAY)
    await helper.open(shop, 'subscriptions?status=past_due')
    await page.getByRole('link', { name: 'una@example.com' }).click()
    await shown(/If no charge succeeds, the subscription ends\.$/)
    await shown(/^The bank requires the reader to confirm the payment\. Send the account link/)
    expect(await barriers()).toEqual([])
    await shop.advance(20 * DAY)
    await helper.open(shop, 'subscriptions?status=ended&q=una')
    await shown('Unpaid')
    await page.getByRole('link', { name: 'una@example.com' }).click()
    await shown(/^This subscription ended on .+, because the renewal was not paid\./)
  })
})
