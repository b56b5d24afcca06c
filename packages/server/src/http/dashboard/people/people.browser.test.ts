import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { DARK_PHONE, overflowOf } from '../../../testing/browser/dashboard-parts.ts'
import { usePeoplePages } from '../../../testing/browser/people-pages.ts'
import { HOSTILE_INPUTS } from '../../../testing/http/hostile-texts.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { DAY } from '../../../testing/time.ts'

describe('people with a browser', () => {
  const pages = usePeoplePages(() => page)
  const { server, app, helper, grant, line, button, choose, dialog, question, shown } = pages
  const { title } = pages
  let page: Page
  let now: number
  let ann: string
  beforeAll(() => {
    page = helper.page
    now = app.environment.clock()
  })

  const ACTIONS = 'More actions for this person'

  it('are taught about where there are none', async () => {
    const reader = await server.staffBrowser('reader')
    await reader.open(app, 'people')
    await reader.page.getByRole('heading', { name: 'No people yet' }).waitFor()
    expect(await button('Grant access', reader.page).count()).toBe(0)
    expect(await findBarriers(reader.page)).toEqual([])
    await reader.context.close()
  })

  it('are found by the box that finds anything, and by the list', async () => {
    const who = { userRef: 'ann', vouchedEmail: 'ann@example.com' }
    await app.buy({ rid: 'pass', terms: MONTHLY, ...who })
    await app.buy({ rid: 'maps', ...who })
    ann = (await grant('old', 'ann', { expiration: now - DAY })).uid
    await grant('gone', 'ann')
    await app.client.revokeAccess({ rid: 'gone', user_ref: 'ann' })
    await grant('maps', 'bob', { first_name: 'Bob', last_name: 'Other' })

    await helper.open(app, 'people')
    await page.getByRole('link', { name: 'Bob Other' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Search').fill('rita')
    await page.getByRole('link', { name: 'Bob Other' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('ann@')
    await page.getByRole('option', { name: /Rita Reader/ }).waitFor()
    await page.keyboard.press('Enter')
    await title('Rita Reader')
    expect(page.url()).toContain(`/people/${ann}`)
  })

  it("are told of above all else: what can be read or can't, and why", async () => {
    await line('Monthly pass')
      .getByText(/^Has access through a subscription that renews on /)
      .waitFor()
    await line('Maps')
      .getByText(/^Has access with no end date, through a purchase for 4\.99 EUR on /)
      .waitFor()
    await line('Issue 7')
      .getByText(/^Lost access on .+: the grant of .+ expired\.$/)
      .waitFor()
    await line('Issue 8')
      .getByText(/^No access: it was revoked on /)
      .waitFor()
    const box = await line('Issue 8').boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(720)
    await page.getByText('1 resource this person never had access to').click()
    await shown('Issue 9 · never had access')
    expect(await findBarriers(page)).toEqual([])
  })

  it('were refused at the site for a reason, which stays true when it has gone', async () => {
    await shown('No access check of your site was refused in the last 30 days.')
    await shown(/^If they still can’t read it, your site may know them under another ID/)
    for (const rid of ['old', 'old', 'gone', 'other', 'issue-99']) {
      await app.client.getAccess({ rid, user_ref: 'ann' }).catch(() => {})
    }
    await page.reload()
    const refused = page.locator('section').filter({ hasText: 'Refused checks' })
    await shown(/^Issue 7: refused, because access ended on .+\d\d:\d\d\.$/, refused)
    await shown(/ · 2 times since /, refused)
    await shown(/^Issue 8: refused, because access was revoked on /, refused)
    await shown(/^Issue 9: refused, because access was never granted\.$/, refused)
    await shown('“issue-99”: refused, because there is no such resource.', refused)
    expect(await refused.getByText('Has access now.').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })

  it('have a timeline, and all that was bought, paid, fetched and written', async () => {
    for (const text of [
      'Subscribed to Monthly pass',
      'Paid 4.99 EUR for Maps',
      'Access to Issue 7 expired',
    ]) {
      await shown(text)
    }
    await shown('Your site revoked access to Issue 8')
    await page.getByRole('tab', { name: 'Subscriptions (1)' }).click()
    await shown(/^4\.99 EUR every month/, page.getByRole('tabpanel'))
    await page.getByRole('tab', { name: 'Payments (2)' }).click()
    await page.getByRole('tabpanel').getByRole('link', { name: '4.99 EUR' }).first().waitFor()
    await page.getByRole('tab', { name: 'Downloads' }).click()
    await shown('No downloads.')
    await shown(/^Does a link to a file no longer work\? Resend the receipt/)
    await page.getByRole('tab', { name: /^Emails \(/ }).click()
    await shown(/^ann@example\.com · /, page.getByRole('tabpanel'))
    // Where the page is scrolled, the band of the sandbox covers a part of some button.
    await page.evaluate(() => window.scrollTo(0, 0))
    expect(await findBarriers(page)).toEqual([])
  })

  it('are helped in place: extended, granted again, revoked', async () => {
    await button('Extend access: Issue 7', line('Issue 7')).click()
    await button('Extend access', dialog()).click()
    await line('Issue 7')
      .getByText(/^Has access until .+, through a grant on /)
      .waitFor()
    await button('Grant again: Issue 8', line('Issue 8')).click()
    expect(await dialog().getByLabel('Email', { exact: true }).inputValue()).toBe('ann@example.com')
    await shown(/^Gets access with no end date\./)
    await button('Grant access', dialog()).click()
    await line('Issue 8')
      .getByText(/^Has access with no end date/)
      .waitFor()
    await shown('1 earlier revoked access record')
    await choose('Actions for Maps', 'Revoke access')
    await page.getByLabel('Refund 4.99 EUR').click()
    await button('Revoke access', question()).click()
    await line('Maps')
      .getByText(/^No access: it was revoked on /)
      .waitFor()
    const refund = page
      .getByRole('listitem')
      .filter({ hasText: /^You refunded 4\.99 EUR for Maps/ })
    await refund.getByText(/^\d steps$/).click()
    await shown(/^Refund for Maps requested · /, refund)
    await shown(/^Refund for Maps completed · /, refund)
    await shown(/^You revoked access to Maps/)
  })

  it('are changed with a way back, and told at its field what somebody else has', async () => {
    await choose(ACTIONS, 'Edit name or email')
    await page.getByLabel('First name').fill('Ann')
    await dialog().getByLabel('Email', { exact: true }).fill('bob@example.com')
    expect(await findBarriers(page)).toEqual([])
    await button('Save').click()
    await shown('Another person has this email address. If both are the same person, merge them.')
    expect(await dialog().getByLabel('Email', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    )
    expect(await page.getByLabel('First name').inputValue()).toBe('Ann')
    await dialog().getByLabel('Email', { exact: true }).fill('ann.reader@example.com')
    await shown('No email about the change is sent, because no mail server is set up.')
    await button('Save').click()
    await title('Ann Reader')
    await shown('ann.reader@example.com')
    await button('Undo').last().click()
    await title('Rita Reader')

    await choose(ACTIONS, 'Add site user ID')
    await dialog().getByLabel('Site user ID').fill('bob')
    await button('Add').click()
    await shown('This ID belongs to another person. If both are the same person, merge them.')
    expect(await findBarriers(page)).toEqual([])
    await dialog().getByLabel('Site user ID').fill('4711')
    await button('Add').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await button('Copy Person ID').isVisible()).toBe(false)
    await page.getByText('Details', { exact: true }).click()
    await button('Copy Site user ID 4711').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('are merged into another, with all they have', async () => {
    await grant('other', 'double', { first_name: 'Double' })
    await helper.open(app, 'people?q=double')
    await page.getByRole('link', { name: 'Double' }).click()
    await title('Double')
    await choose(ACTIONS, 'Merge into another person')
    await page.getByLabel('Other person', { exact: true }).fill('nobody at all')
    await shown('Nobody else matches.')
    await page.getByLabel('Other person', { exact: true }).fill('ann@')
    await dialog()
      .getByRole('button', { name: /Rita Reader/ })
      .waitFor()
    expect(await findBarriers(page)).toEqual([])
    const old = page.url()
    await dialog()
      .getByRole('button', { name: /Rita Reader/ })
      .click()
    await shown(
      '1 access record, 1 site user ID and 0 payments move to the other person.',
      question(),
    )
    await shown(/^Emails go to ann@example\.com from then on\./, question())
    await shown(/^Whatever is granted to double@example\.com or bought with it/, question())
    expect(await findBarriers(page)).toEqual([])
    await button('Merge', question()).click()
    await title('Rita Reader')
    await page.getByText('Details', { exact: true }).click()
    await button('Copy Former email double@example.com').waitFor()
    await line('Issue 9')
      .getByText(/^Has access with no end date/)
      .waitFor()
    await page.goto(old)
    await title('Erased person')
    await page.getByRole('link', { name: 'Open that person' }).click()
    await title('Rita Reader')
  })

  it('who never bought anything are not found, and the search says what that means', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find anything' }).fill('declined@example.com')
    await shown(/^Nobody with the address declined@example\.com has bought anything/)
    await page.keyboard.press('Escape')
  })

  it('show hostile texts as texts, whichever field they were typed into', async () => {
    await page.getByText('Details', { exact: true }).click()
    for (const hostile of HOSTILE_INPUTS) {
      await choose(ACTIONS, 'Edit name or email')
      await page.getByLabel('First name').fill(hostile)
      await page.getByLabel('Last name').fill('')
      await dialog().getByLabel('Email', { exact: true }).fill(hostile)
      await button('Save').click()
      await shown('Enter a valid email address.')
      await dialog().getByLabel('Email', { exact: true }).fill('ann@example.com')
      await button('Save').click()
      await title(hostile)
      await choose(ACTIONS, 'Add site user ID')
      await dialog().getByLabel('Site user ID').fill(hostile)
      await button('Add').click()
      await button(`Copy Site user ID ${hostile}`).waitFor()
    }
    await choose(ACTIONS, 'Merge into another person')
    for (const hostile of HOSTILE_INPUTS)
      await page.getByLabel('Other person', { exact: true }).fill(hostile)
    await page.keyboard.press('Escape')
    await helper.open(app, 'people')
    for (const hostile of HOSTILE_INPUTS) {
      await page.getByLabel('Search').fill(hostile)
      await page.waitForURL((url) => url.searchParams.get('q') === hostile)
    }
  })

  it('are looked at by those who may not help, on a small screen in the dark', async () => {
    const reader = await server.staffBrowser('reader', DARK_PHONE)
    for (const path of ['people', `people/${ann}`]) {
      await reader.open(app, path)
      await reader.page.getByRole('heading', { level: 1 }).waitFor()
      await reader.page
        .getByText(/^Monthly pass$|bob@example\.com/)
        .first()
        .waitFor()
      expect(await findBarriers(reader.page)).toEqual([])
      expect(await overflowOf(reader.page)).toBe(0)
    }
    for (const name of ['Grant access', /^Extend/, 'Revoke access', ACTIONS, 'Add note']) {
      expect(await button(name, reader.page).count()).toBe(0)
    }
    await reader.open(app, 'people/nobody')
    await title('Page not found', reader.page)
    await reader.context.close()
  })

  it('can have their data, and be erased for good', async () => {
    await app.addResource('over')
    await grant('over', 'ann', { expiration: now - DAY })
    await helper.open(app, `people/${ann}`)
    const saving = page.waitForEvent('download')
    await choose(ACTIONS, 'Export personal data')
    const file = await saving
    expect(file.suggestedFilename()).toBe(`person-${ann}.json`)
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
      user: { uid: ann },
    })

    await choose(ACTIONS, 'Erase person')
    await shown(
      '4 access records end and 1 subscription ends immediately. Open checkouts are canceled. Nothing is refunded.',
      question(),
    )
    expect(await button('Erase permanently', question()).isDisabled()).toBe(true)
    await page.getByLabel('Type ann@example.com to confirm').fill('ann@example.com')
    expect(await findBarriers(page)).toEqual([])
    await button('Erase permanently', question()).click()
    await title('Erased person')
    await shown('This person was erased. Their personal data is gone.')
    expect(await page.getByText('ann@example.com').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
