import type { Page } from 'playwright-core'
import { useFixture } from '../fixtures.ts'
import { openShop } from '../payments/shop.ts'
import { useSmtp } from '../use-service.ts'
import { findBarriers } from './axe.ts'
import { useDashboard } from './dashboard-browser.ts'
import { partsOf } from './dashboard-parts.ts'

/** Runs a dashboard with a mail server, and opens its pages in the browser of a staff member. */
export function useRecordPages(page: () => Page) {
  const smtp = useSmtp()
  const server = useDashboard(() => ({ GATEHOUSE_SMTP_URL: smtp.url }))
  /** Sells in the sandbox, which keeps its mails. */
  const shop = useFixture(() => openShop(server.service))
  /** Runs in production, with a mail server. */
  const app = useFixture(() => server.service.newApplication())
  const helper = useFixture(() => server.staffBrowser('support'))
  /** A message stays while the pointer is over it, so that it can be read. Closes them all. */
  const closeMessages = async () => {
    const messages = page().getByRole('region', { name: /^Notifications/ })
    const close = messages.getByRole('button', { name: 'Close' })
    while ((await close.count()) > 0) await close.first().click()
  }

  /** Checks the page in both themes. */
  async function barriers(at = page()): Promise<string[]> {
    const found = await findBarriers(at)
    await at.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await findBarriers(at)))
    await at.emulateMedia({ colorScheme: 'light' })
    return found
  }
  return { smtp, server, shop, app, helper, closeMessages, barriers, ...partsOf(page) }
}
