import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../staff/staff.ts'
import { addAxe } from './axe.ts'
import { launchBrowser } from './browser.ts'
import type { TestDatabase } from './databases.ts'
import { signInAs } from './desk.ts'
import { startTestService, type TestApplication, type TestService } from './service.ts'

const PREPARE = new URL('../../../../scripts/prepare.mjs', import.meta.url).href

/** A member of the staff with a browser, signed in. */
export interface Visitor {
  context: BrowserContext
  page: Page
  /** Opens a page of an application: `open(app, 'resources?q=a')`. */
  open(app: TestApplication, path: string): Promise<void>
}

/** A service with the built web app, and a browser to look at it. */
export interface DashboardHouse {
  service: TestService
  browser: Browser
  /** What the browsers have complained about, refusals apart. */
  complaints: string[]
  visitorAs(role: Role, options?: BrowserContextOptions): Promise<Visitor>
  stop(): Promise<void>
}

/** The clock is that of this machine, which the browser has, too. */
export async function openDashboard(
  database: TestDatabase,
  env: Record<string, string> = {},
): Promise<DashboardHouse> {
  const { prepare } = (await import(PREPARE)) as { prepare(): void }
  prepare()
  const service = await startTestService(database, { realTime: true, env })
  const browser = await launchBrowser()
  const complaints: string[] = []

  return {
    service,
    browser,
    complaints,
    async visitorAs(role, options = {}) {
      const { headers } = await signInAs(service, role)
      // What is half faded in would be too faint to read.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      const [name = '', value = ''] = (headers.cookie as string).split('=')
      await context.addCookies([
        { name, value, url: service.url, httpOnly: true, sameSite: 'Strict' },
      ])
      await addAxe(context)
      const page = await context.newPage()
      listen(page, complaints)
      const open: Visitor['open'] = async ({ environment, aid }, path) => {
        await page.goto(`${service.url}/dashboard/${environment.name}/${aid}/${path}`)
      }
      return { context, page, open }
    },
    async stop() {
      await browser.close()
      await service.stop()
    },
  }
}

function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`a script ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    // Refusals that a test asks for are told by the browser, too.
    const isRefusal = /status of 40\d/.test(message.text())
    // The checker is put into every frame, and can't run where a mail is shown.
    const isChecker = /^Blocked script execution in 'about:srcdoc'/.test(message.text())
    if (message.type() === 'error' && !isRefusal && !isChecker) complaints.push(message.text())
  })
}
