import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useAccessPages } from '../../../testing/browser/access-pages.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { DARK_PHONE, overflowOf } from '../../../testing/browser/dashboard-parts.ts'
import { HOSTILE_INPUTS, HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'

describe('access with a browser', () => {
  const pages = useAccessPages(() => page)
  const { server, app, helper, row, total, grant, csv, input, button, choose, dialog } = pages
  const { question, shown, title } = pages
  let page: Page
  let now: number
  beforeAll(() => {
    page = helper.page
    now = app.environment.clock()
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
    await button('Include access that has ended').click()
    await row('cy').getByText('Ended').last().waitFor()
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
    await shown(/^This day has passed, so access ends immediately\./)
    await page.getByLabel('Extend by').selectOption('never')
    await button('Extend access', dialog()).click()
    await shown('bob has access with no end date.')
    await row('bob').getByText('No end date').last().waitFor()
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
