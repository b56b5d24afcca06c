import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { useDashboard } from '../../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf, partsOf } from '../../../testing/browser/dashboard-parts.ts'
import { useFixture } from '../../../testing/fixtures.ts'
import { HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url))
const PICTURE = 'https://pictures.example/cover.svg'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>'

describe('resources with a browser', () => {
  const server = useDashboard()
  const app = useFixture(() => server.service.newApplication('sandbox'))
  const editor = useFixture(() => server.staffBrowser('support'))
  let page: Page

  beforeAll(async () => {
    page = editor.page
    await page.route(PICTURE, (route) => route.fulfill({ contentType: 'image/svg+xml', body: SVG }))
  })

  const { button, choose, dialog, question, shown, title } = partsOf(() => page)

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

  const file = (name: string, bytes: string) => ({
    ...{ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) },
  })
  const input = () => page.locator('input[type=file][multiple]')
  const titleLink = (name: string) => page.getByRole('link', { name, exact: true }).waitFor()

  it('get files, by choosing or dropping them, which are replaced, withdrawn and removed', async () => {
    await input().setInputFiles(file('seven.pdf', 'the first'))
    await shown('seven.pdf · 9 B')
    expect(await findBarriers(page)).toEqual([])

    await choose('Actions for the file seven.pdf', 'Replace')
    await shown(/^Readers get the old file until/)
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['the second one'], 'eight.pdf'))
      return data
    })
    const place = page.getByText('Drop a file here, or')
    await place.dispatchEvent('dragover', { dataTransfer: dropped })
    await place.dispatchEvent('drop', { dataTransfer: dropped })
    await shown('eight.pdf · 14 B')

    await choose('Actions for the file eight.pdf', 'Unpublish')
    await page.getByText('Not published', { exact: true }).waitFor()
    await button('Undo').click()
    await page.getByText('Published', { exact: true }).waitFor()
    await choose('Actions for the file eight.pdf', 'Change title')
    await page.getByLabel('Title', { exact: true }).fill('The whole issue')
    await button('Save').click()
    await titleLink('The whole issue')

    await app.client.grantAccess({ rid: 'issue-7', user_ref: 'ann', email: 'ann@example.com' })
    await page.reload()
    await choose('Actions for the file eight.pdf', 'Remove file')
    const asked = question('Remove eight.pdf?')
    await asked.getByText('1 reader with access has nothing to download any more.').waitFor()
    await button('Remove file', asked).click()
    await shown('Files that readers with access can download: a PDF, a book, a film.')
  })

  it('have several files in an order that the keyboard changes', async () => {
    await input().setInputFiles([
      file('one.pdf', '1'),
      file('two.pdf', '22'),
      file('three.pdf', '3'),
    ])
    await shown('three.pdf · 1 B')
    const names = async () =>
      await page
        .locator('main ol > li')
        .evaluateAll((rows) => rows.map((row) => row.querySelector('a')?.textContent))
    // The first one has the name of the resource.
    const first = 'Été 2027: the summer issue'
    expect(await names()).toEqual([first, 'two', 'three'])
    expect(await findBarriers(page)).toEqual([])
    expect(await button('Move three down').isDisabled()).toBe(true)
    expect(await button(`Move ${first} up`).isDisabled()).toBe(true)
    await button('Move three up').focus()
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual([first, 'three', 'two'])
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(() => button('Move three up').isEnabled()).toBe(true)
    await expect.poll(focused).toBe('Move three up')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['three', first, 'two'])
    await choose('Actions for the file two.pdf', 'Remove file')
    const asked = question('Remove two.pdf?')
    await asked.getByText('1 reader with access loses this file and keeps the others.').waitFor()
    await button('Remove file', asked).click()
    await expect.poll(names).toEqual(['three', first])
    for (const name of ['one.pdf', 'three.pdf']) {
      await choose(`Actions for the file ${name}`, 'Remove file')
      await button('Remove file', question(`Remove ${name}?`)).click()
      await page.getByText(`${name} · 1 B`).waitFor({ state: 'detached' })
    }
  })

  it('are edited, with a picture of their own', async () => {
    await button('Edit').click()
    await page.getByLabel('Description (optional)').fill('Two lines.\nThat is **all**.')
    await page.getByLabel('Image URL (optional)').fill(PICTURE)
    expect(await findBarriers(page)).toEqual([])
    await button('Save').click()
    await image().waitFor()
    await shown(/^Two lines\./)
    expect(await page.locator('main strong', { hasText: 'all' }).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'https://example.com/7' }).count()).toBe(1)
  })

  const image = () => page.getByRole('img', { name: 'Image of Été 2027: the summer issue' })
  const imageInput = () => page.locator('input[type=file]:not([multiple])')

  it('get an uploaded image, which takes the place of the linked one until it is removed', async () => {
    const upload = (name: string, buffer: Buffer) =>
      imageInput().setInputFiles({ name, mimeType: 'image/png', buffer })
    await upload('cover.png', Buffer.from('not an image'))
    await shown('Must be a PNG, JPEG, WebP, AVIF, GIF or SVG image.')
    expect(await image().getAttribute('src')).toBe(PICTURE)
    const png = await sharp({
      create: { width: 200, height: 120, channels: 3, background: 'teal' },
    })
      .png()
      .toBuffer()
    await upload('cover.png', png)
    await button('Remove image').waitFor()
    expect(await image().getAttribute('src')).toMatch(
      /^\/sandbox\/images\/\w+\/[0-9a-f]{32}j-800\.jpg$/,
    )
    await expect.poll(() => image().evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(200)
    expect(await findBarriers(page)).toEqual([])
    await button('Replace image').click()
    await shown('Drop an image here, or')
    await button('Cancel').click()
    await button('Remove image').click()
    await expect.poll(() => image().getAttribute('src')).toBe(PICTURE)
  })

  const runners: Record<string, [string, string[]]> = {
    curl: ['sh', []],
    Node: [process.execPath, ['--input-type=module']],
    PHP: ['php', []],
    Python: ['python3', []],
    Ruby: ['ruby', []],
  }

  async function run(language: string, code: string): Promise<string> {
    const [program, options] = runners[language] as [string, string[]]
    const env = { ...process.env, PRIVATE_KEY: app.privateKey }
    const child = spawn(program, options, { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'ignore'] })
    const failed = new Promise<string>((resolve) =>
      child.on('error', () => resolve('not installed')),
    )
    child.stdin.on('error', () => {}).end(code)
    return await Promise.race([failed, text(child.stdout)])
  }

  it('show how they are protected, in code that does what it says where its language is installed', async () => {
    for (const language of Object.keys(runners)) {
      await page.getByRole('tab', { name: language }).click()
      const code = (await page.getByRole('tabpanel').locator('code').textContent()) ?? ''
      const [yes, no] = await Promise.all([
        run(language, code),
        run(language, code.replaceAll(/(["'=])ann\b/g, '$1bob')),
      ])
      if (yes === 'not installed') expect(language).not.toBe('Node')
      else if (language === 'curl') {
        expect(JSON.parse(yes)).toMatchObject({ rid: 'issue-7' })
        expect(JSON.parse(no)).toMatchObject({ error: { code: 'access_not_found' } })
      } else expect([yes.trim(), no.trim()]).toEqual(['come in', ''])
    }
  })

  it('are archived with a way back, and found again among the archived', async () => {
    await choose('Actions for Été 2027: the summer issue', 'Archive')
    await shown(
      /^This resource is archived: it can’t be sold or granted\. 1 reader still has access/,
    )
    // Clicked before the toast disappears.
    await button('Undo').click()
    await page.getByText(/^This resource is archived/).waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'All resources' }).click()
    // The previous page has the same menu, so wait for the list.
    await title('Resources')
    await choose('Actions for Été 2027: the summer issue', 'Archive')
    await page.getByRole('heading', { name: 'No resources yet' }).waitFor()
    await button('Filter').click()
    await page.getByLabel('State').selectOption('true')
    await button('Apply').click()
    await page.getByRole('link', { name: 'Été 2027: the summer issue' }).waitFor()
    expect(page.url()).toMatch(/\/resources\?archived=true$/)
    expect(await findBarriers(page)).toEqual([])
    await choose('Actions for Été 2027: the summer issue', 'Restore')
    await button('Remove filter State').click()
    await page.getByRole('link', { name: 'Été 2027: the summer issue' }).click()
    await title('Été 2027: the summer issue')
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
    await input().setInputFiles(file('<img src=x onerror=alert(1)>.pdf', 'x'))
    await shown(/^<img src=x onerror=alert\(1\)>\.pdf · 1 B/)
    for (const hostile of HOSTILE_TEXTS) {
      await choose('Actions for the file <img src=x onerror=alert(1)>.pdf', 'Change title')
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
