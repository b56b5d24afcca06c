import { type Browser, chromium } from 'playwright-core'

const SCRIPT = new URL('../../../../../scripts/browser.mjs', import.meta.url).href

/** Starts a real browser that sends no background requests of its own. */
export async function launchBrowser(): Promise<Browser> {
  const { requireBrowser, BROWSER_ARGS } = (await import(SCRIPT)) as {
    requireBrowser(): string
    BROWSER_ARGS: string[]
  }
  return await chromium.launch({ executablePath: requireBrowser(), args: BROWSER_ARGS })
}
