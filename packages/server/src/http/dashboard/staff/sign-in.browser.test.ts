import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addVirtualAuthenticator } from '../../../testing/browser/authenticator.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import {
  type Person,
  startTestServer,
  type TestServer,
} from '../../../testing/browser/dashboard-browser.ts'
import { confirmingWith, DARK_PHONE } from '../../../testing/browser/dashboard-parts.ts'
import { useSmtp } from '../../../testing/use-service.ts'

const PASSWORD = 'a few good words'

describe('the staff with a browser', () => {
  const smtp = useSmtp()
  let server: TestServer
  let owner: Person
  let helper: Person
  let start: string

  /** Enables the animations that other tests turn off. */
  const newPerson = (options: object = {}) =>
    server.newPerson({ reducedMotion: 'no-preference', ...options })

  beforeAll(async () => {
    const env = { GATEHOUSE_SMTP_URL: smtp.url }
    server = await startTestServer({ env, refusals: /status of 4(?:0[134]|10)/ })
    start = server.dashboard
    owner = await newPerson()
    helper = await newPerson(DARK_PHONE)
    await owner.page.addLocatorHandler(...confirmingWith(owner.page, PASSWORD))
    await helper.page.addLocatorHandler(...confirmingWith(helper.page, PASSWORD))
  })
  afterAll(() => server?.stop())

  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name })

  async function open(page: Page, path: string, title: string): Promise<void> {
    await page.goto(`${start}${path}`)
    await heading(page, title).waitFor()
  }

  /** Waits for an email, and returns the link in it. */
  const mailedLink = (to: string, path: string) =>
    vi.waitFor(
      () => {
        const texts = smtp.mailsTo(to).map(({ mail }) => mail.text ?? '')
        const link = texts.join('').match(new RegExp(`${start}${path}#\\w+`))?.[0]
        if (link === undefined) throw new Error(`no email to ${to} with a link to ${path}`)
        return link
      },
      { timeout: 60_000 },
    )

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  const isSignedIn = (page: Page, name: string) =>
    page
      .getByRole('button', { name: new RegExp(`Account of ${name}|^Menu$`) })
      .first()
      .waitFor()

  it('asks whoever is not signed in to sign in, and tells nothing else', async () => {
    const { context, page } = await newPerson()
    await page.goto(`${start}team?page=1`)
    await heading(page, 'Sign in').waitFor()
    expect(new URL(page.url()).searchParams.get('back')).toBe('/team?page=1')
    await signIn(page, 'ann@example.com')
    await page.getByText('Wrong email address or password.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await context.close()
  })

  it('lets the first owner in by the set-up link, once', async () => {
    const { page } = owner
    await page.goto(server.setUpLink)
    await heading(page, 'Set up Gatehouse').waitFor()
    expect(page.url()).not.toContain('#')
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Your name').fill('Ann')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Add 5 more characters.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await isSignedIn(page, 'Ann')

    const stranger = await newPerson()
    await stranger.page.goto(server.setUpLink)
    await heading(stranger.page, 'This link is no longer valid').waitFor()
    expect(await findBarriers(stranger.page)).toEqual([])
    await stranger.context.close()
  })

  it('shows the owner an account that can be changed', async () => {
    const { page } = owner
    await open(page, 'account', 'Your account')
    await page.getByText('this session').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Your name').fill('Ann Owner')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Account of Ann Owner' }).waitFor()
  })

  it('lets the owner invite somebody, who joins by the link', async () => {
    const { page } = owner
    await page.getByRole('button', { name: 'Account of Ann Owner' }).click()
    await page.getByRole('menuitem', { name: 'Team' }).click()
    await heading(page, 'Team').waitFor()
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Email').fill('bob@example.com')
    await page.getByRole('radio', { name: 'Support' }).click()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Create link' }).click()
    const shown = page.getByRole('dialog').getByText(`${start}invite#`)
    const link = (await shown.textContent()) as string
    await page.getByText('The link is also being emailed to bob@example.com.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await mailedLink('bob@example.com', 'invite')).toBe(link)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Invited').last().waitFor()
    await page.reload()
    await page.getByText(/^Emailed/).waitFor()
    expect(await findBarriers(page)).toEqual([])

    await helper.page.goto(link)
    await helper.page.getByText('You are invited as Support.').waitFor()
    expect(await findBarriers(helper.page)).toEqual([])
    await helper.page.getByLabel('Your name').fill('Bob')
    await helper.page.getByLabel('Password').fill(PASSWORD)
    await helper.page.getByRole('button', { name: 'Join' }).click()
    await isSignedIn(helper.page, 'Bob')
  })

  it('hides from a helper what only owners may do', async () => {
    const { page } = helper
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Account of Bob' }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Team' }).count()).toBe(0)
    expect(await page.getByRole('menuitem', { name: 'Audit log' }).count()).toBe(0)
    await open(page, 'team', 'Your role can’t open this page')
    expect(await findBarriers(page)).toEqual([])
  })

  it('lets a passkey take the place of a password', async () => {
    const { context, page } = helper
    await addVirtualAuthenticator(context, page)
    await open(page, 'account', 'Your account')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByLabel('Name of the passkey').fill('Telephone')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for Telephone' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await heading(page, 'Sign in').waitFor()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await isSignedIn(page, 'Bob')
  })

  it('signs a disabled member out at once, and brings nobody elsewhere afterwards', async () => {
    const { page } = owner
    await open(page, 'team', 'Team')
    await page.getByRole('button', { name: 'Actions for Bob' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await page.getByRole('alertdialog', { name: 'Disable Bob?' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled', { exact: true }).last().waitFor()

    await helper.page.goto(`${start}account`)
    await heading(helper.page, 'Sign in').waitFor()
    await page.getByRole('button', { name: 'Actions for Bob' }).click()
    await page.getByRole('menuitem', { name: 'Enable' }).click()
    await page.getByText('Bob can sign in again.').first().waitFor()
    await helper.page.goto(`${start}sign-in?back=${encodeURIComponent('//evil.example/')}`)
    await signIn(helper.page, 'bob@example.com')
    await isSignedIn(helper.page, 'Bob')
    expect(helper.page.url().startsWith(start)).toBe(true)
  })

  it('writes down what was done, for the owner to filter', async () => {
    const { page } = owner
    await open(page, 'audit', 'Audit log')
    await page.getByText('disabled Bob').waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('What', { exact: true }).selectOption('account')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('disabled Bob').waitFor({ state: 'detached' })
    expect(page.url()).toContain('group=account')
    expect(await page.getByText('Bob signed in').count()).toBeGreaterThan(0)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove filter What' }).click()
    await page.getByText('disabled Bob').waitFor()
  })

  it('lets a member choose which emails to get', async () => {
    const { page } = owner
    await page.getByRole('button', { name: 'Account of Ann Owner' }).click()
    await page.getByRole('menuitem', { name: 'Notifications' }).click()
    await heading(page, 'Notifications').waitFor()
    const sales = page.getByRole('checkbox', { name: 'Sales' }).first()
    expect(await page.getByRole('checkbox', { name: 'Disputes' }).first().isChecked()).toBe(true)
    expect(await sales.isChecked()).toBe(false)
    await sales.click()
    await page.getByText('Sales: on.', { exact: true }).waitFor()
    await page.reload()
    await sales.and(page.locator('[data-state=checked]')).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('sends a link to a member who has forgotten the password, and asks for the passkey', async () => {
    const { page } = helper
    await page.context().clearCookies()
    await page.goto(`${start}sign-in`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await heading(page, 'Forgot your password?').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Email').fill('bob@example.com')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await heading(page, 'Check your email').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.goto(await mailedLink('bob@example.com', 'reset'))
    await page.getByLabel('Password').fill(`${PASSWORD} again`)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await isSignedIn(page, 'Bob')
  })

  it('keeps the theme that was chosen, before anything is painted', async () => {
    const { page } = owner
    await page.getByRole('button', { name: 'Account of Ann Owner' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.reload()
    await heading(page, 'Notifications').waitFor()
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(scheme).toBe('dark')
    expect(await findBarriers(page)).toEqual([])
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
