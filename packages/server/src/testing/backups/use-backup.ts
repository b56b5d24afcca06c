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
import { isOfRestore } from '../dump.ts'
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

/** Says only whether a token waits since a restore, not since when. */
const withoutMoment = (row: Record<string, unknown>) =>
  'suspended_at' in row ? { ...row, suspended_at: row.suspended_at !== null } : row

/** What a dump is after a restore: nobody is signed in, no link works, and all tokens wait. */
export function afterRestore(rows: Record<string, string[]>): Record<string, string[]> {
  const changed = { ...rows }
  for (const table of ['staff_sessions', 'staff_links', 'staff_challenges']) {
    changed[`control.${table}`] = []
  }
  const [mails, tokens] = ['control.staff_mails', 'control.management_tokens'] as const
  changed[mails] = (rows[mails] ?? []).filter((row) => !/"kind":"(invite|reset|forgot)"/.test(row))
  changed[tokens] = (rows[tokens] ?? []).map((row) =>
    row.replace('"suspended_at":false', '"suspended_at":true'),
  )
  return changed
}

/** Dumps every row that a backup contains. */
export async function dump(ctx: Context): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const name of DATABASE_NAMES) {
    const { read } = anyDatabase(databasesOf(ctx), name)
    for (const { table } of tablesOf(name)) {
      const found = await read.selectFrom(table).selectAll().execute()
      const carried = found.filter((row) => !isOfRestore(table, row)).map(withoutMoment)
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
