import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../packages/server/src/testing/browser/browser.ts'

/** Downloads like a person with a browser: opens the link, and clicks "Resume" whenever the download stops. */
export async function fetchWithBrowser(url: string, path: string): Promise<void> {
  const folder = await mkdtemp(join(dirname(path), 'browser-'))
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext()
    const page = await context.newPage()
    await saveTo(context, page, folder)
    // Before the response has begun there is nothing to resume: load the page again.
    while (!(await isDownload(page, url))) {}
    const name = await resumeUntilDone(await context.newPage(), folder)
    await rename(join(folder, name), path)
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Bypasses Playwright, which would abandon a download when its connection breaks. */
async function saveTo(context: BrowserContext, page: Page, downloadPath: string): Promise<void> {
  const { targetInfo } = await (await context.newCDPSession(page)).send('Target.getTargetInfo')
  const { browserContextId = '' } = targetInfo
  const session = await context.browser()?.newBrowserCDPSession()
  const behavior = { behavior: 'allow', browserContextId, downloadPath } as const
  await session?.send('Browser.setDownloadBehavior', behavior)
}

/** If the address is a file, `goto` fails, since no page is loaded. */
async function isDownload(page: Page, url: string): Promise<boolean> {
  const problem = await page.goto(url).then(() => 'a page', String)
  if (/Download is starting|ERR_ABORTED/.test(problem)) return true
  if (/net::ERR_(EMPTY_RESPONSE|CONNECTION_RESET|CONNECTION_CLOSED)/.test(problem)) return false
  throw new Error(`the browser got no file: ${problem}`)
}

/** Resolves to the name that the browser gives the complete file. */
async function resumeUntilDone(page: Page, folder: string): Promise<string> {
  await page.goto('chrome://downloads')
  for (;;) {
    const [name, ...others] = await readdir(folder)
    if (name !== undefined && others.length === 0 && !name.endsWith('.crdownload')) return name
    const action = await offeredAction(page)
    if (action) {
      await page.locator('downloads-item #more-actions').click()
      await page.locator(`downloads-item #${action}`).click()
    }
    await sleep(100)
  }
}

/** The action that the list of downloads offers for one that has stopped. */
async function offeredAction(page: Page): Promise<string | undefined> {
  const offers = await page
    .locator('downloads-item')
    .evaluateAll((items) =>
      items.map((item) => (item as unknown as { data: { resume: boolean; retry: boolean } }).data),
    )
  if (offers.some(({ resume }) => resume)) return 'pause-or-resume'
  return offers.some(({ retry }) => retry) ? 'retry' : undefined
}
