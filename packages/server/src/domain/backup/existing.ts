import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { ControlDatabase, Database, Db } from '../../db/database.ts'
import { requireMoveOver } from '../../db/moved.ts'
import { type DatabaseLocation, openUnmigrated, sqlitePath } from '../../db/open.ts'
import { readHoldState } from '../installation/hold.ts'
import { requireFilesOf, requireKnownFiles } from '../installation/missing.ts'
import type { AnyTables } from './databases.ts'
import { isFilledFrom, requireEmpty } from './empty.ts'
import type { CheckedBackup } from './restore.ts'
import { DATABASE_NAMES, type DatabaseName } from './tables.ts'

/** The databases that exist, as they are: nothing was created or migrated. */
export type Existing = Partial<Record<DatabaseName, Database<AnyTables>>>

const ENVIRONMENTS = ['production', 'sandbox'] as const

export async function withExisting<R>(
  location: DatabaseLocation,
  work: (existing: Existing) => Promise<R>,
): Promise<R> {
  const existing: Existing = {}
  try {
    for (const name of DATABASE_NAMES) {
      const { engine } = location
      if (engine === 'sqlite' && !existsSync(sqlitePath(location.folder, name))) continue
      existing[name] = await openUnmigrated<AnyTables>(location, name)
    }
    return await work(existing)
  } finally {
    for (const database of Object.values(existing)) await database.close()
  }
}

async function hasTable({ engine, read }: Database<AnyTables>, table: string): Promise<boolean> {
  const found =
    engine === 'sqlite'
      ? sql<{ n: number }>`select count(*) as n from sqlite_schema where name = ${table}`
      : sql<{ n: number }>`select count(to_regclass(${table})) as n`
  return (await found.execute(read)).rows[0]?.n === 1
}

/** Returns the time of the backup because of which the installation is on hold. The database `control` is filled last,
 * so all of that backup was restored. */
async function restoredBackup({ control }: Existing): Promise<string | undefined> {
  if (!control || !(await hasTable(control, 'meta'))) return undefined
  return (await readHoldState(control.read as unknown as ControlDatabase['read'])).hold?.backup
}

/** Returns the databases of the environments that have applications. */
async function listUsed(existing: Existing): Promise<[DatabaseName, Db<AnyTables>][]> {
  const used: [DatabaseName, Db<AnyTables>][] = []
  for (const name of ENVIRONMENTS) {
    const database = existing[name]
    if (!database || !(await hasTable(database, 'applications'))) continue
    const { read } = database
    const taken = await read.selectFrom('applications').select('aid').limit(1).execute()
    if (taken.length > 0) used.push([name, read])
  }
  return used
}

/** Throws unless a backup can be restored here. Creates and changes nothing. */
export async function requireRestorable(
  location: DatabaseLocation,
  backup: CheckedBackup,
): Promise<void> {
  // There is no mark yet.
  await withExisting({ ...location, isRestore: false }, async (existing) => {
    const { control } = existing
    if (control && (await hasTable(control, 'meta'))) {
      await requireMoveOver(control as unknown as ControlDatabase)
    }
    const wasRestored = (await restoredBackup(existing)) === backup.created
    for (const [name, db] of await listUsed(existing)) {
      // A version without marks may have begun it.
      if (!(await isFilledFrom(db, backup))) await requireEmpty(db, name, wasRestored)
    }
    if (location.engine === 'sqlite') await requireAllFiles(location.folder, existing)
  })
}

/** An installation of which a file is missing is not an empty one. */
async function requireAllFiles(folder: string, existing: Existing): Promise<void> {
  if (Object.keys(existing).length > 0) requireKnownFiles(folder, 'sqlite')
  const { control } = existing
  if (control && (await hasTable(control, 'aids'))) {
    await requireFilesOf(control as unknown as ControlDatabase, folder)
  }
}

/** Which environments have applications: those that this restore has filled, and others. */
export async function listFilled(
  existing: Existing,
  backup: { created: string; sha256: string },
): Promise<{ own: DatabaseName[]; foreign: DatabaseName[] }> {
  const isWhole = (await restoredBackup(existing)) === backup.created
  const found = { own: [] as DatabaseName[], foreign: [] as DatabaseName[] }
  for (const [name, db] of await listUsed(existing)) {
    const isOwn = isWhole || (await isFilledFrom(db, backup))
    found[isOwn ? 'own' : 'foreign'].push(name)
  }
  return found
}
