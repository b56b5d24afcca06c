import { describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { overflowOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { callManagement } from '../../../testing/management.ts'
import { openShop } from '../../../testing/payments/shop.ts'

describe('the page of API tokens with a browser', () => {
  const server = useDashboard()
  const shop = useFixture(() => openShop(server.service))
  const visitor = useFixture(() => server.staffBrowser('owner'))

  it('creates a token, shows it once, and revokes it', async () => {
    const { page } = visitor
    await visitor.open(shop, 'overview')
    await page.goto(new URL('/dashboard/tokens', page.url()).href)
    await page.getByText('No tokens yet').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('CMS')
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const token = (await dialog.getByText(/^ghm_/).textContent()) ?? ''
    const ask = async () =>
      (
        await callManagement(server.service.url, 'GET', '/sandbox/applications', {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status
    expect(await ask()).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(token)
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await overflowOf(page)).toBe(0)
    const { control } = server.service.ctx
    // As after a restore, but still signed in.
    const suspended = { suspended_at: Date.now() }
    await control.write((trx) => trx.updateTable('management_tokens').set(suspended).execute())
    expect(await ask()).toBe(403)
    await page.reload()
    await page.getByText('Waiting since the restore').waitFor()
    await page.getByText('don’t work until you confirm them').waitFor()
    expect(await overflowOf(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Confirm: CMS' }).focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog')
    await question.getByText('with the role Developer again').waitFor()
    await question.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    expect(await ask()).toBe(200)
    await page.getByRole('button', { name: 'Revoke: CMS' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    expect(await ask()).toBe(401)
  })
})
