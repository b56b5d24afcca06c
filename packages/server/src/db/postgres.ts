import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { Stop } from '../errors.ts'
import type { Database, Trx } from './database.ts'
import { codeOf } from './outage.ts'

const OLDEST_VERSION = 14

/** Lost races: run again, and see what the winner wrote. */
const LOST_RACE = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '23505', // somebody else inserted that row first
  '23503', // somebody else removed the row that we refer to
])
const TRIES = 5

const INT8 = 20
/** Our integers (times, minor units, counts) stay far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

function openPool(url: string, schema: string, connections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: `gatehouse ${schema}`,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Reads can't write by mistake: only write() asks for a transaction that may.
    options: `-c search_path=${schema} -c default_transaction_read_only=on -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000`,
    types,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end us.
  pool.on('error', () => {})
  return pool
}

async function requireVersion(pool: pg.Pool): Promise<void> {
  try {
    const { rows } = await pool.query('show server_version_num')
    const major = Math.floor(Number(rows[0].server_version_num) / 10_000)
    if (major >= OLDEST_VERSION) return
    throw new Stop(
      `GATEHOUSE_DATABASE_URL: PostgreSQL ${major} is too old; ${OLDEST_VERSION} or newer is needed`,
    )
  } catch (error) {
    if (error instanceof Stop) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Stop(`GATEHOUSE_DATABASE_URL: PostgreSQL can't be reached (${reason})`)
  }
}

export async function openPostgres<T>(
  url: string,
  schema: string,
  connections: number,
): Promise<Database<T>> {
  const pool = openPool(url, schema, connections)
  await requireVersion(pool)
  const read = new Kysely<T>({ dialect: new PostgresDialect({ pool }) })
  return {
    engine: 'postgres',
    read,
    async write(fn) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await read
            .transaction()
            .setIsolationLevel('read committed')
            .setAccessMode('read write')
            .execute((trx) => fn(trx as unknown as Trx<T>))
        } catch (error) {
          if (!LOST_RACE.has(codeOf(error)) || attempt === TRIES) throw error
          await sleep(Math.random() * 10 * attempt)
        }
      }
    },
    async snapshot(fn) {
      return await read
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(fn)
    },
    async ping() {
      await sql`select 1`.execute(read)
    },
    async close() {
      await read.destroy()
    },
  }
}
