import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases, type TestDatabase, type TestInstallation } from '../../testing/databases.ts'
import { useFreshFixture } from '../../testing/fixtures.ts'
import { fetchBytes } from '../../testing/http/fetching.ts'
import { type Credentials, createApplicationIn, withContext } from '../../testing/installations.ts'
import { copyRows } from '../../testing/postgres/copy-rows.ts'
import { startDatabaseProxy } from '../../testing/postgres/database-proxy.ts'
import { startPostgres } from '../../testing/postgres/postgres.ts'
import { startProcess } from '../../testing/processes/process.ts'
import { startSmtp, type TestSmtp } from '../../testing/smtp/smtp.ts'
import { useFreshMigratedInstallation } from '../../testing/use-service.ts'
import { describeHold } from '../installation/hold.ts'
import { readServer } from '../installation/server.ts'

// These tests start many services, possibly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const [sqlite, postgres] = databases
const folderOf = (installation: TestInstallation) => installation.env.GATEHOUSE_DATA as string

/** Starts and stops a service in its own process; returns what it printed. */
async function startProcessOnce(installation: TestInstallation): Promise<string> {
  const server = await startProcess({ env: installation.env })
  const { status } = await fetchBytes(`${await server.url}/readyz`)
  expect(status).toBe(200)
  await server.stop()
  return server.stdout
}

/** Runs the identity check of a start in this process; returns why the installation is on hold, or an empty string. */
const startOnce = (installation: TestInstallation, env: Record<string, string> = {}) =>
  withContext({ ...installation, env: { ...installation.env, ...env } }, async ({ gate }) => {
    await gate.check()
    const { hold } = await gate.state()
    return hold ? `ON HOLD: ${describeHold(hold)}` : ''
  })

/** Copies the database files of a stopped service. */
function copyDatabases(from: string, to: string): void {
  for (const name of readdirSync(from).filter((one) => one.includes('.sqlite'))) {
    cpSync(join(from, name), join(to, name))
  }
}

const emptyFolder = () => mkdtempSync(join(tmpdir(), 'gatehouse-copy-'))

const holdOf = (installation: TestInstallation) =>
  withContext(installation, async ({ gate }) => (await gate.state()).hold?.cause)

const check = (installation: TestInstallation) =>
  withContext(installation, async ({ gate }) => (await gate.check())?.cause)

async function resume(installation: TestInstallation): Promise<void> {
  expect(await inProcessCli(installation.env).json('resume', '--yes')).toMatchObject({
    resumed: true,
  })
  expect(await check(installation)).toBeUndefined()
}

/** Creates an installation that has been started once, and an empty folder, for each test. */
function useKnownInstallation(database: TestDatabase) {
  const installation = useFreshMigratedInstallation(database)
  beforeEach(() => check(installation))
  const aside = useFreshFixture(
    async () => ({ folder: emptyFolder() }),
    ({ folder }) => rmSync(folder, { recursive: true }),
  )
  return { installation, aside }
}

describe('an installation on SQLite', () => {
  const { installation, aside } = useKnownInstallation(sqlite)

  it('is known again at each start, by a file for its owner alone', async () => {
    expect(await startOnce(installation)).toBe('')
    const path = join(folderOf(installation), 'installation.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { generations } = JSON.parse(readFileSync(path, 'utf8'))
    expect(generations).toEqual({ control: 2, production: 2, sandbox: 2 })
  })

  it.each([['all of them'], ['production'], ['control']])(
    'is on hold when an older copy of its files was put back (%s)',
    async (which) => {
      copyDatabases(folderOf(installation), aside.folder)
      await check(installation)
      if (which !== 'all of them') {
        for (const name of readdirSync(aside.folder).filter((one) => !one.startsWith(which))) {
          rmSync(join(aside.folder, name))
        }
      }
      copyDatabases(aside.folder, folderOf(installation))
      expect(await startOnce(installation)).toContain('The database is older than')
      expect(await holdOf(installation)).toBe('older_database')
      await resume(installation)
    },
  )

  it('is on hold when the files were copied without the file that knows them', async () => {
    copyDatabases(folderOf(installation), aside.folder)
    cpSync(join(folderOf(installation), 'master.key'), join(aside.folder, 'master.key'))
    const copy = { ...installation, env: { GATEHOUSE_DATA: aside.folder } }
    expect(await startProcessOnce(copy)).toMatch(/ON HOLD since .*installation\.json is missing/)
    await resume(copy)
  })

  it('is not on hold when a start was killed before it wrote the file', async () => {
    const file = join(folderOf(installation), 'installation.json')
    cpSync(file, join(aside.folder, 'old.json'))
    await check(installation)
    cpSync(join(aside.folder, 'old.json'), file)
    expect(await startOnce(installation)).toBe('')
  })

  it('is on hold when the data folder is older than the files, or of another installation', async () => {
    const file = join(folderOf(installation), 'installation.json')
    cpSync(file, join(aside.folder, 'old.json'))
    await check(installation)
    await check(installation)
    cpSync(join(aside.folder, 'old.json'), file)
    expect(await startOnce(installation)).toContain('The data folder is older than the database')
    await resume(installation)
    const other = await sqlite.createMigrated()
    await check(other)
    cpSync(join(folderOf(other), 'installation.json'), file)
    expect(await startOnce(installation)).toContain('belong to different installations')
    await other.remove()
  })

  it('is on hold when the whole folder was copied to another machine', async () => {
    await startOnce(installation, { GATEHOUSE_MACHINE_ID: 'one' })
    cpSync(folderOf(installation), aside.folder, { recursive: true })
    const copy = {
      ...installation,
      env: { GATEHOUSE_DATA: aside.folder, GATEHOUSE_MACHINE_ID: 'two' },
    }
    expect(await startOnce(copy)).toContain('was copied from another machine')
    await resume(copy)
    expect(await startOnce(installation, { GATEHOUSE_MACHINE_ID: 'one' })).not.toContain('ON HOLD')
  })

  it('goes on where the copy was a mistake and the right files are back', async () => {
    copyDatabases(folderOf(installation), aside.folder)
    await check(installation)
    const right = emptyFolder()
    copyDatabases(folderOf(installation), right)
    copyDatabases(aside.folder, folderOf(installation))
    expect(await startOnce(installation)).toContain('ON HOLD')
    copyDatabases(right, folderOf(installation))
    expect(await startOnce(installation)).not.toContain('ON HOLD')
    rmSync(right, { recursive: true })
  })

  it('of the last release, which has no such file, is not on hold', async () => {
    await withContext(installation, async ({ control, environments }) => {
      for (const { write } of [control, ...Object.values(environments).map((e) => e.database)]) {
        await write(async (trx) => {
          await (trx as never as typeof control.read)
            .deleteFrom('meta')
            .where('name', 'in', ['generation', 'installation', 'installation_lock'])
            .execute()
        })
      }
    })
    rmSync(join(folderOf(installation), 'installation.json'))
    expect(await startOnce(installation)).not.toContain('ON HOLD')
  })
})

describe('an installation on PostgreSQL', () => {
  const { installation, aside } = useKnownInstallation(postgres)

  const urlOf = (name: string) => {
    const url = new URL(installation.env.GATEHOUSE_DATABASE_URL as string)
    url.pathname = name
    return url.href
  }
  const nameOf = () => new URL(installation.env.GATEHOUSE_DATABASE_URL as string).pathname.slice(1)
  async function maintain(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  it('starts on further machines, with empty data folders', async () => {
    cpSync(join(folderOf(installation), 'master.key'), join(aside.folder, 'master.key'))
    const other = { ...installation, env: { ...installation.env, GATEHOUSE_DATA: aside.folder } }
    // The second start leaves the first folder two generations behind.
    for (const one of [other, other, installation, other])
      expect(await startOnce(one)).not.toContain('ON HOLD')
  })

  it('is on hold when its database was copied within the server', async () => {
    const copied = `${nameOf()}_copy`
    await maintain(`create database ${copied} template ${nameOf()}`)
    const copy = {
      ...installation,
      env: { ...installation.env, GATEHOUSE_DATABASE_URL: urlOf(copied) },
    }
    expect(await startOnce(copy)).toContain('copied to another PostgreSQL server or database')
    await resume(copy)
    await maintain(`drop database ${copied} with (force)`)
  })

  it('is on hold when an older copy took the place of its database', async () => {
    const old = `${nameOf()}_old`
    await maintain(`create database ${old} template ${nameOf()}`)
    await check(installation)
    await maintain(
      `drop database ${nameOf()} with (force)`,
      `alter database ${old} rename to ${nameOf()}`,
    )
    expect(await startOnce(installation)).toContain('ON HOLD')
  })

  it('is on hold when a dump of it was loaded into another server', async () => {
    const server = await startPostgres()
    try {
      const there = {
        ...installation,
        env: { ...installation.env, GATEHOUSE_DATABASE_URL: server.url },
      }
      await withContext(there, async () => {})
      await copyRows(installation.env.GATEHOUSE_DATABASE_URL as string, server.url)
      expect(await startOnce(there)).toContain('copied to another PostgreSQL server or database')
      await resume(there)
    } finally {
      await server.stop()
    }
  })

  it('asks nothing of the server that an ordinary role may not', async () => {
    const role = `role_${nameOf()}`
    await maintain(`create role ${role} login`, `grant create on database ${nameOf()} to ${role}`)
    const url = new URL(installation.env.GATEHOUSE_DATABASE_URL as string)
    url.username = role
    const fresh = await postgres.createEmpty()
    const name = new URL(fresh.env.GATEHOUSE_DATABASE_URL as string).pathname.slice(1)
    await maintain(`grant create on database ${name} to ${role}`)
    url.pathname = name
    const env = { ...fresh.env, GATEHOUSE_DATABASE_URL: url.href }
    await withContext({ ...fresh, env }, async ({ control }) => {
      const server = await readServer(control.read)
      expect(Object.values(server).filter((part) => part === '')).toEqual([])
    })
    await fresh.remove()
    await maintain(`drop owned by ${role}`)
  })
})

describe('an installation on a PostgreSQL server', () => {
  it('is on hold when a standby took over, also while it runs', async () => {
    const main = await startPostgres()
    const standby = await main.startStandby()
    const folder = emptyFolder()
    const proxy = await startDatabaseProxy(main.url)
    const env = { GATEHOUSE_DATA: folder, GATEHOUSE_DATABASE_URL: proxy.url }
    const installation: TestInstallation = { env, remove: async () => {} }
    try {
      expect(await startOnce(installation)).not.toContain('ON HOLD')
      await withContext(installation, async ({ gate }) => {
        await gate.requireOpen()
        await main.halt('fast')
        const client = new pg.Client({ connectionString: standby.url })
        await client.connect()
        await client.query('select pg_promote(true)')
        await client.end()
        proxy.leadTo(standby.url)
        await expect(gate.requireOpen()).rejects.toThrow('on hold')
      })
      const taken = { ...installation, env: { ...env, GATEHOUSE_DATABASE_URL: standby.url } }
      expect(await startOnce(taken)).toContain('or a standby took over')
      await resume(taken)
    } finally {
      await proxy.close()
      await standby.stop()
      await main.stop()
      rmSync(folder, { recursive: true })
    }
  })
})

describe.each([
  { ...sqlite, title: 'one with two workers', count: 1, workers: '2' },
  { ...postgres, title: 'two with one worker each', count: 2, workers: '1' },
])(
  'several processes of one installation on $name',
  ({ createMigrated, title, count, workers }) => {
    let installation: TestInstallation
    let app: Credentials
    let smtp: TestSmtp

    beforeEach(async () => {
      installation = await createMigrated()
      app = await createApplicationIn(installation)
      smtp = await startSmtp()
    })
    afterEach(async () => {
      await smtp.stop()
      await installation.remove()
    })

    const grant = (n: number) => {
      const { aid, rid } = app
      const options = ['--aid', aid, '--rid', rid, '--email', `reader${n}@example.com`]
      return inProcessCli(installation.env).run('access', 'grant', ...options)
    }

    it(`do not disturb each other, killed or not (${title})`, async () => {
      const env = { ...installation.env, GATEHOUSE_SMTP_URL: smtp.url, GATEHOUSE_WORKERS: workers }
      for (let round = 1; round <= 2; round++) {
        const servers = await Promise.all(
          Array.from({ length: count }, () => startProcess({ env })),
        )
        await Promise.all(servers.map((server) => server.url))
        await grant(round)
        await expect.poll(() => smtp.mails.length).toBe(round)
        const ends = servers.map((server) => (round === 1 ? server.kill() : server.stop()))
        for (const { stdout } of await Promise.all(ends)) expect(stdout).not.toContain('ON HOLD')
      }
      expect(await check(installation)).toBeUndefined()
    })
  },
)
