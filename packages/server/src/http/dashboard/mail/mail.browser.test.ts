import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useRecordPages } from '../../../testing/browser/record-pages.ts'
import { HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'
import { waitUntilOutboxSettled } from '../../../testing/smtp/outbox.ts'

describe('mail with a browser', () => {
  const pages = useRecordPages(() => page)
  const { smtp, server, shop, app, helper, closeMessages, barriers, button, choose } = pages
  const { dialog, question, shown, title } = pages
  let page: Page
  beforeAll(() => {
    page = helper.page
  })

  const grant = (name: string) =>
    app.client.grantAccess({ rid: 'hostile', user_ref: name, email: `${name}@example.com` })
  /** Polls how many mails a reader has received. */
  const received = (name: string) => expect.poll(() => smtp.mailsTo(`${name}@example.com`).length)

  it('show a mail as its reader sees it, and send it again', async () => {
    await app.addResource('hostile', { name: HOSTILE_TEXTS.slice(0, 3).join(' ') })
    smtp.fault = (step, address) =>
      step === 'recipient' && !address.startsWith('fay') ? 550 : undefined
    for (const name of ['fay', 'gus', 'hal']) await grant(name)
    await waitUntilOutboxSettled(server.service)
    await helper.open(app, 'mail')
    await title('Emails')
    await page.getByText('3 results').waitFor()
    expect(await barriers()).toEqual([])
    await page.getByRole('link', { name: 'fay@example.com' }).click()
    const frame = page.locator('iframe')
    await frame.waitFor()
    // The styles apply, although none came with the HTML.
    await expect
      .poll(() =>
        frame.evaluate((element: HTMLIFrameElement) => {
          const card = element.contentDocument?.querySelector('.card')
          return card ? getComputedStyle(card).maxWidth : ''
        }),
      )
      .toBe('580px')
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-scripts')
    expect(await barriers()).toEqual([])
    await page.getByRole('tab', { name: 'Plain text' }).click()
    await shown(/<script>alert\(1\)<\/script>/)
    await page.getByRole('tab', { name: 'Headers' }).click()
    await shown('Auto-Submitted')

    await button('Resend').click()
    const asked = question(/^Resend “Access granted” to fay@example\.com/)
    await asked.getByText('The reader gets it a second time.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Resend', asked).click()
    await shown('The email to fay@example.com is sent within a minute.')
    await received('fay').toBe(2)
  })

  it('list mails that were given up, and send one or all of them again', async () => {
    await helper.open(app, 'mail?status=dead')
    await button('Resend 2 failed emails').waitFor()
    smtp.fault = () => undefined
    await choose('Actions for Access granted, gus@example.com', 'Resend')
    await button('Resend', question()).click()
    await page.getByText('1 result', { exact: true }).waitFor()
    await received('gus').toBe(1)
    await page.getByRole('link', { name: 'hal@example.com' }).click()
    await shown(/^Sending failed too many times/)
    await shown(/^The last attempt failed: .+: 550 <\(address\)>: not with us$/)
    await page.getByRole('link', { name: 'Emails', exact: true }).first().click()
    await button('Resend 1 failed email').click()
    await button('Resend', question()).click()
    await shown('1 email queued.')
    expect(await button('Resend 1 failed email').count()).toBe(0)
    await received('hal').toBe(1)
    await helper.open(shop, 'mail')
    await shown(/^No mail server is set up, so emails are not sent\./)
  })

  async function accessIdOf(uid: string): Promise<string> {
    const { environment, aid } = app
    const { id } = await environment.database.read
      .selectFrom('access')
      .select('id')
      .where((eb) => eb.and({ aid, uid }))
      .executeTakeFirstOrThrow()
    return id
  }

  it('tell the old and the new address that it was changed, if staff want that', async () => {
    const { uid } = await grant('gina')
    await received('gina').toBe(1)
    await helper.open(app, `people/${uid}`)
    const notify = page.getByLabel('Notify the old and the new address by email')
    async function changeTo(address: string, isNotified: boolean) {
      await choose('More actions for this person', 'Edit name or email')
      expect(await notify.count()).toBe(0)
      await dialog().getByLabel('Email', { exact: true }).fill(address)
      await notify.setChecked(isNotified)
      expect(await findBarriers(page)).toEqual([])
      await button('Save').click()
      await dialog().waitFor({ state: 'detached' })
      await shown(address)
    }
    await changeTo('gina.typo@example.com', false)
    await button('Undo').last().click()
    await shown('Undone.')
    await closeMessages()
    await changeTo('gina.new@example.com', true)
    await shown(/An email about the change is sent within a minute\.$/)
    expect(await button('Undo').count()).toBe(0)
    await received('gina').toBe(2)
    await received('gina.new').toBe(1)
    await received('gina.typo').toBe(0)
    await shown('Old email address notified')
    await shown('You changed the email address')
    await closeMessages()
  })

  it('have links that end when staff say that the address was never theirs', async () => {
    const { uid } = await grant('vera')
    await received('vera').toBe(1)
    const { environment, aid } = app
    const link = await environment.filesLink(
      { aid, id: await accessIdOf(uid), linkNumber: 0 },
      environment.clock(),
    )
    const statusOf = async () => (await fetch(link)).status
    await helper.open(app, `people/${uid}`)
    await choose('More actions for this person', 'Edit name or email')
    await dialog().getByLabel('Email', { exact: true }).fill('vera.right@example.com')
    const theirs = page.getByRole('radio', { name: 'Is or was theirs' })
    const never = page.getByRole('radio', { name: /^Was never theirs/ })
    expect([await theirs.isChecked(), await never.isChecked()]).toEqual([true, false])
    expect(await statusOf()).toBe(200)
    await never.check()
    await shown(/^Links in all emails so far stop working, and emails that wait/)
    await page.getByLabel('Notify the old and the new address by email').setChecked(false)
    expect(await findBarriers(page)).toEqual([])
    await button('Save').click()
    await shown(/Links in earlier emails no longer work\.$/)
    expect(await button('Undo').count()).toBe(0)
    expect(await statusOf()).toBe(410)
    await shown('You ended all links')
    await closeMessages()
    await choose('More actions for this person', 'End all links')
    await shown(/^Whoever has a link of vera\.right@example\.com can no longer use it/, question())
    await shown(/^Nobody else is affected, and access stays\./, question())
    expect(await findBarriers(page)).toEqual([])
    await button('End all links', question()).click()
    await shown('All links have ended.')
    await closeMessages()
  })

  it('complain about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
