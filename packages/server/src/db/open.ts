import { join } from 'node:path'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Where the databases are: a folder of SQLite files, or a PostgreSQL server. */
export type DatabaseLocation =
  | { engine: 'sqlite'; folder: string }
  | { engine: 'postgres'; url: string; connections: number }

/** Opens one database by its name (a file, or a schema) and brings it up to date. */
export async function openDatabase<T>(
  location: DatabaseLocation,
  name: string,
  migrations: readonly Migration[],
): Promise<Database<T>> {
  const database =
    location.engine === 'sqlite'
      ? openSqlite<T>(join(location.folder, `${name}.sqlite`))
      : await openPostgres<T>(location.url, name, location.connections)
  try {
    await migrate(database, name, migrations)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
