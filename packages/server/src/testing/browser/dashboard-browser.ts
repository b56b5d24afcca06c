import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { updateRows } from '../../db/queries/rows.ts'
import type { Role } from '../../domain/staff/staff.ts'
import { signInAs } from '../dashboard-api.ts'
import { databases, type TestDatabase, type TestInstallation } from '../databases.ts'
import { useFixture } from '../fixtures.ts'
import { readSetUpLink } from '../installations.ts'
import { type ProcessEnd, startProcess } from '../processes/process.ts'
import { startTestService, type TestApplication, type TestService } from '../service.ts'
import { addAxe } from './axe.ts'
import { launchBrowser } from './browser.ts'

/** A person with their own browser. */
export interface Person {
  context: BrowserContext
  page: Page
}

/** A signed-in staff member with a browser. */
export interface StaffBrowser extends Person {
  /** Opens a page of an application: `open(app, 'resources?q=a')`. */
  open(app: TestApplication, path: string): Promise<void>
}

export interface TestServerOptions {
  /** Additional settings. */
  env?: Record<string, string>
  /** Console messages to ignore: the browser also reports requests that the test expects to be refused. */
  refusals?: RegExp
  /** SQLite by default. */
  database?: TestDatabase
  /** Fills the installation before the server starts on it. */
  fill?: (installation: TestInstallation) => Promise<void>
}

/** A server as `npm start` runs it, in its own process and data folder, and browsers that use it. */
export interface TestServer {
  installation: TestInstallation
  /** The process that serves. */
  pid: number
  /** The server's address, as printed at the start. */
  url: string
  /** The link for creating the first account, which the start has put into a file. */
  setUpLink: string
  /** The dashboard's address, to which that link leads, with a trailing slash. */
  dashboard: string
  /** Errors that the browsers reported. */
  browserErrors: string[]
  newPerson(options?: BrowserContextOptions): Promise<Person>
  /** Throws if the server logged errors. `look` runs between the end of the server and the removal of its data. */
  stop(look?: () => Promise<void>): Promise<void>
}

/** A running server, with direct access to its data and with signed-in staff. */
export interface DashboardServer extends TestServer {
  /** Runs in this process on the server's data, to set it up and inspect it; it does not listen. */
  service: TestService
  staffBrowser(role: Role, options?: BrowserContextOptions): Promise<StaffBrowser>
}

/** Starts a server on which nobody has an account yet. */
export async function startTestServer({
  env = {},
  refusals,
  database = databases[0],
  fill = async () => {},
}: TestServerOptions = {}): Promise<TestServer> {
  const browser = await launchBrowser()
  const installation = await database.createMigrated()
  await fill(installation)
  const server = await startProcess({ env: { ...installation.env, ...env } })
  const url = await server.url
  const [, dashboard = ''] = /^Dashboard: (\S+)$/m.exec(server.stdout) ?? []
  const setUpLink = readSetUpLink(installation)
  const complaints: string[] = []
  return {
    installation,
    pid: server.pid,
    url,
    setUpLink,
    dashboard,
    browserErrors: complaints,
    async newPerson(options = {}) {
      // Elements that are still fading in would fail the contrast rules.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      await addAxe(context)
      const page = await context.newPage()
      listen(page, complaints, refusals)
      return { context, page }
    },
    async stop(look = async () => {}) {
      await browser.close()
      // A graceful shutdown takes seconds and is tested elsewhere.
      const ended = await server.kill()
      try {
        await look()
      } finally {
        await installation.remove()
      }
      requireHealth(ended)
    },
  }
}

type DashboardOptions = Omit<TestServerOptions, 'refusals'>

async function startDashboard({
  env = {},
  ...options
}: DashboardOptions): Promise<DashboardServer> {
  const { database = databases[0] } = options
  const server = await startTestServer({ ...options, env, refusals: /status of 40\d/ })
  const { installation, dashboard } = server
  const service = await startTestService(database, {
    installation,
    env,
    useRealTime: true,
    servedAt: server.url,
  })
  return {
    ...server,
    service,
    async staffBrowser(role, options) {
      const { headers, member } = await signInAs(service, role)
      await confirmForTheTest(service, member.id)
      const person = await server.newPerson(options)
      const [name = '', value = ''] = (headers.cookie as string).split('=')
      // For the whole host, as the service sets it: a cookie for one folder would stay beside a newer one.
      const url = new URL('/', dashboard).href
      const cookie = { name, value, url, httpOnly: true, sameSite: 'Strict' } as const
      await person.context.addCookies([cookie])
      const open: StaffBrowser['open'] = async ({ environment, aid }, path) => {
        await person.page.goto(`${dashboard}${environment.name}/${aid}/${path}`)
      }
      return { ...person, open }
    },
    stop: () =>
      server.stop(async () => {
        try {
          await service.requireInvariants()
        } finally {
          await service.stop()
        }
      }),
  }
}

/** On a slow machine, a test takes long enough to be asked again who it is. */
async function confirmForTheTest({ ctx }: TestService, staffId: string): Promise<void> {
  const confirmed = { confirmed_at: Date.now() + 3_600_000 }
  await ctx.control.write((trx) =>
    updateRows(trx, 'staff_sessions', { staff_id: staffId }, confirmed),
  )
}

/** Throws unless the server ran until it was killed and logged no error. */
function requireHealth({ code, signal, stdout, stderr }: ProcessEnd): void {
  const errors = stdout.split('\n').filter((line) => /^\{"level":[56]0,/.test(line))
  if (signal === 'SIGKILL' && errors.length === 0 && stderr === '') return
  throw new Error(
    [`the server was not well, and ended with ${code ?? signal}`, ...errors, stderr].join('\n'),
  )
}

function listen(page: Page, complaints: string[], refusals?: RegExp): void {
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`a script ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    const isRefusal = refusals?.test(message.text())
    // axe is added to every frame, but the frame that shows a mail allows no scripts.
    const isChecker = /^Blocked script execution in 'about:srcdoc'/.test(message.text())
    if (message.type() === 'error' && !isRefusal && !isChecker) complaints.push(message.text())
  })
}

/** Runs a server with a dashboard for the tests of the current `describe` block. */
export const useDashboard = (
  env: () => Record<string, string> = () => ({}),
  options: Omit<DashboardOptions, 'env'> = {},
): DashboardServer =>
  useFixture(
    () => startDashboard({ ...options, env: env() }),
    (server) => server.stop(),
  )
