import { describe, expect, it } from 'vitest'
import { hashPassword } from '../../../domain/staff/passwords.ts'
import { addVirtualAuthenticator } from '../../../testing/browser/authenticator.ts'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { openShop } from '../../../testing/payments/shop.ts'
import { PASSWORD } from '../../../testing/staff.ts'

describe('the question who it is, with a browser', () => {
  const server = useDashboard()
  const shop = useFixture(() => openShop(server.service))
  const visitor = useFixture(() => server.staffBrowser('owner'))
  const { button, dialog, shown } = partsOf(() => visitor.page)
  const question = () => visitor.page.getByRole('dialog', { name: 'Confirm it’s you' })

  /** Lets five minutes pass since the member signed in. */
  const letTimePass = () =>
    server.service.ctx.control.write((trx) =>
      trx.updateTable('staff_sessions').set({ confirmed_at: 0 }).execute(),
    )

  async function openAccount(): Promise<void> {
    await visitor.open(shop, 'overview')
    await visitor.page.goto(new URL('/dashboard/account', visitor.page.url()).href)
    await button('Add passkey').waitFor()
  }

  it('comes before a passkey is added, by keyboard, and the action goes on after the password', async () => {
    const { page, context } = visitor
    const password = await hashPassword(PASSWORD)
    await server.service.ctx.control.write((trx) =>
      trx.updateTable('staff').set({ password }).execute(),
    )
    await addVirtualAuthenticator(context, page)
    await openAccount()
    await letTimePass()
    await button('Add passkey').click()
    await dialog().getByLabel('Name of the passkey').fill('Laptop')
    await page.keyboard.press('Enter')
    await question().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await overflowOf(page)).toBe(0)
    await page.keyboard.type('not my password')
    await page.keyboard.press('Enter')
    await shown('Not your current password.', question())
    await question().getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await shown('Passkey added.')
    await button('Actions for Laptop').waitFor()
  })

  it('is answered with a passkey before an export, and without an answer nothing happens', async () => {
    const { page } = visitor
    await page.setViewportSize({ width: 1280, height: 800 })
    await visitor.open(shop, 'people')
    await letTimePass()
    const exportAll = async () => {
      await button('Export').click()
      await page.getByRole('menuitem').first().click()
      await question().waitFor()
    }
    await exportAll()
    await page.keyboard.press('Escape')
    await shown('Confirm first that it is you')
    await exportAll()
    const download = page.waitForEvent('download')
    await question().getByRole('button', { name: 'Use your passkey' }).click()
    expect((await download).suggestedFilename()).toMatch(/csv$/)
    expect(server.browserErrors).toEqual([])
  })
})
