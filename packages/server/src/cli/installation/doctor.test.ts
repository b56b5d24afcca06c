import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, inProcessCli, spawnedCli } from '../../testing/cli.ts'
import type { Checkup } from '../../testing/commands/checkup.ts'
import { PASSWORD, withPasswords } from '../../testing/commands/passwords.ts'
import { asUnprivileged } from '../../testing/commands/unprivileged.ts'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

describe.each(databases)('doctor on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const app = useApplication(service, { resources: ['news'] })
  let cli: Cli
  let real: Cli
  beforeAll(async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    cli = inProcessCli(withPasswords(service.installation))
    real = spawnedCli(withPasswords(service.installation))
  })
  afterAll(async () => {
    expect(cli.printed + real.printed).not.toContain(PASSWORD)
    expect(cli.printed + real.printed).not.toContain(app.privateKey)
  })

  const change = (statement: ReturnType<typeof sql>) =>
    app.environment.database.write((trx) => statement.execute(trx))

  it('finds nothing wrong with a good service', async () => {
    const { ok, checks } = await cli.json<Checkup>('doctor', '--deep')
    expect(ok).toBe(true)
    const named = checks.map(({ check }) => check)
    for (const name of ['address', 'database control', 'master key', 'disk', 'clock']) {
      expect(named).toContain(name)
    }
    for (const env of ['production', 'sandbox']) {
      expect(checks).toContainEqual(
        expect.objectContaining({ check: `rules ${env}`, status: 'ok' }),
      )
    }
    expect(named.includes('file production')).toBe(database.engine === 'sqlite')
    expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
  })

  it('reports a rule that is broken, when it looks deep', async () => {
    await change(sql`update access set ends = ends - 1`)
    const [shallow, deep] = await Promise.all([cli.run('doctor'), real.run('doctor', '--deep')])
    await change(sql`update access set ends = ends + 1`)
    expect(shallow.code).toBe(0)
    expect(deep.code).toBe(1)
    expect(deep.stdout).toMatch(
      /^failed +rules production +violated: an access ends with the latest of its open sources/m,
    )
    expect(deep.stdout).toMatch(/^ok +rules sandbox/m)
    await service.requireInvariants()
  })

  it('reports a clock that is behind what happened already', async () => {
    const future = Math.floor(Date.now() / 1000) + 3600
    const values = sql`${app.aid}, ${Number.MAX_SAFE_INTEGER}, ${future}, 'test', 'marked'`
    await change(sql`insert into history (aid, seq, at, actor, action) values (${values})`)
    const { code, stdout } = await cli.run('doctor')
    await change(sql`delete from history where action = 'marked'`)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +clock /m)
  })

  it('warns of an address that the world reaches and nobody named', async () => {
    const open = inProcessCli({ ...service.installation.env, GATEHOUSE_HOST: '0.0.0.0' })
    const { code, stdout } = await open.run('doctor')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^warning +address /m)
    expect(stdout).toContain('set GATEHOUSE_BASE_URL')
  })

  it('fails if the master key is not the one that encrypted the keys', async () => {
    const key = join(service.installation.env.GATEHOUSE_DATA as string, 'master.key')
    const usual = readFileSync(key, 'utf8')
    writeFileSync(key, `${randomBytes(32).toString('base64url')}\n`)
    const { code, stdout } = await cli.run('doctor')
    writeFileSync(key, usual)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^failed +master key .*master\.key can't decrypt the keys .*\n +-> put back the master key that encrypted them; the service does not start/m,
    )
  })

  it('warns of databases without an application, as after a restore that failed', async () => {
    const empty = await database.createMigrated()
    const { code, stdout } = await inProcessCli(empty.env).run('doctor')
    await empty.remove()
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^warning +applications +no applications yet.* After a restore, .*\n +-> .*gatehouse restore FILE/m,
    )
    expect((await cli.run('doctor')).stdout).toMatch(/^ok +applications +1 in production, 0 in/m)
  })

  it("says of a folder that it can't read who may not, and not that it is empty", async () => {
    const folder = service.installation.env.GATEHOUSE_DATA as string
    const sqlite = inProcessCli({ GATEHOUSE_DATA: folder })
    const asOther = async (mode: number) => {
      chmodSync(folder, mode)
      const { code, stdout } = await asUnprivileged(() => sqlite.run('doctor'))
      chmodSync(folder, 0o700)
      expect(code).toBe(1)
      expect(stdout).not.toContain('there is no installation')
      return stdout
    }
    const closed = await asOther(0o000)
    expect(closed).toContain(`the folder ${folder} (GATEHOUSE_DATA) can't be read: EACCES`)
    expect(closed).toMatch(/this runs as the user \S+, who has no permission: .* chown -R \S+: \S+/)
  })

  it('reports what keeps a service from starting', async () => {
    const env = service.installation.env
    const key = join(env.GATEHOUSE_DATA as string, 'master.key')
    const wrong = await inProcessCli({ ...env, GATEHOUSE_PORT: 'eighty' }).run('doctor')
    chmodSync(key, 0o644)
    const open = await inProcessCli(env).run('doctor')
    chmodSync(key, 0o600)
    expect(wrong).toMatchObject({ code: 1, stderr: '' })
    expect(wrong.stdout).toMatch(/^failed +configuration +GATEHOUSE_PORT must be/m)
    expect(open).toMatchObject({ code: 1, stderr: '' })
    expect(open.stdout).toContain(`chmod 600 ${key}`)
  })
})
