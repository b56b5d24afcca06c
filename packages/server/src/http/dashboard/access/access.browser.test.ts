import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { type StaffBrowser, useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { HOSTILE_INPUTS, HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'
import { MONTHLY, openShop } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'

describe('access with a browser', () => {
  const server = useDashboard()
  const app = useFixture(() => openShop(server.service))
  let helper: StaffBrowser
  let page: Page
  let now: number

  beforeAll(async () => {
    await app.addResource('news', { name: 'Daily news' })
    await app.addResource('maps', { name: 'Maps' })
    now = app.environment.clock()
    helper = await server.staffBrowser('support')
    page = helper.page
  })

  const { button, choose, dialog, question, shown, title } = partsOf(() => page)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  const total = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
  const grant = (name: string, more: Record<string, unknown> = {}) =>
    app.client.grantAccess({
      ...{ rid: 'news', email: `${name}@example.com`, user_ref: name, first_name: name },
      ...more,
    })

  it('teaches what it is where there is none, and is granted by those who may', async () => {
    const reader = await server.staffBrowser('reader')
    await reader.open(app, 'access')
    await reader.page.getByRole('heading', { name: 'Nobody has access right now' }).waitFor()
    for (const name of ['Grant access', 'Export']) {
      expect(await button(name, reader.page).count()).toBe(0)
    }
    await reader.open(app, 'access/import')
    await title('Your role can’t open this page', reader.page)
    await reader.context.close()

    await helper.open(app, 'access')
    await page.getByRole('heading', { name: 'Nobody has access right now' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Grant access').first().click()
    await button('Grant access', dialog()).click()
    await shown('This field is required.')
    await page.getByLabel('Resource').selectOption('news')
    await page.getByLabel('Email', { exact: true }).fill('ann')
    await page.getByLabel('Access ends').focus()
    await shown('Enter a valid email address.')
    await page.getByLabel('Email', { exact: true }).fill('ann@example.com')
    await shown(
      /^Gets access with no end date\. Nobody has this email address yet, so a new person is added\./,
    )
    expect(await findBarriers(page)).toEqual([])
    await button('Grant access', dialog()).click()
    await shown(/^ann@example\.com has access to Daily news with no end date\./)
    await row('ann@example.com').getByText('Live').last().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Undo').last().click()
    await page.getByRole('heading', { name: 'Nobody has access right now' }).waitFor()
  })

  it('says beforehand what a grant changes, and at its field what is wrong', async () => {
    await grant('ann', { expiration: now + 30 * DAY })
    await button('Grant access').first().click()
    await page.getByLabel('Resource').selectOption('news')
    await page.getByLabel('Email', { exact: true }).fill('ann@example.com')
    await shown(/After this grant: with no end date\./)
    await page.getByLabel('Access ends').selectOption('week')
    await shown(/The grant will end earlier: /)
    await page.getByLabel('Access ends').selectOption('date')
    await button('Grant access', dialog()).click()
    await shown('Choose a day.')
    await page.getByLabel('Last day').fill('2099-12-31')
    await page.getByText('Name, site user ID, tags and message').click()
    await page.getByLabel('First name').fill('Ann')
    await page.getByLabel('Last name').fill('Example')
    await page.getByLabel('Tags').fill('vip, early')
    await page.getByLabel('Message').fill('Welcome.')
    await grant('bob', { expiration: now + 3 * DAY })
    await page.getByLabel('Site user ID').fill('bob')
    await button('Grant access', dialog()).click()
    await shown(
      'This ID belongs to another person. If both are the same person, merge them.',
      dialog(),
    )
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Site user ID').fill('4711')
    await page.getByLabel('Notify by email').click()
    await button('Grant access', dialog()).click()
    await shown('Ann Example has access to Daily news until 31 Dec 2099.')
    await row('Ann Example').getByText('ann@example.com').waitFor()
  })

  it('is found while one types, by filters that are the address, and by keys alone', async () => {
    await grant('cy', { expiration: now - DAY })
    await grant('dan', { rid: 'maps' })
    await app.client.revokeAccess({ rid: 'maps', user_ref: 'dan' })
    await helper.open(app, 'access')
    await total('2 results')
    await page.getByLabel('Search').fill('bo')
    await total('1 result')
    await row('bob').getByText('Ending soon').last().waitFor()
    await page.getByLabel('Search').fill('cy')
    await page.getByRole('heading', { name: 'No matches with live access' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Include expired access').click()
    await row('cy').getByText('Expired').last().waitFor()
    expect(new URL(page.url()).search).toBe('?q=cy&state=unrevoked')
    await page.getByLabel('Search').fill('')
    await row('bob').waitFor()
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    await button('Filter').click()
    await page.getByLabel('State', { exact: true }).selectOption('revoked')
    await page.getByLabel('Resource').selectOption('maps')
    expect(await findBarriers(page)).toEqual([])
    await button('Apply').click()
    await row('dan').getByText('Revoked').last().waitFor()
    expect(new URL(page.url()).search).toBe('?state=revoked&rid=maps')
    await page.reload()
    await row('dan').getByText('Revoked').last().waitFor()
    await button('Remove filter State').click()
    await page.getByRole('heading', { name: 'No matches with live access' }).waitFor()
    await button('Remove filter Resource').click()
    await total('2 results')
    await page.getByLabel('Search').press('ArrowDown')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await shown('1 selected')
    await page.keyboard.press('x')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/people\//)
    await page.goBack()
  })

  it('is extended from its own end, with a way back', async () => {
    await choose('Actions for bob: Daily news', 'Extend access')
    await dialog()
      .getByText(/^Access now: until .+\. Afterwards: until .+\.$/)
      .waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Extend by').selectOption('date')
    await page.getByLabel('Last day').fill('2020-01-01')
    await shown(/^This is earlier than the current end\./)
    await page.getByLabel('Extend by').selectOption('never')
    await button('Extend access', dialog()).click()
    await shown('bob has access with no end date.')
    await row('bob').getByText('No end date').waitFor()
    await button('Undo').last().click()
    await row('bob').getByText('Ending soon').last().waitFor()
  })

  it('is revoked with its effect in numbers, and the money is paid back if one wants', async () => {
    await app.buy({ rid: 'maps', userRef: 'eve', vouchedEmail: 'eve@example.com', terms: MONTHLY })
    await page.reload()
    await choose('Actions for Rita Reader: Maps', 'Revoke access')
    await shown('Rita Reader loses access to Maps immediately.', question())
    await shown('No email is sent.', question())
    await shown('1 subscription ends; nothing more is charged.', question())
    await page.getByLabel('Refund 4.99 EUR').click()
    const kept = 'No email about the refund is sent, because no mail server is set up.'
    await shown(kept, question())
    expect(await findBarriers(page)).toEqual([])
    await button('Revoke access', question()).click()
    await shown('Rita Reader’s access to Maps is revoked. Refund of 4.99 EUR started.')
    await row('Rita Reader').waitFor({ state: 'detached' })
  })

  it('is extended and revoked in bulk', async () => {
    await app.buy({ rid: 'maps', userRef: 'flo', vouchedEmail: 'flo@example.com' })
    await helper.open(app, 'access')
    await total('3 results')
    await page.getByLabel('Select all on this page').click()
    await shown('3 selected')
    expect(await findBarriers(page)).toEqual([])
    await button('Extend access').click()
    await page.getByRole('dialog', { name: 'Extend 2 access records' }).waitFor()
    await button('Extend access', dialog()).click()
    await shown('2 access records extended.')
    await page.getByLabel('Select bob: Daily news').click()
    await page.getByLabel('Select Rita Reader: Maps').click()
    await button('Revoke access').click()
    await shown('2 people lose access to 2 resources immediately.', question())
    await shown('No email is sent.', question())
    await page.getByLabel('Refund 4.99 EUR').click()
    await button('Revoke access', question()).click()
    await shown('2 access records revoked. 1 refund started.')
    await total('1 result')
  })

  const csv = (...lines: string[]) => ({
    ...{ name: 'readers.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(['rid,email,first_name', ...lines, ''].join('\n')),
  })
  const input = () => page.locator('input[type=file]')

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
    await shown(/^This is an exact export of Gatehouse\./)
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
  /** What Excel saves in Germany. */
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
    await row('abo0@example.de').getByText('No end date').waitFor()
  })

  it('stops being imported by a button or with its page, keeps what is done, and goes on', async () => {
    const magazine = await openShop(server.service)
    await magazine.addResource('maps', { name: 'Maps' })
    // Enough that a busy machine can stop it before its end.
    const count = 20_000
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
      await button('Stop', at).waitFor()
    }
    await begin(helper)
    await button('Stop').click()
    await shown(
      /^Stopped after about [\d,]+ of 20,000 rows\. What was imported stays\. Import the same file again for the rest\.$/,
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

  it('is exported for people as it is filtered, and in exact values', async () => {
    await grant('ida', { first_name: '=1+1' })
    await helper.open(app, 'access?rid=news')
    await row('ida@example.com').first().waitFor()
    const lines: Record<string, string[]> = {}
    for (const form of [
      'For a spreadsheet This list, with names and readable dates.',
      'For a spreadsheet, with semicolons',
      'Exact values',
    ]) {
      await button('Export').click()
      const saving = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: form }).click()
      const text = await readFile(await (await saving).path(), 'utf8')
      lines[form] = text.split(/\r?\n/).filter((line) => /^\ufeff|ida@/.test(line))
    }
    expect(Object.values(lines)).toEqual([
      [
        expect.stringMatching(/^\ufeffEmail,First name,Last name,Resource,Access until,State,/),
        expect.stringMatching(/^ida@example\.com,'=1\+1,,Daily news,,Live,/),
      ],
      [
        expect.stringMatching(/^\ufeffEmail;First name;/),
        expect.stringMatching(/^ida@example\.com;'=1\+1;;Daily news;;Live;/),
      ],
      [expect.stringContaining(',news,ida@example.com,ida,,=1+1,,')],
    ])
    expect(await button('Export this page (CSV)').count()).toBe(0)
  })

  it('shows hostile texts as texts, whichever field they were typed into', async () => {
    await helper.open(app, 'access')
    for (const hostile of HOSTILE_INPUTS) {
      await button('Grant access').click()
      await page.getByLabel('Resource').selectOption('news')
      await page.getByLabel('Email', { exact: true }).fill(hostile)
      // Leaving the invalid field shows an error, which must not move the target away from under the click.
      await page.getByText('Name, site user ID, tags and message').click()
      for (const label of ['First name', 'Last name', 'Tags', 'Message', 'Site user ID']) {
        await page.getByLabel(label).fill(hostile)
      }
      await button('Grant access', dialog()).click()
      await shown('Enter a valid email address.')
      await page.getByLabel('Email', { exact: true }).fill('mal@example.com')
      await page.getByLabel('Tags').fill('')
      await button('Grant access', dialog()).click()
      await dialog().waitFor({ state: 'detached' })
      await row('mal@example.com').getByText(hostile).first().waitFor()
    }
    for (const hostile of HOSTILE_INPUTS) {
      await page.getByLabel('Search').fill(hostile)
      await page.waitForURL((url) => url.searchParams.get('q') === hostile)
    }
    await helper.open(app, 'access')
    await button('Filter').click()
    const [first = ''] = HOSTILE_INPUTS
    await page.getByLabel('Tag', { exact: true }).fill(first)
    await button('Apply').click()
    await page.getByRole('alert').waitFor()
    await helper.open(app, `access?email=${encodeURIComponent(first)}`)
    await page.getByRole('list', { name: 'Filters' }).getByText(first).waitFor()
    await page.getByRole('alert').waitFor()
    await helper.open(app, 'access/import')
    const quoted = HOSTILE_TEXTS.map((text) => `"${text.replaceAll('"', '""')}",x,y`)
    await input().setInputFiles({ ...csv(...quoted), name: '<img src=x onerror=alert(1)>.csv' })
    await shown(/^<img src=x onerror=alert\(1\)>\.csv: 8 rows\./)
    await button('Check what changes').click()
    await shown('<img src=x onerror=alert(1)>.csv: 8 rows. Nothing has changed yet.')
    await page.getByRole('row').nth(8).waitFor()
  })

  it('works on a small screen in the dark', async () => {
    const small = await server.staffBrowser('support', DARK_PHONE)
    for (const path of ['access', 'access/import']) {
      await small.open(app, path)
      await small.page.getByRole('heading', { level: 1 }).waitFor()
      if (path === 'access') await small.page.getByRole('row').nth(1).waitFor()
      expect(await findBarriers(small.page)).toEqual([])
      expect(await overflowOf(small.page)).toBe(0)
    }
    await small.open(app, 'access')
    await button('Grant access', small.page).click()
    await small.page.getByRole('dialog').waitFor()
    expect(await findBarriers(small.page)).toEqual([])
    await small.context.close()
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
