import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../errors.ts'
import { requireNewPath, unwritable } from '../../new-file.ts'
import { type AnyTables, anyDatabase, type Databases, listMigrations } from './databases.ts'
import { BACKUP_FORMAT, BACKUP_VERSION, type Counts, type Header, toJsonLine } from './format.ts'
import { pagesOf, type Row } from './pages.ts'
import { DATABASE_NAMES, type Table, tablesOf } from './tables.ts'

/** Writes the databases to a new file while others go on writing to them; each is a consistent snapshot. The master key
 * and the downloadable files are not included. An incomplete backup never gets the final file name. */
export async function writeBackup(databases: Databases, path: string): Promise<Counts> {
  const part = `${path}.part`
  requireNewPath(path)
  const file = await openPart(part)
  try {
    const counts = await writeContent(databases, file)
    await file.sync()
    await file.close()
    requireNewPath(path)
    await rename(part, path)
    return counts
  } catch (error) {
    await file.close().catch(() => {})
    await rm(part, { force: true })
    throw unwritable(part, error)
  }
}

async function openPart(part: string): Promise<FileHandle> {
  return await open(part, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw unwritable(part, error)
    throw new OperatorError(
      `${part} already exists: another backup is running, or one was interrupted; in that case delete the file`,
    )
  })
}

type Emit = (text: string) => Promise<void>

async function writeContent(databases: Databases, file: FileHandle): Promise<Counts> {
  const hash = createHash('sha256')
  const gzip = createGzip()
  // Keeps the cause, because the streams only report that they were closed.
  let failure: unknown
  const written = pipeline(gzip, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      await file.appendFile(chunk).catch((error) => {
        failure = error
        throw error
      })
    }
  })
  // Reported by the awaits below; until then, a rejection must not end the process.
  written.catch(() => {})
  const emit: Emit = async (text) => {
    hash.update(text)
    // After a failure, "drain" never comes.
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written])
  }
  try {
    const counts = await emitAll(databases, emit)
    gzip.end(toJsonLine({ rows: counts, sha256: hash.digest('hex') }))
    await written
    return counts
  } catch (error) {
    gzip.destroy()
    throw failure ?? error
  }
}

async function emitAll(databases: Databases, emit: Emit): Promise<Counts> {
  const migrations = {} as Header['migrations']
  for (const name of DATABASE_NAMES) {
    migrations[name] = await anyDatabase(databases, name).snapshot(listMigrations)
  }
  const created = new Date().toISOString()
  await emit(toJsonLine({ format: BACKUP_FORMAT, version: BACKUP_VERSION, created, migrations }))
  const counts: Counts = {}
  for (const name of DATABASE_NAMES) {
    await anyDatabase(databases, name).snapshot(async (db) => {
      for (const table of tablesOf(name)) {
        counts[`${name}.${table.table}`] = await emitTable(db, table, emit)
      }
    })
  }
  return counts
}

async function emitTable(db: Db<AnyTables>, which: Table, emit: Emit): Promise<number> {
  const { database, table } = which
  let count = 0
  for await (const rows of pagesOf(db, which)) {
    const columns = Object.keys(rows[0] as Row)
    const lines = rows.map((row) => toJsonLine(columns.map((column) => row[column])))
    const head = count === 0 ? toJsonLine({ database, table, columns }) : ''
    await emit(head + lines.join(''))
    count += rows.length
  }
  return count
}
