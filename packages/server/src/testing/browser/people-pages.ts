import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { useFixture } from '../fixtures.ts'
import { openShop } from '../payments/shop.ts'
import { useDashboard } from './dashboard-browser.ts'
import { partsOf } from './dashboard-parts.ts'

const RESOURCES = {
  pass: 'Monthly pass',
  maps: 'Maps',
  old: 'Issue 7',
  gone: 'Issue 8',
  other: 'Issue 9',
}

/** Runs a dashboard, and opens the pages of people of a shop in the browser of a staff member. */
export function usePeoplePages(page: () => Page) {
  const server = useDashboard()
  const app = useFixture(() => openShop(server.service))
  const helper = useFixture(() => server.staffBrowser('support'))
  beforeAll(async () => {
    for (const [rid, name] of Object.entries(RESOURCES)) await app.addResource(rid, { name })
  })
  const grant = (rid: string, name: string, more: Record<string, unknown> = {}) =>
    app.client.grantAccess({
      ...{ rid, email: `${name}@example.com`, user_ref: name },
      ...more,
    })
  /** The list item about one resource. */
  const line = (name: string) =>
    page()
      .getByRole('listitem')
      .filter({ has: page().getByRole('heading', { level: 3, name, exact: true }) })
  return { server, app, helper, grant, line, ...partsOf(page) }
}
