import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
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
} from 'kysely'
import type { Turns } from '../../event-loop.ts'
import type { FileGate } from './file-gate.ts'

interface Prepared {
  statement: StatementSyncInstance
  returnsRows: boolean
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance
  readonly #statements = new Map<string, Prepared>()
  readonly #turns: Turns
  readonly #gate: FileGate | undefined

  constructor(database: DatabaseSyncInstance, turns: Turns, gate?: FileGate) {
    this.#database = database
    this.#turns = turns
    this.#gate = gate
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const turn = this.#turns.take()
    if (turn) await turn
    this.#gate?.requireOpenCached()
    const { statement, returnsRows } = this.#prepare(query.sql)
    const parameters = query.parameters as unknown[]
    if (Array.isArray(parameters[0])) return runForEach(statement, parameters as unknown[][])
    if (returnsRows) return { rows: statement.all(...parameters) as R[] }
    const { changes } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // Not a cached statement: another read could restart it meanwhile.
    for (const row of this.#database.prepare(query.sql).iterate(...query.parameters)) {
      yield { rows: [row as R] }
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    // Queries are built from a fixed set of shapes; bulk inserts of varying sizes are the exception.
    if (this.#statements.size >= 500) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    this.#statements.set(sql, prepared)
    return prepared
  }
}

/** No value is a list, so lists are the parameters of one run each. */
function runForEach<R>(
  statement: StatementSyncInstance,
  rows: readonly (readonly unknown[])[],
): QueryResult<R> {
  for (const row of rows) statement.run(...row)
  return { rows: [], numAffectedRows: BigInt(rows.length) }
}

/** A driver over one connection. `openSqlite` holds the database and closes it: a prepared statement alone would
 * not keep it from being garbage collected. */
class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection

  constructor(database: DatabaseSyncInstance, turns: Turns, gate?: FileGate) {
    this.#connection = new SqliteConnection(database, turns, gate)
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

export function createKysely<T>(
  database: DatabaseSyncInstance,
  turns: Turns,
  gate?: FileGate,
): Kysely<T> {
  return new Kysely<T>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver(database, turns, gate),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteCompiler(),
    },
  })
}
