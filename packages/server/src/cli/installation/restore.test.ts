import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Gatehouse } from '@gatehouse/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { asUnprivileged } from '../../testing/commands/unprivileged.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { queryOnce } from '../../testing/postgres/run-statement.ts'
import { startTestService } from '../../testing/service.ts'
import { useApplication, useFreshInstallation, useService } from '../../testing/use-service.ts'

const folderOf = ({ env }: TestInstallation) => env.GATEHOUSE_DATA as string
const keyOf = (installation: TestInstallation) => join(folderOf(installation), 'master.key')
const newKey = () => randomBytes(32).toString('base64url')

const SCHEMAS = `select schema_name from information_schema.schemata
  where schema_name in ('control', 'production', 'sandbox')`

/** Lists what an installation consists of: the files of its folder, and its schemas in PostgreSQL. */
async function partsOf(installation: TestInstallation): Promise<string[]> {
  const url = installation.env.GATEHOUSE_DATABASE_URL
  const schemas = url === undefined ? [] : (await queryOnce(url, SCHEMAS)).rows
  return [...readdirSync(folderOf(installation)), ...schemas.map((row) => row.schema_name)]
}

describe.each(databases)('a restore by command line on $name', (database) => {
  const backups = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'))
  afterAll(() => rmSync(backups, { recursive: true, force: true }))
  const service = useService(database, { useRealTime: true })
  const app = useApplication(service, { resources: ['news'] })
  const target = useFreshInstallation(database)
  const file = join(backups, 'all.backup')
  beforeAll(async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    await app.environment.trialKey()
    await addDownload(app, 'news', Buffer.alloc(2048))
    const backup = await inProcessCli(service.installation.env).run('backup', file)
    expect(backup.code).toBe(0)
    expect(backup.stdout).toContain('The master key is not included')
    expect(backup.stdout).toContain(
      `2.0 KiB of downloadable files are not included. Copy ${folderOf(service.installation)}/files within`,
    )
    chmodSync(file, 0o644)
    chmodSync(backups, 0o755)
  })

  const restore = (env: Record<string, string> = {}, ...options: string[]) =>
    inProcessCli({ ...target.env, ...env }).run('restore', file, ...options)

  /** Restores with what is there; requires one line that has all of these texts, and that nothing has changed. */
  async function expectRefusal(texts: readonly string[], env: Record<string, string> = {}) {
    const before = await partsOf(target)
    const { code, stdout, stderr } = await restore(env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^gatehouse: nothing was restored: [^\n]*\n$/)
    for (const text of texts) expect(stderr).toContain(text)
    expect(await partsOf(target)).toEqual(before)
  }

  it('is whole with the master key of the backup, and names the files that belong to it', async () => {
    copyFileSync(keyOf(service.installation), keyOf(target))
    const first = await restore()
    expect(first.code).toBe(0)
    expect(first.stderr).toContain(`The master key in ${keyOf(target)} can decrypt all 2`)
    expect(first.stderr).toContain(
      `2.0 KiB of downloadable files belong to it. Put them back into ${folderOf(target)}/files,`,
    )
    const restored = await startTestService(database, { installation: target })
    try {
      const client = new Gatehouse({ ...app, baseUrl: restored.url })
      const search = { show_expired: true, pagesize: 1000 }
      expect(await client.searchAccess(search)).toEqual(await app.client.searchAccess(search))
    } finally {
      await restored.stop()
    }
    const twice = await restore()
    expect(twice).toMatchObject({ code: 1, stdout: '' })
    expect(twice.stderr).toContain('this backup was completely restored here before')
  })

  it('takes the master key from GATEHOUSE_MASTER_KEY, also among others', async () => {
    const key = readFileSync(keyOf(service.installation), 'utf8').trim()
    const { code, stderr } = await restore({ GATEHOUSE_MASTER_KEY: `${newKey()},${key}` })
    expect(code).toBe(0)
    expect(stderr).toContain('The master key in GATEHOUSE_MASTER_KEY can decrypt all 2')
    expect(existsSync(keyOf(target))).toBe(false)
  })

  it('without a master key is refused and creates none', async () => {
    await expectRefusal([
      `the master key ${keyOf(target)} is missing`,
      '2 encrypted keys and secrets',
      'put the master key that the installation had when the backup was made there',
      'GATEHOUSE_MASTER_KEY',
    ])
    expect(await partsOf(target)).toEqual([])
  })

  it('with another master key is refused, wherever it comes from', async () => {
    const texts = [
      "can't decrypt 2 of the backup's 2 keys and secrets",
      'use the master key that the installation had when the backup was made',
    ]
    const fromSetting = { GATEHOUSE_MASTER_KEY: newKey() }
    await expectRefusal([...texts, 'the master key GATEHOUSE_MASTER_KEY'], fromSetting)
    writeFileSync(keyOf(target), `${newKey()}\n`, { mode: 0o600 })
    await expectRefusal([...texts, `the master key ${keyOf(target)}`])
    expect(await partsOf(target)).toEqual(['master.key'])
  })

  it('with a master key that is damaged, or that others can read, is refused', async () => {
    writeFileSync(keyOf(target), 'cut\n', { mode: 0o600 })
    await expectRefusal([`the master key ${keyOf(target)} is damaged`])
    copyFileSync(keyOf(service.installation), keyOf(target))
    chmodSync(keyOf(target), 0o644)
    await expectRefusal([`chmod 600 ${keyOf(target)}`])
    expect(await partsOf(target)).toEqual(['master.key'])
  })

  it("with a master key that this user can't read is refused, and says who may not", async () => {
    copyFileSync(keyOf(service.installation), keyOf(target))
    const texts = ['EACCES', 'this runs as the user ', 'chown -R ']
    chmodSync(folderOf(target), 0o777)
    chmodSync(keyOf(target), 0o000)
    await asUnprivileged(() => expectRefusal([`${keyOf(target)} can't be read`, ...texts]))
    expect(await partsOf(target)).toEqual(['master.key'])
  })

  it("doesn't take a key in a folder that this user can't read for a missing one", async () => {
    copyFileSync(keyOf(service.installation), keyOf(target))
    chmodSync(folderOf(target), 0o000)
    const { code, stderr } = await asUnprivileged(() => restore())
    chmodSync(folderOf(target), 0o700)
    expect(code).toBe(1)
    expect(stderr).toContain(`${keyOf(target)} can't be read`)
    expect(await partsOf(target)).toEqual(['master.key'])
  })

  it('of a lost master key is possible if asked for, and leaves the secrets unreadable', async () => {
    const { code, stderr } = await restore({}, '--lost-master-key')
    expect(code).toBe(0)
    expect(stderr).toContain("can't decrypt 2 of 2")
    const doctor = await inProcessCli(target.env).run('doctor')
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(/^failed +master key .* can't decrypt the keys/m)
  })

  it('of a backup that has nothing encrypted needs no master key', async () => {
    const empty = await database.createMigrated()
    const bare = join(backups, 'bare.backup')
    await inProcessCli(empty.env).json('backup', bare)
    await empty.remove()
    const { code } = await inProcessCli(target.env).run('restore', bare)
    expect(code).toBe(0)
    expect(existsSync(keyOf(target))).toBe(true)
  })

  it('of a file that is no backup restores nothing, and leaves no new installation behind', async () => {
    const [bad, folder] = [join(backups, 'bad.backup'), join(backups, 'none')]
    writeFileSync(bad, 'cut off')
    const outcome = await inProcessCli({ GATEHOUSE_DATA: folder }).run('restore', bad)
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(bad) })
    expect(existsSync(folder)).toBe(false)
  })
})
