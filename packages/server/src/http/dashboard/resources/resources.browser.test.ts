import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { DARK_PHONE, overflowOf } from '../../../testing/browser/dashboard-parts.ts'
import { file, useResourcePages } from '../../../testing/browser/resource-pages.ts'
import { HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'

describe('resources with a browser', () => {
  const pages = useResourcePages(() => page)
  const { server, app, editor, input, run, button, choose, dialog, question, shown } = pages
  const { title } = pages
  let page: Page
  beforeAll(() => {
    page = editor.page
  })

  it('teach what they are where there is none, and are made by those who may', async () => {
    const reader = await server.staffBrowser('reader')
    await reader.open(app, 'resources')
    await reader.page.getByRole('heading', { name: 'No resources yet' }).waitFor()
    expect(await button('New resource', reader.page).count()).toBe(0)
    await reader.context.close()

    await editor.open(app, 'resources')
    await page.getByRole('heading', { name: 'No resources yet' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('New resource').first().click()
    await button('Create').click()
    await shown('This field is required.')
    await page.getByLabel('Name', { exact: true }).fill('Été 2027: the summer issue')
    expect(await page.getByLabel('Resource ID', { exact: true }).inputValue()).toBe(
      'ete-2027-the-summer-issue',
    )
    await page.getByLabel('Resource ID', { exact: true }).fill('issue 7')
    await shown('The ID can’t contain spaces.')
    await page.getByLabel('Resource ID', { exact: true }).fill('issue-7')
    await page.getByLabel('Web address (optional)').fill('javascript:alert(1)')
    await page.getByLabel('Description (optional)').focus()
    await shown('Enter a URL like https://example.com/page.')
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Web address (optional)').fill('https://example.com/7')
    await button('Create').click()
    await title('Été 2027: the summer issue')
    expect(page.url()).toMatch(/\/resources\/issue-7$/)
    expect(await findBarriers(page)).toEqual([])
  })

  it('open others as a pass, after saying who gains what', async () => {
    const shop = await server.service.newApplication('sandbox')
    await shop.addResource('pass', { name: 'All issues' })
    await shop.addResource('film', { name: 'The film' })
    await shop.client.grantAccess({ rid: 'pass', email: 'ann@example.com' })
    await editor.open(shop, 'resources/pass')
    await shown('This resource opens nothing but itself.')
    await button('Change').click()
    await page.getByRole('checkbox', { name: 'The film' }).check()
    await page.getByLabel('Everything whose ID begins with (optional)').fill('magazine/ 1')
    await button('Save').click()
    await shown('must not contain white space')
    await page.getByLabel('Everything whose ID begins with (optional)').fill('magazine/')
    await shown('1 reader gains access immediately. No email is sent.')
    expect(await findBarriers(page)).toEqual([])
    await button('Save').click()
    await shown('Everything whose ID begins with magazine/')
    await page.getByRole('link', { name: 'The film' }).click()
    await title('The film')
    await shown('Also open to readers with')
    expect(await findBarriers(page)).toEqual([])
  })

  it('say at the rid that it is taken, and keep what was typed', async () => {
    await editor.open(app, 'resources')
    await button('New resource').click()
    await page.getByLabel('Name', { exact: true }).fill('Another')
    await page.getByLabel('Resource ID', { exact: true }).fill('issue-7')
    await button('Create').click()
    await shown('Another resource already has this ID.')
    expect(await page.getByLabel('Resource ID', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    )
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another')
    await page.keyboard.press('Escape')
  })

  it('get prices, which say what readers agree to, and are archived and restored', async () => {
    await editor.open(app, 'resources/issue-7')
    await button('Add price').click()
    await page.getByLabel('Amount').fill('nothing')
    await page.getByLabel('Currency').focus()
    await shown('Enter an amount like 4.99.')
    await page.getByLabel('Amount').fill('4,99')
    await page.getByLabel('Free trial in days').fill('14')
    await shown('Readers pay 4.99 USD every month until they cancel. The first 14 days are free.')
    expect(await findBarriers(page)).toEqual([])
    await button('Add price', dialog()).click()
    await shown('4.99 USD every month, first 14 days free')
    await button('Add price').click()
    await page.getByLabel('Amount').fill('12')
    await page.getByLabel('Type', { exact: true }).selectOption('once')
    await dialog().getByRole('button', { name: 'Add price' }).click()
    await dialog().waitFor({ state: 'detached' })
    await choose('Actions for 12.00 USD for lifetime access', 'Archive price')
    const asked = question('Archive 12.00 USD for lifetime access?')
    await asked.getByText('1 other price stays available.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Archive price', asked).click()
    await page.getByText('Archived prices (1)').click()
    await shown(/^12\.00 USD for lifetime access · archived/)
    await button('Restore price: 12.00 USD for lifetime access').click()
    await shown('12.00 USD for lifetime access is restored.')
    await page.getByText('Archived prices (1)').waitFor({ state: 'detached' })
    await shown(`${app.baseUrl}/checkout/${app.aid}/issue-7`)
  })

  it('show hostile texts as texts, whichever field they were typed into', async () => {
    for (const hostile of HOSTILE_TEXTS) {
      await button('Edit').click()
      await page.getByLabel('Name', { exact: true }).fill(hostile)
      await page.getByLabel('Description (optional)').fill(hostile)
      await page.getByLabel('Web address (optional)').fill(hostile)
      await page.getByLabel('Image URL (optional)').fill(hostile)
      await button('Save').click()
      await shown('Enter a URL like https://example.com/page.')
      await page.getByLabel('Web address (optional)').fill('')
      await page.getByLabel('Image URL (optional)').fill('')
      await button('Save').click()
      await title(hostile)
      await page.locator('main p', { hasText: hostile }).first().waitFor()
    }
    const name = HOSTILE_TEXTS.at(-1) as string
    await input().setInputFiles(file('<img src=x onerror=alert(1)>.txt', 'x'))
    await shown(/^<img src=x onerror=alert\(1\)>\.txt · 1 B/)
    for (const hostile of HOSTILE_TEXTS) {
      await choose('Actions for the file <img src=x onerror=alert(1)>.txt', 'Change title')
      await page.getByLabel('Title', { exact: true }).fill(hostile)
      await button('Save').click()
      await dialog().waitFor({ state: 'detached' })
      await page.locator('main ol a', { hasText: hostile }).first().waitFor()
    }
    await button('Add price').click()
    for (const label of ['Amount', 'Currency', 'Every', 'Free trial in days']) {
      await page
        .getByLabel(label, { exact: true })
        .fill(HOSTILE_TEXTS[2]?.slice(0, label === 'Currency' ? 3 : 99) as string)
    }
    await button('Add price', dialog()).click()
    await shown('Enter a whole number from 0 to 365.')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All resources' }).click()
    for (const hostile of HOSTILE_TEXTS) {
      await page.getByLabel('Search').fill(hostile)
      await page.waitForURL((url) => url.searchParams.get('q') === hostile.trim())
    }
    await page.getByRole('link', { name, exact: true }).waitFor()
  })

  it('are named by an address whatever letters they have', async () => {
    for (const rid of ['"><img/src=x/onerror=alert(1)>', '..', "it's/für?alle#e"]) {
      await editor.open(app, 'resources')
      await button('New resource').click()
      await page.getByLabel('Name', { exact: true }).fill(`Named ${rid}`)
      await page.getByLabel('Resource ID', { exact: true }).fill(rid)
      await button('Create').click()
      await title(`Named ${rid}`)
      await page.reload()
      await title(`Named ${rid}`)
    }
    const code = (await page.getByRole('tabpanel').locator('code').textContent()) ?? ''
    expect(JSON.parse(await run('curl', code))).toMatchObject({
      error: { code: 'access_not_found' },
    })
  })

  it('are looked at by readers, who can change nothing, on a small, dark screen', async () => {
    const reader = await server.staffBrowser('reader', DARK_PHONE)
    await reader.open(app, 'resources')
    await reader.page.getByRole('link', { name: 'Named ..' }).waitFor()
    expect(await findBarriers(reader.page)).toEqual([])
    expect(await overflowOf(reader.page)).toBe(0)
    await reader.open(app, 'resources/issue-7')
    await reader.page.getByRole('heading', { name: 'Code for your site' }).waitFor()
    for (const name of ['Edit', 'Add price', 'choose files', 'choose an image']) {
      expect(await button(name, reader.page).count()).toBe(0)
    }
    expect(await reader.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
    expect(await findBarriers(reader.page)).toEqual([])
    expect(await overflowOf(reader.page)).toBe(0)
    await reader.open(app, 'resources/no-such')
    await title('Resource not found', reader.page)
    expect(await findBarriers(reader.page)).toEqual([])
  })

  it('complain about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
