import { describe, expect, it } from 'vitest'
import { storeAskedLink } from '../../../domain/staff/asked-links.ts'
import { hashPassword } from '../../../domain/staff/passwords.ts'
import { newSecret } from '../../../ids.ts'
import { addVirtualAuthenticator } from '../../../testing/browser/authenticator.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { openShop } from '../../../testing/payments/shop.ts'
import { PASSWORD } from '../../../testing/staff.ts'

const NEW = 'a password that is new'

describe('a passkey instead of a password, with a browser', () => {
  const server = useDashboard()
  const shop = useFixture(() => openShop(server.service))
  const small = { viewport: { width: 390, height: 800 } }
  const owner = useFixture(() => server.staffBrowser('owner', small))
  const { button, shown, title, dialog, question, choose } = partsOf(() => owner.page)

  async function look(): Promise<void> {
    expect(await overflowOf(owner.page)).toBe(0)
    expect(await findBarriers(owner.page)).toEqual([])
  }

  const me = async () =>
    await server.service.ctx.control.read.selectFrom('staff').selectAll().executeTakeFirstOrThrow()

  const isSignedIn = () => button(/^Menu$/).waitFor()

  const requiredBox = () =>
    owner.page.getByRole('checkbox', { name: 'Sign in with a passkey only' })

  it('is required of an owner as soon as there is one, and the account says so', async () => {
    const { page, context } = owner
    const password = await hashPassword(PASSWORD)
    await server.service.ctx.control.write((trx) =>
      trx.updateTable('staff').set({ password }).execute(),
    )
    await addVirtualAuthenticator(context, page)
    await owner.open(shop, 'overview')
    await page.goto(`${server.dashboard}account`)
    await button('Add passkey').click()
    await dialog().getByLabel('Name of the passkey').fill('Phone')
    await page.keyboard.press('Enter')
    await shown('This installation asks for your passkey')
    expect(await requiredBox().isChecked()).toBe(true)
    expect(await requiredBox().isDisabled()).toBe(true)
    await look()
  })

  it('confirms what the password can’t', async () => {
    const { page } = owner
    await server.service.ctx.control.write((trx) =>
      trx.updateTable('staff_sessions').set({ confirmed_at: 0 }).execute(),
    )
    await button('Sign out everywhere').click()
    await question().getByRole('button', { name: 'Sign out everywhere' }).click()
    const asked = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await shown('No passkey at hand?', asked)
    expect(await asked.getByLabel('Password').count()).toBe(0)
    await look()
    await page.keyboard.press('Enter')
    await title('Sign in')
  })

  it('is asked for after the password, by keyboard', async () => {
    const { page } = owner
    // The test has set a cookie for another path, which no sign-out removes.
    await page.context().clearCookies()
    await page.goto(`${server.dashboard}sign-in`)
    await page.getByLabel('Email').fill((await me()).email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await title('Sign in with your passkey')
    await shown('gatehouse staff reset')
    await look()
    await button('Back').click()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await title('Sign in with your passkey')
    await page.keyboard.press('Enter')
    await isSignedIn()
  })

  it('is asked for by a link that was asked for, after the new password', async () => {
    const { page } = owner
    const token = newSecret()
    const staff = await me()
    const now = Date.now()
    await server.service.ctx.control.write((trx) =>
      storeAskedLink(trx, staff, { token, askedAt: now }, now),
    )
    await page.goto(`${server.dashboard}reset#${token}`)
    await shown('Then use your passkey: it stays')
    await look()
    await page.getByLabel('Password').fill(NEW)
    await page.keyboard.press('Enter')
    await title('Now use your passkey')
    await shown('No passkey at hand?')
    await look()
    expect((await me()).password).toBe(staff.password)
    await page.keyboard.press('Enter')
    await isSignedIn()
    expect((await me()).password).not.toBe(staff.password)
  })

  it('is required of others by an owner, who is told what a password link does', async () => {
    const { page } = owner
    await page.goto(`${server.dashboard}team`)
    await shown('Signs in with a passkey only')
    const save = page.getByRole('form', { name: 'Who needs a passkey to sign in' })
    expect(await page.getByRole('radio', { name: 'Owners' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Owners' }).focus()
    for (const next of ['Everybody', 'Nobody']) {
      await page.keyboard.down('ArrowDown')
      await page.getByRole('radio', { name: next, checked: true }).waitFor()
      await page.keyboard.up('ArrowDown')
    }
    await look()
    await button('Save', save).click()
    await shown('Saved who needs a passkey to sign in.')
    const { name } = await me()
    await choose(`Actions for ${name}`, 'Require a passkey')
    await look()
    await question().getByRole('button', { name: 'Require a passkey' }).click()
    await shown(`${name} signs in with a passkey only.`)
    await choose(`Actions for ${name}`, 'Create password link')
    await shown('and no passkey is asked for', question())
    await look()
    await question().getByRole('button', { name: 'Cancel' }).click()
    await choose(`Actions for ${name}`, 'Allow the password again')
    await shown(`${name} can sign in with the password again.`)
    await page.goto(`${server.dashboard}account`)
    await requiredBox().click()
    await shown('You sign in with a passkey only.')
    await choose('Actions for Phone', 'Remove')
    await shown('This is your last passkey.', question())
    await question().getByRole('button', { name: 'Remove' }).click()
    await shown('No passkeys yet.')
    expect((await me()).passkey_only).toBe(0)
    expect(server.browserErrors).toEqual([])
  })
})
