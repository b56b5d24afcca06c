import { type Browser, chromium } from 'playwright-core'

const SCRIPT = new URL('../../../../../scripts/browser.mjs', import.meta.url).href

interface BrowserOptions {
  /** Shows scroll bars that take space, as most desktops do. Browsers of tests hide them otherwise. */
  scrollBars?: boolean
}

/** Starts a real browser that sends no background requests of its own. */
export async function launchBrowser({ scrollBars = false }: BrowserOptions = {}): Promise<Browser> {
  const { requireBrowser, BROWSER_ARGS } = (await import(SCRIPT)) as {
    requireBrowser(): string
    BROWSER_ARGS: string[]
  }
  const ignoreDefaultArgs = scrollBars ? ['--hide-scrollbars'] : []
  const executablePath = requireBrowser()
  return await chromium.launch({ executablePath, args: BROWSER_ARGS, ignoreDefaultArgs })
}
