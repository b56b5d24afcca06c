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
import { Stop } from '../errors.ts'
import type { Database, Db, Trx } from './database.ts'
import { createLookupThread } from './lookup.ts'
import { type MoveGate, moveGate } from './moved.ts'
import { codeOf, reasonOf, SQLITE, sqliteCodeOf } from './outage.ts'
import { oneAtATime } from './queue.ts'

/** Older ones can damage a write-ahead log that several processes write. */
const OLDEST_VERSION = [3, 51, 3] as const

/** How long a write waits for another process that is writing. */
const BUSY_LIMIT_MS = 15_000

/** Up to this size every start checks the whole file; larger ones are for `doctor --deep`. */
const CHECKED_BYTES = 256 * 1024 * 1024

/** Pages that the writer may keep; with SQLite's own 2 MB an import spends most of its time reading
 * the indexes back. Taken as needed. */
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
    this.#gate?.requireHereLately()
    const statement = this.#prepare(query.sql)
    const parameters = query.parameters as unknown[]
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] }
    const { changes } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // Its own statement: a cached one could be started again by another reader meanwhile.
    for (const row of this.#database.prepare(query.sql).iterate(...query.parameters)) {
      yield { rows: [row as R] }
    }
  }

  #prepare(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql)
    if (known) return known
    // Queries are built from a fixed set of shapes; bulk inserts of odd sizes are the exception.
    if (this.#statements.size >= 500) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

/** A driver over one connection. The database itself is held, and closed, by `openSqlite`: a prepared
 * statement alone would not keep it from being garbage collected. */
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

/** Leaves row locks out: a write here is the only one, so its rows are locked already. */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    const isLock = ['ForUpdate', 'ForNoKeyUpdate', 'SkipLocked'].includes(node.modifier ?? '')
    if (!isLock) super.visitSelectModifier(node)
  }
}

function kyselyOver<T>(database: DatabaseSyncInstance, gate?: MoveGate): Kysely<T> {
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
      // The driver is synchronous: waiting inside it would stop every other request.
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
    gate.requireHere()
    const result = await fn()
    database.exec('commit')
    return result
  } catch (error) {
    // A full disk or an I/O error has already rolled back by itself.
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
      throw new Stop(`SQLite ${version} is too old; ${OLDEST_VERSION.join('.')} is needed`)
    }
  }
}

function requireHealthy(path: string, database: DatabaseSyncInstance): void {
  if (statSync(path).size > CHECKED_BYTES) return
  const row = database.prepare('pragma quick_check(1)').get() as { quick_check: string }
  if (row.quick_check !== 'ok') throw damaged(path, reasonOf(row.quick_check))
}

/** Every page, every index against its table, every reference to another row. */
function damageIn(database: DatabaseSyncInstance): string[] {
  const pages = database.prepare('pragma integrity_check').all() as { integrity_check: string }[]
  const lost = database.prepare('pragma foreign_key_check').all() as { table: string }[]
  return [
    ...pages.map((row) => row.integrity_check).filter((found) => found !== 'ok'),
    ...[...new Set(lost.map((row) => row.table))].map(
      (table) => `rows of ${table} refer to rows that are not there`,
    ),
  ]
}

const damaged = (path: string, why: string): Stop =>
  new Stop(
    `the database ${path} is damaged (${why}); ` +
      'put the file aside and bring back a backup with: gatehouse restore FILE',
  )

/** A new file is for its owner alone. One that isn't ours is left alone: SQLite would only notice at
 * the first page it reads. */
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

/** The end of a file that was cut is not always missed by SQLite. While there is a log, the file may
 * have been left like that by a disk that was full, and the log has the rest. */
function requireWholePages(path: string, pageSize: number): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  // SQLite writes 65536, which has no room there, as 1.
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

/** The file's `user_version` once nothing was ever deleted in it without being overwritten. */
const OVERWRITTEN = 1

/** A file from before deleted rows were overwritten still has them in its free pages: it is written anew,
 * once. One that is too large to be checked at a start is too large for this, too; `VACUUM` by hand does it. */
function rewriteOnce(path: string, writer: DatabaseSyncInstance): void {
  const { user_version } = writer.prepare('pragma user_version').get() as { user_version: number }
  if (user_version >= OVERWRITTEN || statSync(path).size > CHECKED_BYTES) return
  try {
    writer.exec(`vacuum; pragma user_version = ${OVERWRITTEN}`)
  } catch (error) {
    // Another process is using the file; whoever opens it next tries again.
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
        // A person who was erased must not be found in free pages. It costs nothing that could be measured.
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
    throw sqliteStop(path, error)
  }
}

/** What the operator is told when a database can't be opened. Errors that are not of the database
 * are handed back as they are. */
export function sqliteStop(path: string, error: unknown): unknown {
  if (error instanceof Stop) return error
  const code = sqliteCodeOf(error)
  const reason = reasonOf(error)
  if (code === SQLITE.CORRUPT || code === SQLITE.NOT_A_DATABASE) return damaged(path, reason)
  if (code === SQLITE.BUSY) return new Stop(`the database ${path} is locked by another program`)
  if (code === undefined && codeOf(error) === '') return error
  return new Stop(`the database ${path} (in the folder GATEHOUSE_DATA) can't be opened: ${reason}`)
}

/** A connection's statements keep it half open until they are collected, so SQLite won't fold the log
 * into the file by itself: whoever copies the file of a stopped service wants it whole. */
function foldLog(writer: DatabaseSyncInstance): void {
  try {
    emptyLog(writer)
  } catch {
    // On a full disk, say. The log is as safe where it is, and the next start reads it.
  }
}

/** Copies the log into the file and cuts it to nothing; false while somebody reads from it. */
function emptyLog(writer: DatabaseSyncInstance): boolean {
  const [done] = writer.prepare('pragma wal_checkpoint(truncate)').all() as { busy: number }[]
  return done?.busy === 0
}

/** Readers that come after the first try read from the file and are not in the way of the next one. */
const SCRUB_TRIES = 20
const SCRUB_PAUSE_MS = 25

export function openSqlite<T>(path: string): Database<T> {
  const { writer, reader } = openConnections(path)
  const gate = moveGate(path)
  const read = kyselyOver<T>(reader, gate)
  const trx = kyselyOver<T>(writer) as Trx<T>
  const queue = oneAtATime()
  const thread = createLookupThread(path)
  // A connection of its own: within a read that is under way it would see that moment's number.
  const watcher = connect(path, 'pragma busy_timeout = 100; pragma query_only = on')
  const dataVersion = watcher.prepare('pragma data_version')
  dataVersion.setReturnArrays(true)
  return {
    engine: 'sqlite',
    read,
    async write(fn) {
      // From now on, not from its turn: those in a row must not wait for another process one by one.
      const deadline = performance.now() + BUSY_LIMIT_MS
      return await queue.run(() => transact(writer, gate, deadline, () => fn(trx)))
    },
    async lookUp(question, keys) {
      gate.requireHereLately()
      return await thread.lookUp(question, keys)
    },
    changeMark() {
      gate.requireHereLately()
      return (dataVersion.get() as unknown as [number])[0]
    },
    async snapshot(fn) {
      // A connection of its own, so that its long transaction holds up nobody.
      const connection = connect(path, 'pragma busy_timeout = 100; pragma query_only = on; begin')
      const db: Db<T> = kyselyOver<T>(connection)
      try {
        return await fn(db)
      } finally {
        // Statements that are not collected yet keep a closed connection alive, and with it a transaction
        // that was not ended: no checkpoint could pass it.
        if (connection.isTransaction) connection.exec('rollback')
        connection.close()
      }
    },
    async scrub() {
      for (let tries = 0; tries < SCRUB_TRIES; tries++) {
        if (await queue.run(async () => emptyLog(writer))) return true
        await sleep(SCRUB_PAUSE_MS)
      }
      return false
    },
    async ping() {
      await sql`select 1`.execute(read)
    },
    version: async () => `SQLite ${versionOf(writer)}`,
    findDamage: async () => damageIn(reader),
    async close() {
      await queue.drained()
      if (!writer.isOpen) return
      await thread.close()
      foldLog(writer)
      for (const connection of [watcher, reader, writer]) connection.close()
    },
  }
}
