import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useAccessPages } from '../../../testing/browser/access-pages.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import type { StaffBrowser } from '../../../testing/browser/dashboard-browser.ts'
import { openShop } from '../../../testing/payments/shop.ts'

describe('an import of access with a browser', () => {
  const pages = useAccessPages(() => page)
  const { server, app, helper, row, total, grant } = pages
  const { csv, input, button, shown, title } = pages
  let page: Page
  beforeAll(async () => {
    page = helper.page
    await grant('ann')
    await helper.open(app, 'access')
  })

  it('is granted to many by an exact file, after a look at what it would do', async () => {
    await page.getByRole('link', { name: 'Import' }).click()
    await title('Import readers')
    expect(await findBarriers(page)).toEqual([])
    await input().setInputFiles({
      ...{ name: 'x.xlsx', mimeType: 'application/octet-stream' },
      buffer: Buffer.from('PK\u0003\u0004'),
    })
    await page.getByRole('alert').getByText('In your spreadsheet, choose File').waitFor()
    await input().setInputFiles(
      csv('news,gil@example.com,Gil', 'nothing,hal@example.com,Hal', 'news,ann@example.com,Ann'),
    )
    await shown(/^readers\.csv: 3 rows\./)
    await shown(/^This is an exact export from Gatehouse\./)
    await button('Check what changes').click()
    await shown('readers.csv: 3 rows. Nothing has changed yet.')
    await row('hal@example.com').getByText('Refused').first().waitFor()
    await button('All 3').click()
    await row('gil@example.com').getByText('New', { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect((await app.client.searchAccess({ rid: 'news' })).total).toBe(1)
    expect(await button('Import 2 rows').isDisabled()).toBe(true)
    await page.getByRole('radio', { name: 'Send no emails' }).click()
    await button('Import 2 rows').click()
    await shown('2 rows imported, 0 unchanged, 1 refused.')
    const saving = page.waitForEvent('download')
    await button('Download 1 refused row').click()
    const download = await saving
    expect(download.suggestedFilename()).toBe('readers-refused-1.csv')
    expect(await readFile(await download.path(), 'utf8')).toMatch(
      /^\ufeffline,reason,rid,email,first_name\r\n3,[^\n]+,nothing,hal@example\.com,Hal\r\n$/,
    )
    await page.getByRole('link', { name: 'Go to the list' }).click()
    await total('2 results')
  })

  const SUBSCRIBERS = 3_000
  /** A CSV file as a German Excel saves it: semicolons, Latin-1 and German dates. */
  const sheet = (name: string, changed: Record<number, string> = {}) => {
    const lines = Array.from(
      { length: SUBSCRIBERS },
      (_, i) => changed[i] ?? `abo${i}@example.de;Jörg;Müller ${i};31.12.2037`,
    )
    const text = ['E-Mail;Vorname;Nachname;gültig bis', ...lines, ''].join('\r\n')
    return { name, mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') }
  }
  const checkSheet = async (file: ReturnType<typeof sheet>) => {
    await input().setInputFiles(file)
    await page.getByLabel('Resource for all rows').selectOption('maps')
    await button('Check what changes').click()
    await shown(`${file.name}: 3,000 rows. Nothing has changed yet.`)
  }

  it('is granted by the list of a publisher, who sends it again with corrections', async () => {
    const magazine = await openShop(server.service)
    await magazine.addResource('maps', { name: 'Maps' })
    await magazine.environment.database.write(async (trx) => {
      const zone = { time_zone: 'Europe/Berlin' }
      await trx.updateTable('applications').set(zone).where('aid', '=', magazine.aid).execute()
    })
    await helper.open(magazine, 'access/import')
    const saved = page.waitForEvent('download')
    await button('Download a template').click()
    expect((await saved).suggestedFilename()).toBe('readers-template.csv')
    await input().setInputFiles(sheet('Abonnenten.csv', { 1: 'abo1;Jörg;Müller 1;31.12.2037' }))
    expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252')
    expect(await page.getByLabel('Columns are separated by').inputValue()).toBe('semicolon')
    expect(await page.getByLabel('What “gültig bis” holds').inputValue()).toBe('until')
    await row('abo0@example.de').getByText('31 Dec 2037').waitFor()
    await row('Email: not a valid email address').waitFor()
    expect(await button('Check what changes').isDisabled()).toBe(true)
    await page.getByLabel('Resource for all rows').selectOption('maps')
    expect(await findBarriers(page)).toEqual([])
    await button('Check what changes').click()
    await button('New 2,999').click()
    await shown('Showing the first 500 of 2,999.')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('radio', { name: 'Send 2,999 emails' }).click()
    await page.getByRole('radio', { name: 'Send no emails' }).click()
    await button('Import 2,999 rows').click()
    await shown('2,999 rows imported, 0 unchanged, 1 refused.')
    const { expires } = await magazine.client
      .searchAccess({ email: 'abo7@example.de' })
      .then(({ data: [first] }) => first as { expires: number })
    expect(expires).toBe(Date.parse('2037-12-31T23:59:59+01:00') / 1000)

    // The refused row comes back corrected, in the file that was downloaded.
    const saving = page.waitForEvent('download')
    await button('Download 1 refused row').click()
    const text = await readFile(await (await saving).path(), 'utf8')
    expect(text).toContain('Row;Reason;E-Mail;Vorname;Nachname;gültig bis\r\n3;Email: not')
    const corrected = Buffer.from(text.replace(';abo1;', ';abo1@example.de;'))
    await button('Choose another file').click()
    const name = 'Abonnenten-refused-1.csv'
    await input().setInputFiles({ name, mimeType: 'text/csv', buffer: corrected })
    await page.getByLabel('Resource for all rows').selectOption('maps')
    await button('Check what changes').click()
    await page.getByRole('radio', { name: 'Send no emails' }).click()
    await button('Import 1 row').click()
    await shown('1 row imported, 0 unchanged, 0 refused.')

    await button('Choose another file').click()
    await shown(/^3,000 of 3,000 rows: 2,999 imported, 1 refused\.$/)
    await checkSheet(sheet('again.csv'))
    await button('Unchanged 3,000').waitFor()
    await shown(/^Nothing to import: everybody in this file already has exactly this access\.$/)
    await button('Back').click()
    await button('Choose another file').click()
    await checkSheet(
      sheet('corrected.csv', {
        0: 'abo0@example.de;Jörg;Müller 0;31.12.2038',
        2: 'abo2@example.de;Jörg;Müller 2;30.6.2037',
        3: 'abo3@example.de;Jürgen;Müller 3;31.12.2037',
      }),
    )
    for (const chip of ['Extended 1', 'Shortened 1', 'Details changed 1', 'Unchanged 2,997']) {
      await button(chip).waitFor()
    }
    await button('Back').click()
    await page.getByLabel('What “gültig bis” holds').selectOption('Ignore')
    await row('abo0@example.de').getByText('No end date').last().waitFor()
  })

  it('stops being imported by a button or with its page, keeps what is done, and goes on', async () => {
    const magazine = await openShop(server.service)
    await magazine.addResource('maps', { name: 'Maps' })
    // Enough that a busy machine can stop it before its end.
    const count = 40_000
    const lines = Array.from({ length: count }, (_, i) => `long${i}@example.de`)
    const buffer = Buffer.from(`Email\n${lines.join('\n')}\n`)
    const imported = async () => {
      const { total } = await magazine.client.searchAccess({ rid: 'maps', pagesize: 1 })
      return total
    }
    /** Imports the file until it is under way. */
    async function begin({ open, page: at }: StaffBrowser) {
      await open(magazine, 'access/import')
      const given = { name: 'long.csv', mimeType: 'text/csv', buffer }
      await at.locator('input[type=file]').setInputFiles(given)
      await at.getByLabel('Resource for all rows').selectOption('maps')
      await button('Check what changes', at).click()
      await at.getByRole('radio', { name: 'Send no emails' }).click()
      await button(/^Import [\d,]+ rows$/, at).click()
      await shown(/^[1-9][\d,]* of 40,000 rows$/, at)
    }
    await begin(helper)
    await button('Stop').click()
    await shown(
      /^Stopped after about [\d,]+ of 40,000 rows\. What was imported stays\. Import the same file again for the rest\.$/,
    )
    const first = await imported()
    expect(first).toBeLessThan(count)

    const other = await server.staffBrowser('support')
    await begin(other)
    await other.context.close()
    await helper.open(magazine, 'access/import')
    const stopped = page.getByRole('listitem').filter({ hasText: 'Stopped' })
    await expect
      .poll(async () => {
        await page.reload()
        await page.getByText('Last imports').waitFor()
        return await stopped.count()
      })
      .toBe(2)
    expect(await stopped.first().textContent()).toContain(
      'Import the same file again for the rest.',
    )
    const second = await imported()
    expect(second).toBeGreaterThanOrEqual(first)
    expect(second).toBeLessThan(count)
    await begin(helper)
    await shown(/rows imported, [\d,]+ unchanged, 0 refused\.$/)
    expect(await imported()).toBe(count)
  })

  it('asks what a date means that can be read in two ways', async () => {
    await helper.open(app, 'access/import')
    await page.getByText('Paste rows instead').click()
    const text = 'Email\tProduct\tExpires\nzoe@example.com\tDaily news\t05/06/2037'
    await page.getByLabel('Rows copied from a spreadsheet').fill(text)
    await button('Use these rows').click()
    await shown('These dates can be read in two ways. Choose one.', page.locator('.text-failed'))
    expect(await findBarriers(page)).toEqual([])
    expect(await button('Check what changes').isDisabled()).toBe(true)
    await page.getByLabel('Dates are written as').selectOption('mdy')
    await row('zoe@example.com').getByText('6 May 2037').waitFor()
    await button('Check what changes').click()
    await button('New 1').waitFor()
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
