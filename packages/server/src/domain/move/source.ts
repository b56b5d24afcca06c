import { join } from 'node:path'
import type { Database, Trx } from '../../db/database.ts'
import { openSqlite } from '../../db/sqlite/sqlite.ts'
import { OperatorError } from '../../errors.ts'
import { type AnyTables, anyDatabase, type Databases, listMigrations } from '../backup/databases.ts'
import { DATABASE_NAMES, type DatabaseName } from '../backup/tables.ts'

type Locked = Record<DatabaseName, Trx<AnyTables>>

/** Locks all databases against writes and runs `work` on that consistent state. Reads go on. */
export async function withWriteLocks<R>(
  source: Databases,
  work: (locked: Locked) => Promise<R>,
): Promise<R> {
  const write = <T>(name: DatabaseName, fn: (trx: Trx<AnyTables>) => Promise<T>) =>
    anyDatabase(source, name).write(fn, { batch: true })
  return await write('control', (control) =>
    write('production', (production) =>
      write('sandbox', (sandbox) => work({ production, sandbox, control })),
    ),
  )
}

interface MovedSource extends Databases {
  close(): Promise<void>
}

/** Opens the files that a move has left behind. Only snapshots of them can still be read. */
export function openMovedFiles(folder: string): MovedSource {
  const open = <T>(name: DatabaseName) => openSqlite<T>(join(folder, `${name}.sqlite`))
  const opened: Database<never>[] = []
  const databases = Object.fromEntries(
    DATABASE_NAMES.map((name) => {
      const database = open<never>(name)
      opened.push(database)
      return [name, database]
    }),
  ) as unknown as Databases
  return {
    ...databases,
    async close() {
      for (const database of opened) await database.close()
    },
  }
}

/** A newer Gatehouse may have changed the tables of the target since the move. */
export async function requireSameTables(one: Databases, other: Databases): Promise<void> {
  for (const name of DATABASE_NAMES) {
    const [ours, theirs] = await Promise.all(
      [one, other].map((side) => anyDatabase(side, name).snapshot(listMigrations)),
    )
    if (String(ours) !== String(theirs)) {
      throw new OperatorError(
        "a newer Gatehouse has changed the tables there, so they can't be compared",
      )
    }
  }
}
