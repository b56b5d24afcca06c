import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Gatehouse } from '@gatehouse/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addKeyToFile, createMasterKey, readKeyFile } from '../../domain/apps/master-key.ts'
import { reseal } from '../../domain/apps/sealed.ts'
import { type Cli, inProcessCli, spawnedCli } from '../../testing/cli.ts'
import type { Checkup } from '../../testing/commands/checkup.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import { useMigratedInstallation } from '../../testing/use-service.ts'

describe.each(entryPointDatabases)('the master key by command line on $name', (database) => {
  const installation = useMigratedInstallation(database)
  let service: TestService
  let app: TestApplication
  let cli: Cli
  beforeAll(async () => {
    service = await startTestService(database, { installation, useRealTime: true })
    app = await service.newApplication()
    await service.newApplication('sandbox')
    cli = inProcessCli(installation.env)
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
  })

  const folder = () => installation.env.GATEHOUSE_DATA as string
  const file = () => readFileSync(join(folder(), 'master.key'), 'utf8')

  /** Repeats a request until the returned function is called; rejects if any of them fails. */
  function ask(client: Gatehouse): () => Promise<number> {
    let stopped = false
    const asking = (async () => {
      let count = 0
      for (; !stopped; count++) {
        await service.ctx.environments.production.keyring.refresh()
        await client.searchAccess()
      }
      return count
    })()
    return async () => {
      stopped = true
      return await asking
    }
  }

  it('is rotated beside a running server, without a failed request', async () => {
    const before = file()
    const finish = ask(app.client)
    const done = await spawnedCli(installation.env).json('key', 'rotate-master')
    expect(await finish()).toBeGreaterThan(0)
    expect(done).toMatchObject({ resealed: 2 })
    expect(readKeyFile(folder())).toHaveLength(1)
    expect(file()).not.toBe(before)
    expect(statSync(join(folder(), 'master.key')).mode & 0o777).toBe(0o600)
    // The running server seals with the new key too, and can open what others sealed.
    const later = await service.newApplication()
    await later.client.searchAccess()
    expect((await cli.json<Checkup>('doctor')).checks).toContainEqual({
      check: 'master key',
      status: 'ok',
      message: expect.stringContaining('decrypts all 3 keys'),
    })
  })

  it('opens everything after a restart', async () => {
    await service.stop()
    service = await startTestService(database, { installation, useRealTime: true })
    const { aid, privateKey } = app
    app = { ...app, client: new Gatehouse({ baseUrl: service.url, aid, privateKey }) }
    await app.client.searchAccess()
  })

  it('is rotated to the end by a second run, after the first was killed half-way', async () => {
    addKeyToFile(folder())
    const keys = readKeyFile(folder())
    const half = createMasterKey('test', () => keys)
    await service.ctx.environments.production.database.write((trx) => reseal(trx, half))
    await app.client.searchAccess()
    const { checks } = await cli.json<Checkup>('doctor')
    expect(checks.find(({ check }) => check === 'master key')).toMatchObject({
      status: 'warning',
      todo: expect.stringContaining('gatehouse key rotate-master'),
    })
    // Only the sandbox's key is left to be sealed again.
    expect(await cli.json('key', 'rotate-master')).toMatchObject({ resealed: 1 })
    expect(readKeyFile(folder())).toEqual(keys.slice(0, 1))
    await app.client.searchAccess()
  })

  it('may come from a variable, which is then shortened', async () => {
    const [old] = file().split('\n') as [string]
    const fresh = randomBytes(32).toString('base64url')
    const withKeys = (keys: string) =>
      inProcessCli({ ...installation.env, GATEHOUSE_MASTER_KEY: keys })
    const one = await withKeys(old).run('key', 'rotate-master')
    expect(one).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to do.*NEW,OLD/s),
    })
    const both = await withKeys(`${fresh},${old}`).run('key', 'rotate-master')
    expect(both.stdout).toMatch(/^Re-encrypted 3 .*Remove the other keys from GATEHOUSE_MASTER_KEY/)
    const [short, wrong] = await Promise.all([
      withKeys(fresh).json<Checkup>('doctor'),
      withKeys(old).run('doctor'),
    ])
    expect(short.ok).toBe(true)
    expect(wrong.code).toBe(1)
    expect(wrong.stdout).toMatch(/^failed +master key .*GATEHOUSE_MASTER_KEY can't decrypt/m)
    for (const { stdout, stderr } of [one, both, wrong]) {
      for (const secret of [old, fresh, app.privateKey]) {
        expect(stdout + stderr).not.toContain(secret)
      }
    }
    // Seal with the old key again, which the running service has in its file.
    await withKeys(`${old},${fresh}`).json('key', 'rotate-master')
    await app.client.searchAccess()
  })
})
