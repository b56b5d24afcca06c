import { join } from 'node:path'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import type { OnProgress } from './migration-target.ts'
import type { Migration } from './migrations.ts'
import { requireNotMoved } from './moved.ts'
import { openPostgres, postgresOperatorError } from './postgres/postgres.ts'
import type { ReplicaOptions } from './postgres/replica.ts'
import { requireNoRestore } from './restoring.ts'
import { sqliteOperatorError } from './sqlite/file.ts'
import { openSqlite } from './sqlite/sqlite.ts'

/** Where the databases are: a folder of SQLite files, or a PostgreSQL server. */
export type DatabaseLocation =
  | { engine: 'sqlite'; folder: string; isRestore?: boolean }
  | {
      engine: 'postgres'
      url: string
      connections: number
      replica?: ReplicaOptions | undefined
      /** The name under which the server lists this process; the default is that of a service. */
      applicationName?: string
      /** Set by a restore, which alone may use databases that it has marked. */
      isRestore?: boolean
    }

export const sqlitePath = (folder: string, name: string) => join(folder, `${name}.sqlite`)

/** Opens one database by its name (a file, or a schema) as it is. */
export async function openUnmigrated<T>(
  location: DatabaseLocation,
  name: string,
): Promise<Database<T>> {
  if (location.engine === 'postgres') {
    return await openPostgres<T>(location.url, name, location.connections, location)
  }
  const { folder, isRestore = false } = location
  requireNotMoved(folder)
  if (!isRestore) requireNoRestore(folder)
  return openSqlite<T>(sqlitePath(folder, name), { isRestore })
}

/** Opens one database and migrates it. Problems that an operator can fix are thrown as errors that name the file or the
 * setting. */
export async function openDatabase<T>(
  location: DatabaseLocation,
  name: string,
  migrations: readonly Migration[],
  onProgress: OnProgress = () => {},
): Promise<Database<T>> {
  const database = await openUnmigrated<T>(location, name)
  const [place, stop] = placeOf(location, name)
  try {
    await migrate(database, { schema: name, place, onProgress }, migrations)
    return database
  } catch (error) {
    await database.close()
    throw stop(error)
  }
}

/** How messages name a database, and the function that turns errors into messages for operators. */
function placeOf(
  location: DatabaseLocation,
  name: string,
): [place: string, stop: (error: unknown) => unknown] {
  if (location.engine === 'postgres') {
    return [`GATEHOUSE_DATABASE_URL: the schema ${name}`, postgresOperatorError]
  }
  const path = sqlitePath(location.folder, name)
  return [`the database ${path}`, (error) => sqliteOperatorError(path, error)]
}
