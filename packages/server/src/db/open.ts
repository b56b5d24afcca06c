import { join } from 'node:path'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import type { MigrationTarget, OnProgress } from './migration-target.ts'
import type { Migration } from './migrations.ts'
import { requireNotMoved } from './moved.ts'
import { openPostgres, postgresOperatorError } from './postgres/postgres.ts'
import type { ReplicaOptions } from './postgres/replica.ts'
import { sqliteOperatorError } from './sqlite/file.ts'
import { openSqlite } from './sqlite/sqlite.ts'

/** Where the databases are: a folder of SQLite files, or a PostgreSQL server. */
export type DatabaseLocation =
  | { engine: 'sqlite'; folder: string }
  | {
      engine: 'postgres'
      url: string
      connections: number
      replica?: ReplicaOptions | undefined
      /** The name under which the server lists this process; the default is that of a service. */
      applicationName?: string
    }

/** Opens one database by its name (a file, or a schema) and migrates it. Problems that an operator can fix are
 * thrown as errors that name the file or the setting. */
export async function openDatabase<T>(
  location: DatabaseLocation,
  name: string,
  migrations: readonly Migration[],
  onProgress: OnProgress = () => {},
): Promise<Database<T>> {
  if (location.engine === 'postgres') {
    const opening = openPostgres<T>(location.url, name, location.connections, location)
    const place = `GATEHOUSE_DATABASE_URL: the schema ${name}`
    const target = { schema: name, place, onProgress }
    return await upToDate(await opening, target, migrations, postgresOperatorError)
  }
  requireNotMoved(location.folder)
  const path = join(location.folder, `${name}.sqlite`)
  const stop = (error: unknown) => sqliteOperatorError(path, error)
  const target = { schema: name, place: `the database ${path}`, onProgress }
  return await upToDate(openSqlite<T>(path), target, migrations, stop)
}

async function upToDate<T>(
  database: Database<T>,
  target: MigrationTarget,
  migrations: readonly Migration[],
  stop: (error: unknown) => unknown,
): Promise<Database<T>> {
  try {
    await migrate(database, target, migrations)
    return database
  } catch (error) {
    await database.close()
    throw stop(error)
  }
}
