import { encodeParameters } from '@gatehouse/sdk/signing'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { type StaffBrowser, useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { HTML_ATTACKS } from '../../../testing/browser/tags.ts'
import { sendSigned } from '../../../testing/http/requests.ts'
import type { TestApplication } from '../../../testing/service.ts'

describe('the page for developers with a browser', () => {
  const server = useDashboard()
  let app: TestApplication
  let visitor: StaffBrowser

  beforeAll(async () => {
    app = await server.service.newApplication()
    await app.addResource('news')
    visitor = await server.staffBrowser('developer')
  })

  const { button, dialog, question, title } = partsOf(() => visitor.page)
  const hasFocus = (at: Locator) => at.evaluate((one) => one === document.activeElement)

  it('shows what a client needs, and a key for as long as it is asked for', async () => {
    const { page, open } = visitor
    await open(app, 'developers')
    await page.getByText(app.aid, { exact: true }).waitFor()
    await page.getByText('never used').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button(/^Reveal key/).click()
    await dialog().getByText(app.privateKey, { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(app.privateKey)
    await expect.poll(() => hasFocus(button(/^Reveal key/))).toBe(true)
  })

  it('rotates a key with an overlap, and with none where two are live', async () => {
    const { page } = visitor
    await button('Rotate key').click()
    const rotate = question('Rotate the key of Test magazine?')
    await rotate.getByText(/The old key works until /).waitFor()
    await rotate.getByLabel('The old key keeps working for').selectOption('0')
    await rotate.getByText(/The old key stops working within 5 seconds/).waitFor()
    await rotate.getByLabel('The old key keeps working for').selectOption('7 days')
    expect(await findBarriers(page)).toEqual([])
    await rotate.getByRole('button', { name: 'Rotate key' }).click()
    const made = page.getByRole('dialog', { name: 'New key' })
    const key = (await made.getByRole('code').textContent()) as string
    expect(key).not.toBe(app.privateKey)
    await made.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/until .* · in 7 days/).waitFor()
    expect((await sendSigned({ ...app, privateKey: key }, 'GET', '/r2/access/search')).status).toBe(
      200,
    )
    expect((await sendSigned(app, 'GET', '/r2/access/search')).status).toBe(200)

    await button('Rotate key').click()
    await rotate.getByText('2 keys stop working within 5 seconds', { exact: false }).waitFor()
    await rotate.getByText('already has two active keys', { exact: false }).waitFor()
    await rotate.getByRole('button', { name: 'Cancel' }).click()
  })

  it('revokes a key after it has told what that ends, the last one by its application’s name', async () => {
    const { page } = visitor
    const revoke = question(/^Revoke key/)
    await button(/^Revoke key/)
      .first()
      .click()
    await revoke.getByText('1 other key keeps working.', { exact: false }).waitFor()
    await revoke.getByRole('button', { name: 'Revoke' }).click()
    await page
      .getByText(/^Key .* is revoked\.$/)
      .first()
      .waitFor()
    await button(/^Revoke key/)
      .nth(1)
      .waitFor({ state: 'detached' })

    await button(/^Revoke key/).click()
    await revoke.getByText('This is the only active key', { exact: false }).waitFor()
    expect(await revoke.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true)
    await revoke.getByLabel('Type Test magazine to confirm').fill('Test magazine')
    expect(await findBarriers(page)).toEqual([])
    await revoke.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('heading', { name: 'No active key' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Create key').click()
    await question('Create a key for Test magazine?')
      .getByRole('button', { name: 'Create key' })
      .click()
    const made = page.getByRole('dialog', { name: 'New key' })
    app = { ...app, privateKey: (await made.getByRole('code').textContent()) as string }
    await made.getByRole('button', { name: 'Done' }).click()
  })

  const send = () => button('Sign and send').first().click()

  it('sends a call, and shows what was signed, the curl line and the answer', async () => {
    const { page } = visitor
    await page.getByRole('tab', { name: 'Console' }).click()
    await page.getByRole('heading', { name: 'No request sent yet' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await send()
    await page.getByText('Required.', { exact: true }).waitFor()
    await page.getByLabel('rid', { exact: true }).fill('news')
    await page.getByLabel('user_ref', { exact: true }).fill('ann o')
    await send()
    await page.getByText('"access_not_found"', { exact: false }).waitFor()
    await page.getByText('GET /r2/access?rid=news&user_ref=ann%20o', { exact: true }).waitFor()
    await page.getByText(new RegExp(`^curl -H 'Authorization: ${app.aid}:.{4}…' `)).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('keeps what was typed and answered while another tab is shown', async () => {
    const { page } = visitor
    await page.getByRole('tab', { name: 'Keys' }).click()
    await button('Rotate key').waitFor()
    expect(await page.getByLabel('rid', { exact: true }).isVisible()).toBe(false)
    await page.getByRole('tab', { name: 'Console' }).click()
    expect(await page.getByLabel('user_ref', { exact: true }).inputValue()).toBe('ann o')
    expect(await page.getByText('"access_not_found"', { exact: false }).isVisible()).toBe(true)
  })

  it('asks before it changes something in production, and keeps what was typed', async () => {
    const { page } = visitor
    await page.getByLabel('API call', { exact: true }).selectOption('POST /r2/access/grant')
    expect(await page.getByLabel('rid', { exact: true }).inputValue()).toBe('news')
    await page.getByLabel('email', { exact: true }).fill('ann@example.com')
    await button('Add parameter').click()
    await page.getByRole('menuitem', { name: 'suppress_email' }).click()
    await page.getByRole('combobox', { name: /^suppress_email/ }).selectOption('true')
    await page.getByLabel('Show the full signature').click()
    await send()
    const real = question('Send POST /r2/access/grant to production?')
    await real.getByText('with 4 parameters', { exact: false }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(
      (await sendSigned(app, 'GET', '/r2/access', { rid: 'news', user_ref: 'ann o' })).status,
    ).toBe(404)
    await real.getByRole('button', { name: 'Sign and send' }).click()
    await page.getByText('"user_email": "ann@example.com"', { exact: false }).waitFor()
    expect(
      (await sendSigned(app, 'GET', '/r2/access', { rid: 'news', user_ref: 'ann o' })).status,
    ).toBe(200)
    await page.getByText(new RegExp(`^${app.aid}:[\\w-]{43}$`)).waitFor()
  })

  it('sends any other path of the API, and no other', async () => {
    const { page } = visitor
    await page.getByLabel('API call', { exact: true }).selectOption('Other path')
    await page.getByLabel('Method').selectOption('GET')
    await page.getByLabel('Path', { exact: true }).fill('/metrics')
    await send()
    await page.getByText('Must begin with /r2/.').waitFor()
    await page.getByLabel('Path', { exact: true }).fill('/r2/access/search')
    await button('Remove email').click()
    await button('Add parameter').click()
    await page.getByLabel('Name of parameter 4').fill('pagesize')
    await page.getByLabel('Value of parameter 4').fill('1')
    expect(await findBarriers(page)).toEqual([])
    await send()
    await page.getByText('"total": 1', { exact: false }).waitFor()
  })

  it('takes whatever is typed for text', async () => {
    const { page } = visitor
    const all = HTML_ATTACKS.join(' ')
    await page.getByLabel('Name of parameter 4').fill(HTML_ATTACKS[0] as string)
    await page.getByLabel('Value of parameter 4').fill(all)
    await send()
    await page.getByText('Response headers').click()
    await page.getByLabel('Path', { exact: true }).fill(`/r2/${all}`)
    await send()
    await page.getByText('Must not contain a query', { exact: false }).waitFor()
    await page.getByLabel('API call', { exact: true }).selectOption('GET /r2/access')
    for (const attack of HTML_ATTACKS) {
      await page.getByLabel('rid', { exact: true }).fill(attack)
      await page.getByLabel('user_ref', { exact: true }).fill(attack)
      await send()
      const query = encodeParameters({ rid: attack, user_ref: attack })
      // The time is part of what is shown in full.
      await page
        .getByText(`&${query}`)
        .or(page.getByText(`access?${query}`))
        .first()
        .waitFor()
    }
    expect(await page.locator('img[src=x], main style, a[href*=evil]').count()).toBe(0)
  })

  it('lists what was refused and why, the newest first', async () => {
    const { page, open } = visitor
    await sendSigned({ ...app, privateKey: 'another' }, 'GET', '/r2/access', {
      rid: 'a',
      user_ref: 'b',
    })
    await page.getByRole('tab', { name: 'Refused requests' }).click()
    await page.getByText('signature_wrong', { exact: false }).waitFor()
    await page.getByText('rid is missing or invalid.', { exact: false }).first().waitFor()
    expect(page.url()).toMatch(/tab=refused$/)
    expect(await findBarriers(page)).toEqual([])
    const other = await server.service.newApplication('sandbox')
    await open(other, 'developers?tab=refused')
    await page.getByRole('heading', { name: 'No refused requests' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await sendSigned({ ...other, privateKey: 'another' }, 'GET', '/r2/clock')
    await button('Refresh').click()
    await page.getByText('GET /r2/clock').waitFor()
  })

  it('is not for those who help readers', async () => {
    const helper = await server.staffBrowser('support')
    await helper.open(app, 'developers')
    await title('Your role can’t open this page', helper.page)
    expect(await helper.page.getByRole('link', { name: 'Developers' }).count()).toBe(0)
    await helper.context.close()
  })

  it('has no barriers on a small, dark screen, and nothing to scroll sideways', async () => {
    const small = await server.staffBrowser('owner', DARK_PHONE)
    for (const [tab, shown] of [
      ['keys', 'Private keys'],
      ['console', 'Send a request'],
      ['refused', 'signature_wrong'],
    ] as const) {
      await small.open(app, `developers?tab=${tab}`)
      await small.page.getByText(shown, { exact: false }).first().waitFor()
      if (tab === 'console') {
        await small.page.getByRole('button', { name: 'Sign and send' }).click()
        await small.page.getByText('"invalid_parameter"', { exact: false }).waitFor()
      }
      expect(await findBarriers(small.page)).toEqual([])
      expect(await overflowOf(small.page)).toBe(0)
    }
  })

  it('complains about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
