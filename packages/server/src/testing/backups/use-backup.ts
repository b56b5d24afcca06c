import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Context } from '../../context.ts'
import { writeBackup } from '../../domain/backup/backup.ts'
import { anyDatabase, type Databases } from '../../domain/backup/databases.ts'
import { DATABASE_NAMES, tablesOf } from '../../domain/backup/tables.ts'
import type { TestDatabase } from '../databases.ts'
import { isIdentityRow } from '../dump.ts'
import { startTestService, type TestApplication, type TestService } from '../service.ts'
import { useService } from '../use-service.ts'
import { fillService } from './filled-service.ts'

/** The settings of every service that makes or restores a backup. */
export const env = { GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64url') }

export const databasesOf = ({ control, environments }: Context): Databases => ({
  production: environments.production.database,
  sandbox: environments.sandbox.database,
  control,
})

/** Rows that differ after a restore: the hold, and what identifies one copy of a database. */
const isOwn = ({ name }: { name?: unknown }) => name === 'hold' || isIdentityRow(name)

/** Dumps every row that a backup contains. */
export async function dump(ctx: Context): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const name of DATABASE_NAMES) {
    const { read } = anyDatabase(databasesOf(ctx), name)
    for (const { table } of tablesOf(name)) {
      const found = await read.selectFrom(table).selectAll().execute()
      const carried = found.filter((row) => table !== 'meta' || !isOwn(row))
      rows[`${name}.${table}`] = carried.map((row) => JSON.stringify(row)).sort()
    }
  }
  return rows
}

export async function withTarget(
  database: TestDatabase,
  work: (target: TestService) => Promise<void>,
): Promise<void> {
  const target = await startTestService(database, { env })
  try {
    await work(target)
  } finally {
    await target.stop()
  }
}

/** Runs a service with some of every kind of data, and makes a backup of it at `path`. */
export function useBackup(database: TestDatabase) {
  const folder = join(tmpdir(), `gatehouse-backup-${randomUUID()}`)
  let files = 0
  const newPath = () => join(folder, `${files++}.backup`)
  const path = newPath()
  const apps: TestApplication[] = []
  const service = useService(database, { env })
  beforeAll(async () => {
    mkdirSync(folder)
    apps.push(...(await fillService(service)))
    await writeBackup(databasesOf(service.ctx), path)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return { service, apps, path, newPath }
}
