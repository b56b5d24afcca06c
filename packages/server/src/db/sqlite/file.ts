import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { OperatorError } from '../../errors.ts'
import { describeFileError } from '../../permissions.ts'
import { errorCodeOf, errorReasonOf, SQLITE, sqliteCodeOf } from '../outage.ts'

/** Older versions can damage a write-ahead log that several processes write to. */
const OLDEST_VERSION = [3, 51, 3] as const

/** Files up to this size are checked completely at every start; larger ones only by `doctor --deep`. */
const CHECKED_BYTES = 256 * 1024 * 1024

export function versionOf(database: DatabaseSyncInstance): string {
  const row = database.prepare('select sqlite_version() as version').get() as { version: string }
  return row.version
}

function requireVersion(database: DatabaseSyncInstance): void {
  const version = versionOf(database)
  const found = version.split('.').map(Number)
  for (const [i, least] of OLDEST_VERSION.entries()) {
    const part = found[i] ?? 0
    if (part > least) return
    if (part < least) {
      throw new OperatorError(
        `SQLite ${version} is too old; ${OLDEST_VERSION.join('.')} or newer is required`,
      )
    }
  }
}

function requireHealthy(path: string, database: DatabaseSyncInstance): void {
  if (statSync(path).size > CHECKED_BYTES) return
  const row = database.prepare('pragma quick_check(1)').get() as { quick_check: string }
  if (row.quick_check !== 'ok') throw damaged(path, errorReasonOf(row.quick_check))
}

/** Checks every page, every index against its table, and every foreign key. */
export function findDamageIn(database: DatabaseSyncInstance): string[] {
  const pages = database.prepare('pragma integrity_check').all() as { integrity_check: string }[]
  const lost = database.prepare('pragma foreign_key_check').all() as { table: string }[]
  return [
    ...pages.map((row) => row.integrity_check).filter((found) => found !== 'ok'),
    ...[...new Set(lost.map((row) => row.table))].map(
      (table) => `rows of ${table} refer to missing rows`,
    ),
  ]
}

const damaged = (path: string, why: string): OperatorError =>
  new OperatorError(
    `the database ${path} is damaged (${why}); ` +
      'move the whole data folder away and restore a backup into a new one with: gatehouse restore FILE',
  )

/** Creates a missing file, readable by its owner only, and refuses a file that isn't SQLite: SQLite itself would
 * notice only when it reads the first page. */
function requireSqliteFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  if (statSync(path).size === 0) return
  const head = Buffer.alloc(18)
  const file = openSync(path, 'r')
  readSync(file, head, 0, head.length, 0)
  closeSync(file)
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw damaged(path, 'not an SQLite file')
  requireWholePages(path, head.readUInt16BE(16))
}

/** SQLite doesn't always notice that the end of a file is missing. While there is a write-ahead log, a partial page
 * is fine: a full disk may have interrupted a checkpoint, and the log has the rest. */
function requireWholePages(path: string, pageSize: number): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  // The field has 16 bits: SQLite stores 65536 as 1.
  const partial = statSync(path).size % (pageSize === 1 ? 65_536 : pageSize)
  if (partial > 0 && !log?.size) throw damaged(path, 'its end is missing')
}

/** Opens a connection. Tests replace it by one whose statements fail. */
export const connector = {
  open: (path: string): DatabaseSyncInstance => new DatabaseSync(path),
}

export function connect(path: string, pragmas: string): DatabaseSyncInstance {
  const database = connector.open(path)
  try {
    database.exec(pragmas)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The `user_version` of a file in which all deleted data has been overwritten. */
const OVERWRITTEN = 1

/** Rewrites, once, a file from before `secure_delete` was used: its free pages still hold deleted rows. A file too
 * large to be checked at start is too large for this as well; run `VACUUM` by hand. */
function rewriteOnce(path: string, writer: DatabaseSyncInstance): void {
  const { user_version } = writer.prepare('pragma user_version').get() as { user_version: number }
  if (user_version >= OVERWRITTEN || statSync(path).size > CHECKED_BYTES) return
  try {
    writer.exec(`vacuum; pragma user_version = ${OVERWRITTEN}`)
  } catch (error) {
    // Another process is using the file; the next process that opens it tries again.
    if (sqliteCodeOf(error) !== SQLITE.BUSY) throw error
  }
}

export function openConnections(path: string): {
  writer: DatabaseSyncInstance
  reader: DatabaseSyncInstance
} {
  let writer: DatabaseSyncInstance | undefined
  try {
    requireSqliteFile(path)
    writer = connect(
      path,
      'pragma busy_timeout = 2000; pragma journal_mode = wal; pragma synchronous = full; ' +
        'pragma foreign_keys = on; pragma temp_store = memory; pragma busy_timeout = 0; ' +
        // The data of an erased person must not remain in free pages. The cost was too small to measure.
        'pragma secure_delete = on',
    )
    requireVersion(writer)
    requireHealthy(path, writer)
    rewriteOnce(path, writer)
    const reader = connect(path, 'pragma busy_timeout = 100; pragma query_only = on')
    return { writer, reader }
  } catch (error) {
    writer?.close()
    throw sqliteOperatorError(path, error)
  }
}

/** Turns an error at opening into one that tells the operator what is wrong. Errors that don't come from the database
 * are returned unchanged. */
export function sqliteOperatorError(path: string, error: unknown): unknown {
  if (error instanceof OperatorError) return error
  const code = sqliteCodeOf(error)
  const reason = errorReasonOf(error)
  if (code === SQLITE.CORRUPT || code === SQLITE.NOT_A_DATABASE) return damaged(path, reason)
  if (code === SQLITE.BUSY)
    return new OperatorError(`the database ${path} is locked by another program`)
  if (code === undefined && errorCodeOf(error) === '') return error
  const why = code === undefined ? describeFileError(error, path) : reason
  return new OperatorError(
    `the database ${path} (in the folder GATEHOUSE_DATA) can't be opened: ${why}`,
  )
}
