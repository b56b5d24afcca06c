import { Gatehouse } from '@gatehouse/sdk'
import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import {
  type DashboardServer,
  useDashboard,
} from '../../packages/server/src/testing/browser/dashboard-browser.ts'
import { partsOf } from '../../packages/server/src/testing/browser/dashboard-parts.ts'
import type { TestDatabase } from '../../packages/server/src/testing/databases.ts'
import { useFixture } from '../../packages/server/src/testing/fixtures.ts'
import type { Credentials } from '../../packages/server/src/testing/installations.ts'
import { runSql } from '../../packages/server/src/testing/run-sql.ts'
import type { TestSmtp } from '../../packages/server/src/testing/smtp/smtp.ts'
import { useSmtp } from '../../packages/server/src/testing/use-service.ts'
import { personOf } from './crowd.ts'
import { fillWithPeople } from './fill.ts'
import { Stopwatch } from './stopwatch.ts'

/** A dashboard with many people, and an owner of it with a browser. */
export interface Stage extends ReturnType<typeof partsOf> {
  people: number
  server: DashboardServer
  smtp: TestSmtp
  stopwatch: Stopwatch
  aid(): string
  page(): Page
  /** Opens a page of the application. */
  open(path: string): Promise<void>
  /** A client of the application's API. */
  client(): Gatehouse
  /** Runs a query in production that selects one number. `$aid` stands for the application. */
  number(query: string): Promise<number>
  /** The person in the middle who has a subscription that goes on. */
  middle: ReturnType<typeof personOf>
  row(text: string): ReturnType<Page['locator']>
  /** Waits until a list says this total, and no older rows are shown. */
  total(count: number): Promise<void>
}

/** Long, because a slow page is measured, and only a wrong one fails. */
const MAX_WAIT_MS = 300_000

export const formatted = (count: number) => count.toLocaleString('en')

export function useStage(database: TestDatabase, people: number): Stage {
  const smtp = useSmtp()
  let credentials: Credentials
  const server = useDashboard(() => ({ GATEHOUSE_SMTP_URL: smtp.url }), {
    database,
    fill: async (installation) => {
      credentials = await fillWithPeople(installation, people)
    },
  })
  const owner = useFixture(async () => {
    const browser = await server.staffBrowser('owner')
    browser.context.setDefaultTimeout(MAX_WAIT_MS)
    return browser
  })
  const stopwatch = new Stopwatch()
  afterAll(() => console.info(stopwatch.report(`${database.name}, ${people} people`)))
  const page = () => owner.page
  const environment = () => server.service.ctx.environments.production
  return {
    ...partsOf(page),
    ...{ people, server, smtp, stopwatch, page },
    aid: () => credentials.aid,
    open: async (path) => {
      await page().goto(`${server.dashboard}production/${credentials.aid}/${path}`)
    },
    client: () => new Gatehouse({ ...credentials, baseUrl: server.url }),
    async number(query) {
      const text = query.replaceAll('$aid', `'${credentials.aid}'`)
      const { rows } = await runSql(environment().database.read, text)
      return Number(Object.values(rows[0] ?? {})[0])
    },
    middle: personOf(Math.floor(people / 200) * 100),
    row: (text) => page().locator('tr[data-row]').filter({ hasText: text }),
    async total(count) {
      const word = count === 1 ? 'result' : 'results'
      await page()
        .getByRole('status')
        .getByText(`${formatted(count)} ${word}`, { exact: true })
        .waitFor()
      await page().locator('[aria-busy=true]').waitFor({ state: 'detached' })
    },
  }
}
