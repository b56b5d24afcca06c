import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ControlDatabase, EnvironmentDatabase } from '../../db/database.ts'
import { controlMigrations, environmentMigrations } from '../../db/migrations.ts'
import { openDatabase } from '../../db/open.ts'
import type { ControlTables, Tables } from '../../db/tables.ts'
import { OperatorError } from '../../errors.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { addKeyToFile, createKeyFile, createMasterKey, readKeyFile } from './master-key.ts'
import { loadOrCreateMasterKey } from './open-master-key.ts'
import { rotateKeyFile } from './rotate-master.ts'
import { findSealProblems, reseal } from './sealed.ts'
import { getOrCreateSecret } from './secrets.ts'

describe.each(databases)('A secret of an environment on $name', ({ createMigrated }) => {
  let installation: TestInstallation
  let control: ControlDatabase
  let production: EnvironmentDatabase
  let sandbox: EnvironmentDatabase
  /** The production database, as opened by a second process. */
  let beside: EnvironmentDatabase

  const folder = () => installation.env.GATEHOUSE_DATA as string
  const location = () => {
    const url = installation.env.GATEHOUSE_DATABASE_URL
    return url === undefined
      ? ({ engine: 'sqlite', folder: folder() } as const)
      : ({ engine: 'postgres', url, connections: 4 } as const)
  }
  const openEnvironment = (name: string) =>
    openDatabase<Tables>(location(), name, environmentMigrations)
  /** Reads the key file as a newly started process would. */
  const masterKey = () => createMasterKey('test', () => readKeyFile(folder()))
  const rotate = () => rotateKeyFile(control, [production, sandbox], folder())
  const sealed = async () => await production.read.selectFrom('secrets').selectAll().execute()

  beforeAll(async () => {
    installation = await createMigrated()
    control = await openDatabase<ControlTables>(location(), 'control', controlMigrations)
    production = await openEnvironment('production')
    sandbox = await openEnvironment('sandbox')
    beside = await openEnvironment('production')
  })
  beforeEach(async () => {
    for (const database of [production, sandbox]) {
      await database.write((trx) => trx.deleteFrom('secrets').execute())
    }
    createKeyFile(folder())
  })
  afterAll(async () => {
    await Promise.all([control, production, sandbox, beside].map((one) => one.close()))
    await installation.remove()
  })

  it('has 32 random bytes, and every name and every environment its own', async () => {
    const secrets = [
      await getOrCreateSecret(production, masterKey(), 'links'),
      await getOrCreateSecret(production, masterKey(), 'other'),
      await getOrCreateSecret(sandbox, masterKey(), 'links'),
    ]
    expect(secrets.map((secret) => secret.length)).toEqual([32, 32, 32])
    expect(new Set(secrets.map(String)).size).toBe(3)
  })

  it('is made once, however many ask for it at once', async () => {
    const asked = Array.from({ length: 10 }, (_, i) =>
      getOrCreateSecret(i % 2 === 0 ? production : beside, masterKey(), 'links'),
    )
    const secrets = await Promise.all(asked)
    const later = await getOrCreateSecret(beside, masterKey(), 'links')
    expect(new Set([...secrets, later].map((secret) => secret.toString('hex'))).size).toBe(1)
    expect(await sealed()).toHaveLength(1)
  })

  it('lies sealed in the database, and opens under its own name alone', async () => {
    const secret = await getOrCreateSecret(production, masterKey(), 'links')
    const [row] = await sealed()
    for (const spelling of ['base64url', 'base64', 'hex'] as const) {
      expect(row?.sealed).not.toContain(secret.toString(spelling))
    }
    await production.write((trx) => trx.updateTable('secrets').set({ name: 'other' }).execute())
    await expect(getOrCreateSecret(production, masterKey(), 'other')).rejects.toThrow()
  })

  it('is the same after a rotation of the master key, for those who run and those who start', async () => {
    const running = masterKey()
    const secret = await getOrCreateSecret(production, running, 'links')
    const before = await sealed()
    expect(await rotate()).toBe(1)
    expect(readKeyFile(folder())).toHaveLength(1)
    expect(await sealed()).not.toEqual(before)
    expect(await getOrCreateSecret(production, running, 'links')).toEqual(secret)
    expect(await getOrCreateSecret(beside, masterKey(), 'links')).toEqual(secret)
  })

  it('that is being made during a rotation is not lost', async () => {
    const file = () => readFileSync(join(folder(), 'master.key'), 'utf8')
    const before = file()
    let rotation: Promise<number> | undefined
    const slowly: EnvironmentDatabase = {
      ...production,
      write: (fn) =>
        production.write(async (trx) => {
          const result = await fn(trx)
          rotation ??= rotate()
          await vi.waitFor(() => expect(file()).not.toBe(before), { timeout: 60_000 })
          // The rotation must be blocked by this transaction; otherwise it would finish within this time.
          await Promise.race([rotation, sleep(200)])
          return result
        }),
    }
    const secret = await getOrCreateSecret(slowly, masterKey(), 'links')
    expect(await rotation).toBe(1)
    expect(await getOrCreateSecret(production, masterKey(), 'links')).toEqual(secret)
  })

  it('is counted among what the master key has to open', async () => {
    expect(await findSealProblems(production.read, masterKey())).toMatchObject({ count: 0 })
    await getOrCreateSecret(production, masterKey(), 'links')
    const fine = { count: 1, unreadable: [], old: [] }
    expect(await findSealProblems(production.read, masterKey())).toEqual(fine)
    addKeyToFile(folder())
    const half = { ...fine, old: ['links'] }
    expect(await findSealProblems(production.read, masterKey())).toEqual(half)
    expect(await production.write((trx) => reseal(trx, masterKey()))).toBe(1)
    expect(await findSealProblems(production.read, masterKey())).toEqual(fine)
    createKeyFile(folder())
    const lost = { count: 1, unreadable: ['links'], old: ['links'] }
    expect(await findSealProblems(production.read, masterKey())).toEqual(lost)
    await expect(getOrCreateSecret(production, masterKey(), 'links')).rejects.toBeInstanceOf(
      OperatorError,
    )
  })

  it('keeps a new master key from being made in the place of a missing one', async () => {
    await getOrCreateSecret(sandbox, masterKey(), 'links')
    rmSync(join(folder(), 'master.key'))
    const opening = loadOrCreateMasterKey(
      { dataFolder: folder() },
      control,
      [production, sandbox],
      () => createKeyFile(folder()),
    )
    await expect(opening).rejects.toThrow(/^the master key .* is missing/)
  })
})
