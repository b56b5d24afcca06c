import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordDeliveries } from '../../../domain/downloads/deliveries.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useRecordPages } from '../../../testing/browser/record-pages.ts'
import { file } from '../../../testing/browser/resource-pages.ts'
import { addDownload, toDeliveryRows } from '../../../testing/downloads/downloads.ts'

describe('files with a browser', () => {
  const pages = useRecordPages(() => page)
  const { server, shop, helper, closeMessages, barriers, button, choose, dialog } = pages
  const { question, shown, title } = pages
  let page: Page
  beforeAll(() => {
    page = helper.page
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
      .setInputFiles(file('second.txt', 'the second'))
    await shown('The file is now second.txt.')
    await shown('text/plain')

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
    await asked.getByText(/^second\.txt \(10 B\) is deleted/).waitFor()
    await asked
      .getByText(/^It was delivered \d times\. The list of deliveries is kept\.$/)
      .waitFor()
    await button('Remove file', asked).click()
    await page.getByRole('heading', { name: 'No files yet' }).waitFor()
  })

  it('complain about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
