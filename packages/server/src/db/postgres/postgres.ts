import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import type pg from 'pg'
import { OperatorError } from '../../errors.ts'
import type { Database, Db, Trx } from '../database.ts'
import {
  DatabaseUnavailable,
  errorCodeOf,
  errorReasonOf,
  TransactionLost,
  toOutageFailure,
} from '../outage.ts'
import { describeMark, RestoreUnderWay } from '../restoring.ts'
import type { Lookup, LookupKey } from '../sqlite/lookup.ts'
import { explainConnectionError } from './address.ts'
import {
  BATCH_TIMEOUTS,
  createLimitedKysely,
  findServerProblem,
  interactiveTimeouts,
  openPool,
  type ServerSettings,
} from './pool.ts'
import { openReplica, type ReplicaOptions } from './replica.ts'
import { createStatements } from './statements.ts'

/** Errors of lost races: the transaction runs again and sees what the winner wrote. */
const LOST_RACE = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '23505', // another transaction inserted that row first
  '23503', // another transaction removed the row that we refer to
])
const TRIES = 5
/** A write that was cut off later than this is not retried: the caller would have to wait too long. */
const MAX_RETRY_AFTER_MS = 3_000

/** How many connections may write at a time. Writers that wait for locks must not keep everyone from reading. */
const writersOf = (connections: number) => Math.max(1, Math.floor(connections * 0.8))

/** Throws if the service can't work with this server. */
export function requireSuitable(settings: ServerSettings, schema: string, isRestore = false): void {
  const objection = findServerProblem(settings, schema)
  if (objection !== undefined) throw new OperatorError(`GATEHOUSE_DATABASE_URL: ${objection}`)
  if (settings.restore && !isRestore) throw new RestoreUnderWay(describeMark(settings.restore))
  // A standby may lag behind, and would still grant access that has been revoked.
  if (settings.standby) throw new DatabaseUnavailable('the server is a standby')
}

/** Runs a transaction until it loses no race. All attempts use one connection, so they share its time limit. */
async function retryLostRaces<T, R>(one: Db<T>, fn: (trx: Trx<T>) => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await one
        .transaction()
        .setIsolationLevel('read committed')
        .setAccessMode('read write')
        .execute((trx) => fn(trx as unknown as Trx<T>))
    } catch (error) {
      if (!LOST_RACE.has(errorCodeOf(error)) || attempt === TRIES) throw error
      await sleep(Math.random() * 10 * attempt)
    }
  }
}

/** Turns an error at opening into one that tells the operator what is wrong. */
export function postgresOperatorError(error: unknown): unknown {
  if (error instanceof OperatorError) return error
  if (error instanceof RestoreUnderWay) {
    return new OperatorError(`GATEHOUSE_DATABASE_URL: ${error.message}`)
  }
  const explanation = explainConnectionError(error)
  if (explanation !== undefined) return new OperatorError(`GATEHOUSE_DATABASE_URL: ${explanation}`)
  const what = toOutageFailure(error) === undefined ? 'refused the connection' : "can't be reached"
  return new OperatorError(`GATEHOUSE_DATABASE_URL: PostgreSQL ${what} (${errorReasonOf(error)})`)
}

interface Extras {
  replica?: ReplicaOptions | undefined
  applicationName?: string | undefined
  isRestore?: boolean | undefined
}

/** Opens a pool, and connects once: a wrong setting must fail the start, not the first request. */
async function openCheckedPool(...args: Parameters<typeof openPool>): Promise<pg.Pool> {
  const pool = openPool(...args)
  try {
    ;(await pool.connect()).release()
    return pool
  } catch (error) {
    await pool.end()
    throw postgresOperatorError(error)
  }
}

/** Connections are read-only by default, so that only `write` can change rows. */
async function runWritable<T, R>(one: Db<T>, fn: (db: Db<T>) => Promise<R>): Promise<R> {
  await sql`set default_transaction_read_only = off`.execute(one)
  try {
    return await fn(one)
  } finally {
    await sql`set default_transaction_read_only = on`.execute(one)
  }
}

/** Runs a write, and once more if its connection was lost before the commit. */
async function write<T, R>(
  db: Db<T>,
  fn: (trx: Trx<T>) => Promise<R>,
  maxRetryAfterMs: number,
): Promise<R> {
  const run = () => db.connection().execute((one) => retryLostRaces(one, fn))
  const startedAt = performance.now()
  try {
    return await run()
  } catch (error) {
    const isLate = performance.now() - startedAt > maxRetryAfterMs
    // One retry is enough: either the next connection works, or the server is down.
    if (isLate || !(error instanceof TransactionLost)) throw error
    return await run()
  }
}

async function lookUp<T>(
  db: Db<T>,
  question: Lookup,
  keys: readonly LookupKey[],
): Promise<(string | null)[]> {
  const found: (string | null)[] = keys.map(() => null)
  let open = keys.map((_, i) => i)
  for (const query of question.postgres) {
    const columns = (keys[0] ?? []).map((_, i) => open.map((key) => keys[key]?.[i]))
    const { rows } = await db.executeQuery<{ n: number; found: string | null }>(
      CompiledQuery.raw(query, columns),
    )
    const asked = open
    open = []
    for (const row of rows) {
      const key = asked[row.n - 1] as number
      if (row.found === null) open.push(key)
      else if (row.found !== '') found[key] = row.found
    }
    if (open.length === 0) break
  }
  return found
}

/** The connections for requests, and those for batch work, which may take longer. */
async function openPools<T>(
  url: string,
  schema: string,
  connections: number,
  { applicationName, isRestore }: Extras,
) {
  const check = (settings: ServerSettings) => requireSuitable(settings, schema, isRestore)
  const limits = interactiveTimeouts(url)
  const shared = { schema, connections, check, applicationName }
  const pool = await openCheckedPool(url, { ...shared, limits })
  const statements = createStatements()
  const perRequest = { statements, maxTotalMs: limits.work }
  const read = createLimitedKysely<T>(pool, { ...perRequest, concurrency: connections })
  const interactive = createLimitedKysely<T>(pool, {
    ...perRequest,
    concurrency: writersOf(connections),
  })
  // Connects on first use, and closes its connections as soon as they are idle.
  const batchPool = openPool(url, { ...shared, limits: BATCH_TIMEOUTS })
  const batch = createLimitedKysely<T>(batchPool, {
    statements,
    concurrency: connections,
    maxTotalMs: 0,
  })
  return {
    ...{ read, interactive, batch },
    use: () => ({ open: pool.totalCount, idle: pool.idleCount, limit: connections }),
    // Ends the pools directly: Kysely does not close a pool that it has not used yet, whose idle connections
    // would keep the process alive.
    close: () => Promise.all([pool.end(), batchPool.end()]),
  }
}

export async function openPostgres<T>(
  url: string,
  schema: string,
  connections: number,
  extras: Extras = {},
): Promise<Database<T>> {
  const { replica: where } = extras
  const pools = await openPools<T>(url, schema, connections, extras)
  const { read, interactive, batch } = pools
  const replica = where && openReplica<T>(read, where, { schema, connections })
  return {
    engine: 'postgres',
    read,
    write: (fn, options) =>
      options?.batch
        ? write(batch, fn, Number.POSITIVE_INFINITY)
        : write(interactive, fn, MAX_RETRY_AFTER_MS),
    outsideTransaction: (fn) => batch.connection().execute((one) => runWritable(one, fn)),
    lookUp: (question, keys) => lookUp(read, question, keys),
    dataVersion: () => undefined,
    connections: pools.use,
    async snapshot(fn) {
      const there = await replica?.snapshot(fn)
      if (there) return there.result
      return await batch
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(fn)
    },
    async scrub(tables) {
      // Forces index cleanup too: by default, PostgreSQL skips it while there are only a few dead rows.
      for (const table of tables) {
        await sql`vacuum (index_cleanup true) ${sql.table(table)}`.execute(batch)
      }
      return true
    },
    async ping() {
      await sql`select 1`.execute(read)
    },
    async version() {
      const { rows } = await sql<{ server_version: string }>`show server_version`.execute(read)
      return `PostgreSQL ${rows[0]?.server_version}`
    },
    findDamage: async () => [],
    async close() {
      await Promise.all([pools.close(), replica?.close()])
    },
  }
}
