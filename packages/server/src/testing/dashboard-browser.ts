import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../staff/staff.ts'
import { addAxe } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { databases, type Home } from './databases.ts'
import { signInAs } from './desk.ts'
import { type Ended, startProcess } from './process.ts'
import { startTestService, type TestApplication, type TestService } from './service.ts'

/** Somebody with a browser of their own. */
export interface Person {
  context: BrowserContext
  page: Page
}

/** A member of the staff with a browser, signed in. */
export interface Visitor extends Person {
  /** Opens a page of an application: `open(app, 'resources?q=a')`. */
  open(app: TestApplication, path: string): Promise<void>
}

export interface HouseOptions {
  /** Further settings. */
  env?: Record<string, string>
  /** Refusals that the test asks for: the browser tells of them, too. */
  refusals?: RegExp
}

/** What `npm start` runs, in a process and a data folder of its own, and browsers that look at it. */
export interface House {
  home: Home
  /** Its address as the start prints it. */
  url: string
  /** The link to the first account, which the start prints, too. */
  setUpLink: string
  /** Where that link leads to: the dashboard, with a trailing slash. */
  dashboard: string
  /** What the browsers have complained about. */
  complaints: string[]
  newPerson(options?: BrowserContextOptions): Promise<Person>
  /** Fails if the server was not well. `look` has its data alone before they are gone. */
  stop(look?: () => Promise<void>): Promise<void>
}

/** Such a house with applications and a staff. */
export interface DashboardHouse extends House {
  /** Beside the server, on the same data: it arranges what is there and looks at it, and serves nobody. */
  service: TestService
  visitorAs(role: Role, options?: BrowserContextOptions): Promise<Visitor>
}

/** Nobody has an account yet. */
export async function openHouse({ env = {}, refusals }: HouseOptions = {}): Promise<House> {
  const browser = await launchBrowser()
  const home = await databases[0].makeHome()
  const server = await startProcess({ env: { ...home.env, ...env } })
  const url = await server.url
  const [, setUpLink = '', dashboard = ''] =
    /^Dashboard: ((\S+\/)welcome#\S+)$/m.exec(server.stdout) ?? []
  const complaints: string[] = []
  return {
    home,
    url,
    setUpLink,
    dashboard,
    complaints,
    async newPerson(options = {}) {
      // What is half faded in would be too faint to read.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      await addAxe(context)
      const page = await context.newPage()
      listen(page, complaints, refusals)
      return { context, page }
    },
    async stop(look = async () => {}) {
      await browser.close()
      // How it goes in peace takes seconds, and is looked at elsewhere.
      const ended = await server.kill()
      try {
        await look()
      } finally {
        await home.remove()
      }
      requireHealth(ended)
    },
  }
}

export async function openDashboard(env: Record<string, string> = {}): Promise<DashboardHouse> {
  const house = await openHouse({ env, refusals: /status of 40\d/ })
  const { home, dashboard } = house
  const service = await startTestService(databases[0], {
    home,
    env,
    realTime: true,
    servedAt: house.url,
  })
  return {
    ...house,
    service,
    async visitorAs(role, options) {
      const { headers } = await signInAs(service, role)
      const person = await house.newPerson(options)
      const [name = '', value = ''] = (headers.cookie as string).split('=')
      const cookie = { name, value, url: dashboard, httpOnly: true, sameSite: 'Strict' } as const
      await person.context.addCookies([cookie])
      const open: Visitor['open'] = async ({ environment, aid }, path) => {
        await person.page.goto(`${dashboard}${environment.name}/${aid}/${path}`)
      }
      return { ...person, open }
    },
    stop: () =>
      house.stop(async () => {
        try {
          await service.requireInvariants()
        } finally {
          await service.stop()
        }
      }),
  }
}

/** Until it was killed, it has run and has logged no error. */
function requireHealth({ code, signal, stdout, stderr }: Ended): void {
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
    // The checker is put into every frame, and can't run where a mail is shown.
    const isChecker = /^Blocked script execution in 'about:srcdoc'/.test(message.text())
    if (message.type() === 'error' && !isRefusal && !isChecker) complaints.push(message.text())
  })
}
