import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import {
  type Person,
  startTestServer,
  type TestServer,
} from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE } from '../../../testing/browser/dashboard-parts.ts'

const PASSWORD = 'a few good words'

describe('signing out', () => {
  let server: TestServer
  let owner: Person
  beforeAll(async () => {
    server = await startTestServer({ refusals: /status of 40[13]|ERR_INTERNET_DISCONNECTED/ })
    owner = await server.newPerson(DARK_PHONE)
  })
  afterAll(() => server?.stop())

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
  const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage))

  async function openAccount({ page }: Person, path = 'account'): Promise<void> {
    await page.goto(`${server.dashboard}${path}`)
    await heading(page, 'Your account').waitFor()
  }

  async function signOut({ page }: Person): Promise<void> {
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Account of Ann' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }

  it('clears the page without a connection, and ends the session once it is back', async () => {
    const { page, context } = owner
    await page.goto(server.setUpLink)
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Your name').fill('Ann')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Menu' }).waitFor()
    await openAccount(owner)
    await context.setOffline(true)
    await signOut(owner)
    await heading(page, 'Not signed out yet').waitFor()
    expect(await page.textContent('body')).not.toContain('Ann')
    expect(await page.content()).not.toContain('ann@example.com')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading(page, 'Not signed out yet').waitFor()
    await page.goBack()
    expect(await page.content()).not.toContain('ann@example.com')
    await page.goForward()
    await heading(page, 'Not signed out yet').waitFor()
    await context.setOffline(false)
    await heading(page, 'Sign in').waitFor()
    await page.goto(`${server.dashboard}account`)
    await heading(page, 'Sign in').waitFor()
  })

  it('forgets what the browser has stored, but not the theme', async () => {
    const { page } = owner
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Your account').waitFor()
    await page.evaluate(() => {
      localStorage.setItem('gatehouse.theme', 'light')
      localStorage.setItem('gatehouse.place', '{}')
    })
    await page.reload()
    await heading(page, 'Your account').waitFor()
    await signOut(owner)
    await heading(page, 'Sign in').waitFor()
    expect(await storedKeys(page)).toEqual(['gatehouse.theme'])
  })

  it('does not follow from a link to its page', async () => {
    const { page } = owner
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Menu' }).waitFor()
    await page.goto(`${server.dashboard}sign-out`)
    await page.getByRole('button', { name: 'Menu' }).waitFor()
    expect(new URL(page.url()).pathname).not.toContain('sign-out')
    await openAccount(owner)
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
