import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database } from '../../db/database.ts'
import { dropAll } from '../../db/drop-all.ts'
import { type DatabaseLocation, openUnmigrated, sqlitePath } from '../../db/open.ts'
import { isServed } from '../../db/postgres/served.ts'
import {
  describeMark,
  type RestoreMark,
  readMarkFile,
  readMarkRow,
  removeMarkFile,
  removeMarkRow,
  writeMarkFile,
  writeMarkRow,
} from '../../db/restoring.ts'
import { OperatorError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { readHoldState } from '../installation/hold.ts'
import { type AnyTables, anyDatabase, type Databases } from './databases.ts'
import { isFilledFrom } from './empty.ts'
import { type Existing, listFilled, requireRestorable, withExisting } from './existing.ts'
import { type CheckedBackup, type RestoreResult, restoreBackup } from './restore.ts'

type Postgres = Extract<DatabaseLocation, { engine: 'postgres' }>

/** Where a restore writes to. It alone may use databases that are marked. */
export type RestoreTarget = DatabaseLocation & { isRestore: true }

/** Each restore has a name of its own, so that it notices others. */
export const restoreTargetOf = (databaseUrl: string | undefined, folder: string): RestoreTarget =>
  databaseUrl === undefined
    ? { engine: 'sqlite', folder, isRestore: true }
    : {
        engine: 'postgres',
        url: databaseUrl,
        connections: 2,
        applicationName: `gatehouse restore ${newId()}`,
        isRestore: true,
      }

/** Where the mark of a restore is: a file beside the SQLite files, or a row in PostgreSQL. */
interface MarkStore {
  read(): Promise<RestoreMark | undefined>
  write(mark: RestoreMark): Promise<void>
  remove(): Promise<void>
  /** Throws if somebody else uses the databases. */
  requireUnused(): Promise<void>
}

async function withMarks<R>(
  target: RestoreTarget,
  work: (marks: MarkStore) => Promise<R>,
): Promise<R> {
  if (target.engine === 'sqlite') return await work(fileMarks(target.folder))
  const control = await openUnmigrated<AnyTables>(target, 'control')
  try {
    return await work(rowMarks(control, target))
  } finally {
    await control.close()
  }
}

const fileMarks = (folder: string): MarkStore => ({
  read: async () => readMarkFile(folder),
  write: async (mark) => writeMarkFile(folder, mark),
  remove: async () => removeMarkFile(folder),
  // A process that has the files open reads the mark before its next write, so nothing needs to be refused here.
  requireUnused: async () => {},
})

const rowMarks = (control: Database<AnyTables>, { applicationName = '' }: Postgres): MarkStore => ({
  read: () => readMarkRow(control.read),
  write: (mark) => control.write((trx) => writeMarkRow(trx, mark)),
  remove: () => control.write(removeMarkRow),
  async requireUnused() {
    if (!(await isServed(control.read, applicationName))) return
    throw new OperatorError(
      'GATEHOUSE_DATABASE_URL: a service or another command is running on this database; stop it first',
    )
  },
})

/** Marks an empty installation, before anything is created in it. Throws if it isn't empty, or if another restore was begun
 * there. */
export async function beginRestore(target: RestoreTarget, backup: CheckedBackup): Promise<void> {
  await withMarks(target, async (marks) => {
    const mark = await marks.read()
    if (mark) {
      requireSame(mark, backup)
      return await marks.requireUnused()
    }
    await requireRestorable(target, backup)
    const { created, sha256, path } = backup
    await marks.write({ created, sha256, file: resolve(path), isGivenUp: false })
    try {
      // A service that has started without seeing the mark is connected by now.
      await marks.requireUnused()
    } catch (error) {
      await marks.remove()
      throw error
    }
  })
}

function requireSame(mark: RestoreMark, { sha256 }: CheckedBackup): void {
  if (mark.isGivenUp) throw new OperatorError(describeMark(mark))
  if (mark.sha256 === sha256) return
  throw new OperatorError(`this is another backup; ${describeMark(mark)}`)
}

/** Restores a backup into an installation that it has marked, or goes on where an earlier run was interrupted. */
export async function restoreMarked(
  databases: Databases,
  backup: CheckedBackup,
): Promise<RestoreResult> {
  const { created, rows } = backup
  const { hold } = await readHoldState(databases.control.read)
  const isToBeFinished = await isFilledFrom(anyDatabase(databases, 'control').read, backup)
  // `control` is filled last, with the hold, and finished last: only the mark is left.
  if (hold?.backup === created && !isToBeFinished) return { created, rows }
  return await restoreBackup(databases, backup)
}

/** Opens the installation to everybody. */
export const endRestore = (target: RestoreTarget): Promise<void> =>
  withMarks(target, (marks) => marks.remove())

export const findRestore = (target: RestoreTarget): Promise<RestoreMark | undefined> =>
  withMarks(target, (marks) => marks.read())

/** Removes what an unfinished restore has written, so that an empty installation is left. Returns false if it has
 * written nothing, but somebody else has: then only the mark is removed. */
export async function abandonRestore(target: RestoreTarget, mark: RestoreMark): Promise<boolean> {
  return await withMarks(target, async (marks) => {
    await marks.requireUnused()
    const isOurs = await withExisting(target, async (existing) => {
      if (!mark.isGivenUp && !(await requireOwn(existing, mark))) return false
      // From now on, a database may be missing, and no restore can go on from there.
      await marks.write({ ...mark, isGivenUp: true })
      if (target.engine === 'postgres') await dropSchemas(existing)
      else {
        await withFilesLocked(Object.values(existing), async () => {
          removeFiles(target.folder)
          await marks.remove()
        })
      }
      return true
    })
    await marks.remove()
    return isOurs
  })
}

/** Returns whether everything there is from this restore; throws if only a part of it is. */
async function requireOwn(existing: Existing, mark: RestoreMark): Promise<boolean> {
  const { own, foreign } = await listFilled(existing, mark)
  if (foreign.length === 0) return true
  if (own.length === 0) return false
  throw new OperatorError(
    `${foreign} has applications that this restore has not written, so nothing was removed; ` +
      'restore into a new folder (GATEHOUSE_DATA) or a new database (GATEHOUSE_DATABASE_URL)',
  )
}

async function dropSchemas(existing: Existing): Promise<void> {
  for (const [name, { write }] of Object.entries(existing)) {
    await write((trx) => dropAll(trx, 'postgres', name), { batch: true })
  }
}

/** Waits until nobody writes to the files: the restore may still be running. */
async function withFilesLocked(
  [first, ...rest]: readonly Database<AnyTables>[],
  work: () => Promise<void>,
): Promise<void> {
  if (!first) return await work()
  await first.write(() => withFilesLocked(rest, work), { batch: true })
}

function removeFiles(folder: string): void {
  for (const name of ['control', 'production', 'sandbox']) {
    for (const end of ['', '-wal', '-shm']) rmSync(sqlitePath(folder, name) + end, { force: true })
  }
}
