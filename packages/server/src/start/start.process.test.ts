import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ENVIRONMENTS } from '../context.ts'
import { findViolations } from '../db/invariants/invariants.ts'
import { listApplications } from '../domain/apps/applications.ts'
import { databases, type TestInstallation } from '../testing/databases.ts'
import { readSetUpLink, withContext } from '../testing/installations.ts'
import { startProcess } from '../testing/processes/process.ts'
import { acceptInvite } from '../testing/staff.ts'
import { useFreshInstallation, useInstallation } from '../testing/use-service.ts'
import { setUpLinkPath } from './set-up-link.ts'

/** Uses the shell's curl, or a replacement where there is none. */
const CURL = `command -v curl > /dev/null || curl() {
  "${process.execPath}" -e '
    const [, header, url] = process.argv.slice(1)
    const [name, value] = header.split(": ")
    fetch(url, { headers: { [name]: value } }).then(async (answer) => console.log(await answer.text()))
  ' -- "$@"
}
`

/** Runs the curl command of a welcome message in a shell. */
async function paste(welcome: string): Promise<unknown> {
  const line = /^ {2}(curl .*)$/m.exec(welcome)?.[1]
  const { stdout } = await promisify(execFile)('sh', ['-c', `${CURL}${line}`])
  return JSON.parse(stdout)
}

const aidsIn = (welcome: string) =>
  [...welcome.matchAll(/^ +application +(\S+)/gm)].map(([, aid]) => aid)

/** Returns the token in the link for the first owner. */
const setUpTokenOf = (installation: TestInstallation) =>
  /^http:\/\/localhost:\d+\/dashboard\/welcome#([A-Za-z0-9]{43})$/.exec(
    readSetUpLink(installation),
  )?.[1] as string

/** Starts many processes, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 600_000 })

/** A private key. A signature may contain 40 letters and digits between its hyphens, so a hyphen is no boundary. */
const KEY = /(?<![\w-])[A-Za-z0-9]{40}(?![\w-])/g

describe.each(databases)('the first start on $name', ({ createEmpty, engine }) => {
  let installation: TestInstallation
  /** The usual time of a start, in milliseconds. */
  let usual = 1_000
  beforeEach(async () => {
    installation = await createEmpty()
  })
  afterEach(() => installation.remove())

  /** Requires exactly what a first start creates, without duplicates. */
  async function requireOneOfEach(): Promise<void> {
    await withContext(installation, async (ctx) => {
      for (const name of ENVIRONMENTS) {
        const { database, clock } = ctx.environments[name]
        const demo = name === 'sandbox' ? 1 : 0
        expect(await listApplications(database.read)).toHaveLength(1)
        for (const [table, count] of [
          ['application_keys', 1],
          ['resources', demo],
          ['access', demo],
        ] as const) {
          const rows = await database.read.selectFrom(table).selectAll().execute()
          expect(rows, `${table} of ${name}`).toHaveLength(count)
        }
        expect(await findViolations(database.read, clock())).toEqual([])
      }
    })
  }

  it('makes all that is needed, shows a line that works, and the second start changes nothing', async () => {
    rmSync(installation.env.GATEHOUSE_DATA as string, { recursive: true })
    const first = await startProcess({ env: installation.env })
    await first.url
    expect(statSync(installation.env.GATEHOUSE_DATA as string).mode & 0o777).toBe(0o700)
    expect(await paste(first.stdout)).toMatchObject({
      rid: 'demo-article',
      user_ref: 'demo-reader',
    })
    const path = setUpLinkPath(installation.env.GATEHOUSE_DATA as string)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(first.stdout).toContain(
      `\nFirst account: open the link in ${path}, or run npx gatehouse staff invite EMAIL --role owner\n`,
    )
    const token = setUpTokenOf(installation)
    expect(first.stdout).not.toContain(token)
    expect(first.stdout).not.toContain('welcome#')
    expect(await acceptInvite(await first.url, token, { email: 'ann@example.com' })).toMatchObject({
      role: 'owner',
    })
    expect(await first.stop()).toMatchObject({ code: 0, stderr: '' })
    await requireOneOfEach()
    // The tests' own process hashes at less cost.
    await withContext(installation, async ({ control }) => {
      const [owner] = await control.read.selectFrom('staff').select('password').execute()
      expect(owner?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    })

    const second = await startProcess({ env: installation.env })
    await second.url
    usual = await second.startedWithin
    expect(await paste(second.stdout)).toMatchObject({ rid: 'demo-article' })
    await second.stop()
    expect(aidsIn(second.stdout)).toEqual(aidsIn(first.stdout))
    expect(aidsIn(first.stdout)).toHaveLength(2)
    for (const { stdout } of [first, second]) expect(stdout).not.toMatch(KEY)
    // The first account exists now, so there is no setup link any more.
    const { port } = new URL(await second.url)
    expect(second.stdout).toContain(`\nDashboard: http://localhost:${port}/dashboard/\n\n`)
    expect(existsSync(path)).toBe(false)
    await requireOneOfEach()
  })

  it('can happen twice at once', async () => {
    const both = await Promise.all([1, 2].map(() => startProcess({ env: installation.env })))
    const urls = await Promise.all(both.map((server) => server.url))
    expect(new Set(urls).size).toBe(2)
    for (const { stdout } of both)
      expect(await paste(stdout)).toMatchObject({ rid: 'demo-article' })
    // The later of two links, which is the only one that works.
    const token = setUpTokenOf(installation)
    const email = 'ann@example.com'
    expect(await acceptInvite(urls[0] as string, token, { email })).toMatchObject({ email })
    const [one, other] = both.map(({ stdout }) => aidsIn(stdout))
    expect(one).toEqual(other)
    for (const ended of await Promise.all(both.map((server) => server.stop()))) {
      expect(ended).toMatchObject({ code: 0, stderr: '' })
    }
    await requireOneOfEach()
  })

  it('can be killed at any moment; the next one finishes it', async () => {
    // The two databases are tested with different moments.
    for (const n of engine === 'sqlite' ? [1, 3] : [2, 4]) {
      const server = await startProcess({ env: installation.env })
      // Near the end of a start, when files, tables and rows are created.
      const timer = setTimeout(() => server.signal('SIGKILL'), usual * (0.5 + 0.1 * n))
      await Promise.race([server.url, server.ended])
      clearTimeout(timer)
      await server.kill()
    }
    const last = await startProcess({ env: installation.env })
    await last.url
    expect(await paste(last.stdout)).toMatchObject({ rid: 'demo-article' })
    expect(last.stdout).not.toContain('ON HOLD')
    await last.stop()
    await requireOneOfEach()
  })
})

describe('a start on SQLite', () => {
  const started = useInstallation(databases[0])
  beforeAll(async () => {
    const first = await startProcess({ env: started.env })
    await first.url
    await first.stop()
  })

  /** A copy of the installation that was started. */
  const installation = useFreshInstallation(databases[0])
  let folder: string
  beforeEach(() => {
    folder = installation.env.GATEHOUSE_DATA as string
    cpSync(started.env.GATEHOUSE_DATA as string, folder, { recursive: true })
  })

  const removeDatabase = (name: string) => {
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(folder, `${name}.sqlite${end}`), { force: true })
  }

  async function requireRefused(named: string): Promise<void> {
    const server = await startProcess({ env: installation.env })
    await Promise.race([server.url.then(() => server.kill()), server.ended])
    const { code, stderr, stdout } = await server.ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^gatehouse: [^\n]*\n$/)
    expect(stderr).toContain(`the database ${join(folder, named)} is missing`)
    expect(stderr).toContain('gatehouse restore FILE')
    expect(existsSync(join(folder, named))).toBe(false)
  }

  it.each(['production', 'sandbox', 'control'])(
    'is refused where %s.sqlite was deleted, and makes no empty one',
    async (name) => {
      removeDatabase(name)
      await requireRefused(`${name}.sqlite`)
    },
  )

  it('is refused where only the identity file is gone too', async () => {
    rmSync(join(folder, 'installation.json'), { force: true })
    removeDatabase('production')
    await requireRefused('production.sqlite')
  })

  it('begins anew in a folder that holds nothing but the master key', async () => {
    rmSync(join(folder, 'installation.json'), { force: true })
    for (const name of ['production', 'sandbox', 'control']) removeDatabase(name)
    const server = await startProcess({ env: installation.env })
    expect(await server.url).toContain('http://')
    await server.stop()
  })
})

const COMMAND = fileURLToPath(new URL('../../bin/gatehouse.mjs', import.meta.url))

/** Starts a server on its own terminal, waits for its welcome message and stops it. */
async function outputOnTerminal(env: Record<string, string>): Promise<string> {
  const program = `echo "pid $$"; exec "${process.execPath}" "${COMMAND}" serve`
  const child = spawn('script', ['-qec', program, '/dev/null'], {
    env: { ...process.env, SHELL: '/bin/sh', GATEHOUSE_PORT: '0', ...env },
  })
  let output = ''
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout) {
    const before = output
    output += text
    const isComplete = (so: string) => /ready to paste:[\s\S]*curl [^\n]*\n/.test(so)
    if (isComplete(output) && !isComplete(before)) {
      process.kill(Number(/pid (\d+)/.exec(output)?.[1]), 'SIGTERM')
    }
  }
  return output
}

describe('a private key', () => {
  it('is shown on a terminal, at the first start, and never again', async () => {
    const installation = await databases[0].createEmpty()
    const first = await outputOnTerminal(installation.env)
    expect(first).toContain('Gatehouse is running.')
    expect(first.match(KEY)).toHaveLength(2)
    const second = await outputOnTerminal(installation.env)
    expect(second).toContain('Gatehouse is running.')
    expect(second).not.toMatch(KEY)
    await installation.remove()
  })
})
