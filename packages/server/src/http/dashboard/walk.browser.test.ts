import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/browser/dashboard-browser.ts'
import { confirmingWith, partsOf } from '../../testing/browser/dashboard-parts.ts'
import { KEEPS_PICTURES, savePicture, useWalk } from '../../testing/browser/walk.ts'

/** Allows at most 60 clicks and typed fields from the link to the mail. */
const FIVE_MINUTES = 300

const ISSUE = 'Tides: autumn issue'
const FILE = 'Tides autumn.pdf'
const READER = 'maria@example.com'

/**
 * Runs `npm start` without any settings, as a person who has only the printed link and knows only what the
 * pages say: every element is found by its visible name.
 */
const PASSWORD = 'blue lamp over harbour'

describe('the first five minutes with a browser', () => {
  let server: TestServer
  let page: Page

  beforeAll(async () => {
    server = await startTestServer()
    const person = await server.newPerson({ viewport: { width: 1280, height: 800 } })
    person.context.setDefaultTimeout(15_000)
    page = person.page
    await page.addLocatorHandler(...confirmingWith(page, PASSWORD))
  })
  afterAll(() => server?.stop())

  const { act, click, type, choose, seconds } = useWalk()
  const { button, dialog, question } = partsOf(() => page)
  const link = (name: string, at: Page | Locator = page) =>
    at.getByRole('link', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const sections = () => page.getByRole('navigation')

  const heading = (name: string, level = 1) =>
    page.getByRole('heading', { level, name, exact: true }).waitFor()
  const see = (text: string | RegExp, at: Page | Locator = page) =>
    at.getByText(text).filter({ visible: true }).first().waitFor()

  /** Renews a screenshot of docs/start/dashboard.md. */
  const picture = (name: string) => savePicture(page, 'dashboard', name)

  beforeEach(async () => {
    // For a real person, who is slower, the messages of the previous step would be gone by now.
    const messages = page.getByRole('region', { name: /^Notifications/ })
    if (KEEPS_PICTURES)
      for (const close of await button('Close', messages).all()) await close.click()
  })

  it('starts with the link that the start prints, and an account', async () => {
    await act(page.goto(server.setUpLink))
    await heading('Set up Gatehouse')
    await see('You become the owner')
    await type(field('Email'), 'anna@example.com')
    await type(field('Your name'), 'Anna Berg')
    await type(field('Password'), PASSWORD)
    await picture('01-account')
    await click(button('Create account'))
    await heading('Overview')
    await see('Set up your shop')
  })

  it('makes an application for the publication', async () => {
    await click(page.getByRole('button', { name: 'My application' }))
    await click(page.getByRole('menuitem', { name: 'New application', exact: true }))
    await heading('New application')
    await type(field('Name'), 'Harbour Press')
    await click(button('Create'))
    await heading('Harbour Press is ready')
    await see('Private key')
    // The navigation on the left now belongs to the new application.
    await page.getByRole('button', { name: 'Harbour Press' }).waitFor()
    await click(link('Open Harbour Press'))
    await heading('Overview')
    await see('Set up your shop')
    await picture('02-overview')
  })

  it('creates a resource', async () => {
    await click(link('Create resource'))
    await type(dialog().getByLabel('Name', { exact: true }), ISSUE)
    expect(await dialog().getByLabel('Resource ID', { exact: true }).inputValue()).toBe(
      'tides-autumn-issue',
    )
    await picture('03-resource')
    await click(button('Create', dialog()))
    await heading(ISSUE)
    await see(`${ISSUE} is created.`)
  })

  it('uploads its file', async () => {
    const [files] = await Promise.all([
      page.waitForEvent('filechooser'),
      click(page.getByText('choose files', { exact: true })),
    ])
    const buffer = Buffer.from(`%PDF-1.7 ${'tides '.repeat(50_000)}`)
    await act(files.setFiles({ name: FILE, mimeType: 'application/pdf', buffer }))
    await see(`${FILE} is uploaded. Readers with access can download it.`)
    await see(`${FILE} · 300 kB`)
    await see('Published')
    await picture('04-file')
  })

  it('grants access to a reader by e-mail', async () => {
    await click(link('Access', sections()))
    await heading('Access')
    await see('Nobody has access right now')
    await click(button('Grant access').first())
    await choose(field('Resource'), `${ISSUE} (tides-autumn-issue)`)
    await type(dialog().getByLabel('Email', { exact: true }), READER)
    await see('Nobody has this email address yet, so a new person is added.', dialog())
    await see(
      'The email is not sent, because no mail server is set up. You can read it under Emails.',
      dialog(),
    )
    await picture('05-grant')
    await click(button('Grant access', dialog()))
    await see(`${READER} has access to ${ISSUE} with no end date.`)
    await see('Live', page.getByRole('row').filter({ hasText: READER }))
  })

  it('finds that person', async () => {
    await click(page.getByRole('button', { name: 'Find' }))
    await type(page.getByRole('combobox', { name: 'Find anything' }), 'maria')
    const hit = page.getByRole('option').filter({ hasText: READER })
    await hit.waitFor()
    await picture('06-find')
    await click(hit)
    await heading(READER)
    await see('Has access with no end date, through a grant on')
    await see(`You granted access to ${ISSUE} with no end date`)
    await picture('07-person')
  })

  it('revokes the access', async () => {
    await click(page.getByRole('main').getByRole('button', { name: `Actions for ${ISSUE}` }))
    await click(page.getByRole('menuitem', { name: 'Revoke access', exact: true }))
    await see(`${READER} loses access to ${ISSUE} immediately.`, question())
    await see('No email is sent.', question())
    await picture('08-revoke')
    await click(button('Revoke access', question()))
    await see(`${READER}’s access to ${ISSUE} is revoked.`)
    await see('No access: it was revoked on')
    await see(`You revoked access to ${ISSUE}`)
  })

  it('reads the mail that the grant wrote', async () => {
    await click(link('Emails', sections()))
    await heading('Emails')
    await see('No mail server is set up, so emails are not sent.')
    const row = page.getByRole('row').filter({ hasText: READER })
    await see('Access granted', row)
    await see('Not sent', row)
    await click(row)
    await heading(`Harbour Press: your access to ${ISSUE}`)
    const mail = page.frameLocator('iframe')
    await mail.getByText(`You have been given access to ${ISSUE}.`).waitFor()
    await mail.getByText('Sent by Harbour Press.').waitFor()
    await picture('09-mail')
  })

  it('takes no more than five minutes, and the browser complains about nothing', () => {
    expect(seconds()).toBeLessThanOrEqual(FIVE_MINUTES)
    expect(server.browserErrors).toEqual([])
  })

  it('proposes the place where one is for another application', async () => {
    const where = () => page.getByRole('combobox', { name: 'Environment' }).inputValue()
    const open = async (name: string) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('menuitem', { name: 'New application', exact: true }).click()
      await heading('New application')
    }
    await open('Harbour Press')
    expect(await where()).toBe('production')
    await click(link('Sandbox'))
    await heading('Overview')
    await open('My application')
    expect(await where()).toBe('sandbox')
    await see('For testing.')
  })

  it('moves the clock of the sandbox on', async () => {
    await click(link('Overview', sections()))
    const band = page.getByRole('region', { name: 'Sandbox', exact: true })
    const shown = async () =>
      Date.parse((await band.getByRole('time').getAttribute('datetime')) ?? '')
    const before = await shown()
    await click(button('advance the clock', band))
    await see(/^New sandbox time: /, dialog())
    await click(button('Advance', dialog()))
    await see(/^Sandbox time: .*\.$/)
    const moved = (await shown()) - before
    expect(Math.round(moved / 3_600_000)).toBe(24)
    expect(server.browserErrors).toEqual([])
  })
})
