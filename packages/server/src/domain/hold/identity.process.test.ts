import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { type Credentials, createApplicationIn, withContext } from '../../testing/installations.ts'
import { startProcess } from '../../testing/processes/process.ts'
import {
  check,
  copyDatabases,
  emptyFolder,
  folderOf,
  holdOf,
  resume,
  startOnce,
  startProcessOnce,
  useKnownInstallation,
} from '../../testing/restores/known-installation.ts'
import { startSmtp, type TestSmtp } from '../../testing/smtp/smtp.ts'

// These tests start many services, possibly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const [sqlite, postgres] = databases

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
