import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from '../../../testing/browser/axe.ts'
import { file, runners, useResourcePages } from '../../../testing/browser/resource-pages.ts'

const PICTURE = 'https://pictures.example/cover.svg'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>'

describe('the page of a resource with a browser', () => {
  const pages = useResourcePages(() => page)
  const { server, app, editor, input, run } = pages
  const { button, choose, question, shown, title } = pages
  let page: Page
  beforeAll(async () => {
    page = editor.page
    await page.route(PICTURE, (route) => route.fulfill({ contentType: 'image/svg+xml', body: SVG }))
    const name = 'Été 2027: the summer issue'
    await app.addResource('issue-7', { name, url: 'https://example.com/7' })
    await editor.open(app, 'resources/issue-7')
  })

  const titleLink = (name: string) => page.getByRole('link', { name, exact: true }).waitFor()

  it('get files, by choosing or dropping them, which are replaced, withdrawn and removed', async () => {
    await input().setInputFiles(file('seven.txt', 'the first'))
    await shown('seven.txt · 9 B')
    expect(await findBarriers(page)).toEqual([])

    await choose('Actions for the file seven.txt', 'Replace')
    await shown(/^Readers get the old file until/)
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['the second one'], 'eight.txt'))
      return data
    })
    const place = page.getByText('Drop a file here, or')
    await place.dispatchEvent('dragover', { dataTransfer: dropped })
    await place.dispatchEvent('drop', { dataTransfer: dropped })
    await shown('eight.txt · 14 B')

    await choose('Actions for the file eight.txt', 'Unpublish')
    await page.getByText('Not published', { exact: true }).waitFor()
    await button('Undo').click()
    await page.getByText('Published', { exact: true }).waitFor()
    await choose('Actions for the file eight.txt', 'Change title')
    await page.getByLabel('Title', { exact: true }).fill('The whole issue')
    await button('Save').click()
    await titleLink('The whole issue')

    await app.client.grantAccess({ rid: 'issue-7', user_ref: 'ann', email: 'ann@example.com' })
    await page.reload()
    await choose('Actions for the file eight.txt', 'Remove file')
    const asked = question('Remove eight.txt?')
    await asked.getByText('1 reader with access has nothing to download any more.').waitFor()
    await button('Remove file', asked).click()
    await shown('Files that readers with access can download: a PDF, a book, a film.')
  })

  it('have several files in an order that the keyboard changes', async () => {
    await input().setInputFiles([
      file('one.txt', '1'),
      file('two.txt', '22'),
      file('three.txt', '3'),
    ])
    await shown('three.txt · 1 B')
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
    await choose('Actions for the file two.txt', 'Remove file')
    const asked = question('Remove two.txt?')
    await asked.getByText('1 reader with access loses this file and keeps the others.').waitFor()
    await button('Remove file', asked).click()
    await expect.poll(names).toEqual(['three', first])
    for (const name of ['one.txt', 'three.txt']) {
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

  it('complain about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
