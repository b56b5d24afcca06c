import { type Browser, chromium } from 'playwright-core'

const SCRIPT = new URL('../../../../scripts/browser.mjs', import.meta.url).href

/** A real browser that asks nobody but us. */
export async function launchBrowser(): Promise<Browser> {
  const { requireBrowser, BROWSER_ARGS } = (await import(SCRIPT)) as {
    requireBrowser(): string
    BROWSER_ARGS: string[]
  }
  return await chromium.launch({ executablePath: requireBrowser(), args: BROWSER_ARGS })
}
