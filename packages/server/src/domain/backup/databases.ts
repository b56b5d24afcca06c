import { sql } from 'kysely'
import type { ControlDatabase, Database, Db, EnvironmentDatabase } from '../../db/database.ts'
import { controlMigrations, environmentMigrations, type Migration } from '../../db/migrations.ts'
import type { Value } from './format.ts'
import type { DatabaseName } from './tables.ts'

/** The databases of an installation. */
export interface Databases {
  production: EnvironmentDatabase
  sandbox: EnvironmentDatabase
  control: ControlDatabase
}

/** Any table with any columns: a backup treats them all alike. */
export type AnyTables = Record<string, Record<string, Value>>

export function anyDatabase(databases: Databases, name: DatabaseName): Database<AnyTables> {
  return databases[name] as unknown as Database<AnyTables>
}

/** The migrations that this version applies to each database. */
export const MIGRATIONS: Record<DatabaseName, readonly Migration[]> = {
  production: environmentMigrations,
  sandbox: environmentMigrations,
  control: controlMigrations,
}

export async function listMigrations(db: Db<AnyTables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
    db,
  )
  return rows.map((row) => row.name)
}
