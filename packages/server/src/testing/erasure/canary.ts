import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isPartition } from '../postgres/partition.ts'

/** Part of every text that is entered about the person, and of nothing else. */
export const CANARY = 'kanarienvogel'
export const EMAIL = `${CANARY}.new@example.com`
export const REF = `${CANARY}-ref`

export type Row = Record<string, unknown>
export type Dump = Record<string, Row[]>

/** Lists the tables that really exist. On PostgreSQL, introspection also returns the other schemas. */
export async function tablesIn(db: unknown, schema: string) {
  const tables = await (db as Db).introspection.getTables()
  return tables.filter(
    ({ schema: its, name }) => (its === undefined || its === schema) && !isPartition(name),
  )
}

/** Reads every row of every table. */
export async function dump(db: unknown, schema: string): Promise<Dump> {
  const tables = await tablesIn(db, schema)
  const all: Dump = {}
  for (const { name } of tables) {
    all[name] = (await sql<Row>`select * from ${sql.table(name)}`.execute(db as Db)).rows
  }
  return all
}

const textOf = (value: unknown) => JSON.stringify(value)?.toLowerCase() ?? ''
export const hasCanary = (value: unknown) => textOf(value).includes(CANARY)

/** The columns that contain the canary, as `table.column`. */
export const placesIn = (all: Dump): string[] => [
  ...new Set(
    Object.entries(all).flatMap(([table, rows]) =>
      rows.flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) =>
          hasCanary(value) ? `${table}.${column}` : [],
        ),
      ),
    ),
  ),
]
