import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { type Context, createContext, type EnvironmentName } from '../../context.ts'
import { anyDatabase } from '../../domain/backup/databases.ts'
import { readBackup, type Value } from '../../domain/backup/format.ts'
import { DATABASE_NAMES, tablesOf } from '../../domain/backup/tables.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import { isOfRestore } from '../dump.ts'
import { startTestService, type TestService } from '../service.ts'
import { databasesOf } from './use-backup.ts'

const FIXTURE = fileURLToPath(new URL('../old-backups/7741231/', import.meta.url))
export const BACKUP = join(FIXTURE, 'gatehouse.backup')

export interface Expected {
  masterKey: string
  now: number
  rows: Record<string, number>
  apps: ({
    aid: string
    privateKey: string
    environment: EnvironmentName
    users: { uid: string }[]
  } & Record<
    'access' | 'tagged' | 'subscriptions' | 'payments',
    { total: number; data: { id: string }[] }
  >)[]
}

export const expected = JSON.parse(readFileSync(join(FIXTURE, 'expected.json'), 'utf8')) as Expected
export const env = { GATEHOUSE_MASTER_KEY: expected.masterKey }

export type Row = Record<string, Value>
export type Rows = Record<string, Row[]>

/** The rows of a backup by `database.table`. */
export async function rowsIn(path: string): Promise<Rows> {
  const rows: Rows = {}
  for await (const entry of readBackup(path)) {
    if (entry.kind !== 'row') continue
    const { database, table, columns } = entry.section
    const row = Object.fromEntries(columns.map((column, i) => [column, entry.values[i] as Value]))
    const name = `${database}.${table}`
    rows[name] = [...(rows[name] ?? []), row]
  }
  return rows
}

/** Dumps all rows that a backup has. */
export async function dump(ctx: Context): Promise<Rows> {
  const rows: Rows = {}
  for (const name of DATABASE_NAMES) {
    const { read } = anyDatabase(databasesOf(ctx), name)
    for (const { table } of tablesOf(name)) {
      const found = await read.selectFrom(table).selectAll().execute()
      rows[`${name}.${table}`] = found.filter((row) => !isOfRestore(table, row))
    }
  }
  return rows
}

/** Sorts rows with only these columns. */
export const only = (rows: readonly Row[], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort()

/** A restore ends them. */
const ENDED = ['control.staff_sessions', 'control.staff_links', 'control.staff_challenges']

/** Requires that every row of the backup is there, with the values of all columns that still exist. */
export function requireSameRows(found: Rows, backup: Rows): void {
  for (const [table, rows] of Object.entries(backup)) {
    const current = found[table] as Row[]
    if (ENDED.includes(table)) {
      expect(current, table).toEqual([])
      continue
    }
    const columns = Object.keys(rows[0] as Row).filter((column) => column in (current[0] ?? {}))
    expect(columns, table).not.toEqual([])
    expect(only(current, columns), table).toEqual(only(rows, columns))
  }
}

export async function withInstallation(
  database: TestDatabase,
  work: (installation: TestInstallation) => Promise<void>,
): Promise<void> {
  const installation = await database.createMigrated()
  try {
    cpSync(join(FIXTURE, 'files'), join(installation.env.GATEHOUSE_DATA as string, 'files'), {
      recursive: true,
    })
    await work(installation)
  } finally {
    await installation.remove()
  }
}

export async function withContext<R>(
  installation: TestInstallation,
  work: (ctx: Context) => Promise<R>,
): Promise<R> {
  const ctx = await createContext(readConfig({ ...installation.env, ...env }))
  try {
    return await work(ctx)
  } finally {
    await ctx.close()
  }
}

/** Runs a service on a restored installation, whose invariants must hold afterwards. */
export async function withService(
  database: TestDatabase,
  installation: TestInstallation,
  use: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startTestService(database, { installation, env, useRealTime: true })
  try {
    await use(service)
    await service.requireInvariants()
  } finally {
    await service.stop()
  }
}
