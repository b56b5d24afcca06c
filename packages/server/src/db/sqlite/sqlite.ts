import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { OperatorError } from '../../errors.ts'
import type { Database, Db, Trx } from '../database.ts'
import { createMoveGate, type MoveGate } from '../moved.ts'
import { codeOf, reasonOf, SQLITE, sqliteCodeOf } from '../outage.ts'
import { createLookupThread } from './lookup.ts'
import { createSerialQueue } from './write-queue.ts'

/** Older versions can damage a write-ahead log that several processes write to. */
const OLDEST_VERSION = [3, 51, 3] as const

/** How long a write waits for another process that is writing. */
const BUSY_LIMIT_MS = 15_000

/** Files up to this size are checked completely at every start; larger ones only by `doctor --deep`. */
const CHECKED_BYTES = 256 * 1024 * 1024

/** The page cache of the writer, allocated as needed. With SQLite's default of 2 MB, an import spends most of its time
 * reading the indexes back. */
const WRITER_CACHE_KIB = 64 * 1024

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance
  readonly #statements = new Map<string, StatementSyncInstance>()
  readonly #gate: MoveGate | undefined

  constructor(database: DatabaseSyncInstance, gate?: MoveGate) {
    this.#database = database
    this.#gate = gate
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#gate?.requireNotMovedCached()
    const statement = this.#prepare(query.sql)
    const parameters = query.parameters as unknown[]
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] }
    const { changes } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // Not a cached statement: another read could restart it meanwhile.
    for (const row of this.#database.prepare(query.sql).iterate(...query.parameters)) {
      yield { rows: [row as R] }
    }
  }

  #prepare(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql)
    if (known) return known
    // Queries are built from a fixed set of shapes; bulk inserts of varying sizes are the exception.
    if (this.#statements.size >= 500) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

/** A driver over one connection. `openSqlite` holds the database and closes it: a prepared statement alone would
 * not keep it from being garbage collected. */
class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection

  constructor(database: DatabaseSyncInstance, gate?: MoveGate) {
    this.#connection = new SqliteConnection(database, gate)
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('transactions are opened by write() only')
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** Omits row locks: SQLite runs one write at a time, so all rows are locked already. */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    const isLock = ['ForUpdate', 'ForNoKeyUpdate', 'SkipLocked'].includes(node.modifier ?? '')
    if (!isLock) super.visitSelectModifier(node)
  }
}

function createKysely<T>(database: DatabaseSyncInstance, gate?: MoveGate): Kysely<T> {
  return new Kysely<T>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver(database, gate),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteCompiler(),
    },
  })
}

async function beginImmediate(database: DatabaseSyncInstance, deadline: number): Promise<void> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    try {
      database.exec('begin immediate')
      return
    } catch (error) {
      // The driver is synchronous: waiting inside it would block every other request.
      if (sqliteCodeOf(error) !== SQLITE.BUSY || performance.now() > deadline) throw error
      await sleep(pause + Math.random() * pause)
    }
  }
}

async function transact<R>(
  database: DatabaseSyncInstance,
  gate: MoveGate,
  deadline: number,
  fn: () => Promise<R>,
): Promise<R> {
  await beginImmediate(database, deadline)
  try {
    gate.requireNotMoved()
    const result = await fn()
    database.exec('commit')
    return result
  } catch (error) {
    // A full disk or an I/O error has already rolled the transaction back.
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function versionOf(database: DatabaseSyncInstance): string {
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
      throw new OperatorError(`SQLite ${version} is too old; ${OLDEST_VERSION.join('.')} is needed`)
    }
  }
}

function requireHealthy(path: string, database: DatabaseSyncInstance): void {
  if (statSync(path).size > CHECKED_BYTES) return
  const row = database.prepare('pragma quick_check(1)').get() as { quick_check: string }
  if (row.quick_check !== 'ok') throw damaged(path, reasonOf(row.quick_check))
}

/** Checks every page, every index against its table, and every foreign key. */
function findDamageIn(database: DatabaseSyncInstance): string[] {
  const pages = database.prepare('pragma integrity_check').all() as { integrity_check: string }[]
  const lost = database.prepare('pragma foreign_key_check').all() as { table: string }[]
  return [
    ...pages.map((row) => row.integrity_check).filter((found) => found !== 'ok'),
    ...[...new Set(lost.map((row) => row.table))].map(
      (table) => `rows of ${table} refer to rows that are not there`,
    ),
  ]
}

const damaged = (path: string, why: string): OperatorError =>
  new OperatorError(
    `the database ${path} is damaged (${why}); ` +
      'put the file aside and bring back a backup with: gatehouse restore FILE',
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

function connect(path: string, pragmas: string): DatabaseSyncInstance {
  const database = new DatabaseSync(path)
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

function openConnections(path: string): {
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
        'pragma secure_delete = on; ' +
        `pragma cache_size = ${-WRITER_CACHE_KIB}`,
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
  const reason = reasonOf(error)
  if (code === SQLITE.CORRUPT || code === SQLITE.NOT_A_DATABASE) return damaged(path, reason)
  if (code === SQLITE.BUSY)
    return new OperatorError(`the database ${path} is locked by another program`)
  if (code === undefined && codeOf(error) === '') return error
  return new OperatorError(
    `the database ${path} (in the folder GATEHOUSE_DATA) can't be opened: ${reason}`,
  )
}

/** Checkpoints the log before closing. SQLite doesn't do that by itself, because statements keep a connection half open
 * until they are garbage collected; but a copy of a stopped service's file should be complete. */
function checkpointBeforeClose(writer: DatabaseSyncInstance): void {
  try {
    truncateLog(writer)
  } catch {
    // For example on a full disk. The log is just as safe where it is, and the next start reads it.
  }
}

/** Copies the log into the file and truncates it; returns false while another connection reads from it. */
function truncateLog(writer: DatabaseSyncInstance): boolean {
  const [done] = writer.prepare('pragma wal_checkpoint(truncate)').all() as { busy: number }[]
  return done?.busy === 0
}

/** Reads that start after the first attempt use the file and don't block the next attempt. */
const SCRUB_TRIES = 20
const SCRUB_PAUSE_MS = 25

export function openSqlite<T>(path: string): Database<T> {
  const { writer, reader } = openConnections(path)
  const gate = createMoveGate(path)
  const read = createKysely<T>(reader, gate)
  const trx = createKysely<T>(writer) as Trx<T>
  const queue = createSerialQueue()
  const thread = createLookupThread(path)
  // A separate connection: inside an open read transaction the number would not change.
  const watcher = connect(path, 'pragma busy_timeout = 100; pragma query_only = on')
  const dataVersion = watcher.prepare('pragma data_version')
  dataVersion.setReturnArrays(true)
  return {
    engine: 'sqlite',
    read,
    async write(fn) {
      // Counted from the call, not from the turn in the queue: queued writes must not each wait the full time.
      const deadline = performance.now() + BUSY_LIMIT_MS
      return await queue.run(() => transact(writer, gate, deadline, () => fn(trx)))
    },
    async lookUp(question, keys) {
      gate.requireNotMovedCached()
      return await thread.lookUp(question, keys)
    },
    dataVersion() {
      gate.requireNotMovedCached()
      return (dataVersion.get() as unknown as [number])[0]
    },
    async snapshot(fn) {
      // A separate connection, so that its long transaction blocks nobody.
      const connection = connect(path, 'pragma busy_timeout = 100; pragma query_only = on; begin')
      const db: Db<T> = createKysely<T>(connection)
      try {
        return await fn(db)
      } finally {
        // Statements that are not garbage collected yet keep a closed connection alive, and with it an open
        // transaction, which would block every checkpoint.
        if (connection.isTransaction) connection.exec('rollback')
        connection.close()
      }
    },
    async scrub() {
      for (let tries = 0; tries < SCRUB_TRIES; tries++) {
        if (await queue.run(async () => truncateLog(writer))) return true
        await sleep(SCRUB_PAUSE_MS)
      }
      return false
    },
    async ping() {
      await sql`select 1`.execute(read)
    },
    version: async () => `SQLite ${versionOf(writer)}`,
    findDamage: async () => findDamageIn(reader),
    async close() {
      await queue.drained()
      if (!writer.isOpen) return
      await thread.close()
      checkpointBeforeClose(writer)
      for (const connection of [watcher, reader, writer]) connection.close()
    },
  }
}
