import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { useFixture } from '../fixtures.ts'
import { openShop } from '../payments/shop.ts'
import { useDashboard } from './dashboard-browser.ts'
import { partsOf } from './dashboard-parts.ts'

/** Runs a dashboard, and opens the access pages of a shop in the browser of a staff member. */
export function useAccessPages(page: () => Page) {
  const server = useDashboard()
  const app = useFixture(() => openShop(server.service))
  const helper = useFixture(() => server.staffBrowser('support'))
  beforeAll(async () => {
    await app.addResource('news', { name: 'Daily news' })
    await app.addResource('maps', { name: 'Maps' })
  })
  const row = (name: string) => page().getByRole('row').filter({ hasText: name })
  const total = (text: string) => page().getByRole('status').filter({ hasText: text }).waitFor()
  const grant = (name: string, more: Record<string, unknown> = {}) =>
    app.client.grantAccess({
      ...{ rid: 'news', email: `${name}@example.com`, user_ref: name, first_name: name },
      ...more,
    })
  const csv = (...lines: string[]) => ({
    ...{ name: 'readers.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(['rid,email,first_name', ...lines, ''].join('\n')),
  })
  const input = () => page().locator('input[type=file]')
  return { server, app, helper, row, total, grant, csv, input, ...partsOf(page) }
}
