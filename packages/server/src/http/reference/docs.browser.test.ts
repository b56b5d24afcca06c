import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAxe, findBarriers } from '../../testing/browser/axe.ts'
import { launchBrowser } from '../../testing/browser/browser.ts'
import { databases } from '../../testing/databases.ts'
import { useService } from '../../testing/use-service.ts'

describe('the documentation in a browser', () => {
  const service = useService(databases[0])
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
    context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    await addAxe(context)
    page = await context.newPage()
    page.on('console', (message) => {
      // A browser asks for an icon, which there is none of.
      if (message.location().url.endsWith('/favicon.ico')) return
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
  })
  afterAll(() => browser?.close())

  const copied = () =>
    page.evaluate(() =>
      (
        globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }
      ).navigator.clipboard.readText(),
    )

  /** Whether the page is wider than the window. */
  const overflow = () =>
    page.evaluate(() => {
      const { document } = globalThis as unknown as {
        document: { documentElement: { scrollWidth: number; clientWidth: number } }
      }
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })

  it('leads from the guides to a page, its search and its pictures, and copies code', async () => {
    await page.goto(`${service.url}/docs/guides`)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('searchbox').fill('first account')
    await page.getByRole('button', { name: 'Search' }).click()
    await page
      .getByRole('main')
      .getByRole('link', { name: 'The dashboard in five minutes' })
      .click()
    const picture = page.getByRole('main').getByRole('img').first()
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(100)
    expect(await findBarriers(page)).toEqual([])
    const current = page.getByRole('navigation', { name: 'Guides' }).locator('[aria-current]')
    expect(await current.count()).toBe(1)
    await page.goto(`${service.url}/docs/guides/run/backup`)
    const first = page.locator('.code').first()
    await first.getByRole('button', { name: 'Copy' }).click()
    await first.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await copied()).toBe(await first.locator('pre').textContent())
    expect(complaints).toEqual([])
  })

  it.each(['/docs', '/docs/management'])(
    'shows samples of %s in the chosen language',
    async (path) => {
      await page.goto(`${service.url}${path}`)
      const operation = page.locator('#grantAccess')
      await operation.getByLabel('Sample: curl').waitFor()
      await page.getByRole('radio', { name: 'Python' }).check()
      await operation.getByLabel('Sample: Python').waitFor()
      expect(await operation.getByLabel('Sample: curl').isVisible()).toBe(false)
      await operation.locator('.sample.in-python').getByRole('button', { name: 'Copy' }).click()
      await expect.poll(copied).toContain('urllib.request.urlopen(request)')
      expect(await findBarriers(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 800 })
      expect(await overflow()).toBe(0)
      await page.setViewportSize({ width: 1440, height: 900 })
      expect(complaints).toEqual([])
    },
  )
})
