import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { Stop } from '../errors.ts'
import type { Database, Trx } from './database.ts'
import { codeOf, outageOf, reasonOf } from './outage.ts'

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

/** How long an answer to a request may take. A migration, which may also have to wait for that of
 * another process, and whoever reads a snapshot, take as long as they need. */
const HASTY = { query: 30_000, statement: 30_000, idle: 60_000, unused: 30_000 }
const PATIENT: typeof HASTY = { query: 0, statement: 0, idle: 0, unused: 1_000 }

function openPool(
  address: string,
  schema: string,
  connections: number,
  limits: typeof HASTY,
): pg.Pool {
  const url = new URL(address)
  // Options in the address would take the place of ours.
  const options = url.searchParams.get('options') ?? ''
  url.searchParams.delete('options')
  if (limits === PATIENT) url.searchParams.delete('query_timeout')
  const pool = new pg.Pool({
    connectionString: url.href,
    max: connections,
    application_name: `gatehouse ${schema}`,
    connectionTimeoutMillis: 5_000,
    query_timeout: limits.query,
    idleTimeoutMillis: limits.unused,
    keepAlive: true,
    // Reads can't write by mistake: only write() asks for a transaction that may.
    options: `${options} -c search_path=${schema} -c default_transaction_read_only=on -c statement_timeout=${limits.statement} -c idle_in_transaction_session_timeout=${limits.idle}`,
    types,
  })
  // A connection that breaks is replaced by the pool; without a listener it would end us, be it idle
  // or, in a transaction, between two statements.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

interface ServerSettings {
  version: string
  encoding: string
  path: string
}

async function askSettings(pool: pg.Pool): Promise<ServerSettings> {
  const { rows } = await pool.query<ServerSettings>(
    `select current_setting('server_version_num') as version,
      current_setting('server_encoding') as encoding, current_setting('search_path') as path`,
  )
  return rows[0] as ServerSettings
}

/** What we could not work with, or only by damaging something. */
function objectionTo({ version, encoding, path }: ServerSettings, schema: string) {
  const major = Math.floor(Number(version) / 10_000)
  if (major < OLDEST_VERSION) {
    return `PostgreSQL ${major} is too old; ${OLDEST_VERSION} or newer is needed`
  }
  if (encoding !== 'UTF8') return `the database has the encoding ${encoding}; it must be UTF8`
  // A pooler that drops our options would send every environment to the same tables.
  if (path !== schema) return 'something on the way to PostgreSQL drops the option search_path'
  return undefined
}

async function requireSuitable(pool: pg.Pool, schema: string): Promise<void> {
  const objection = objectionTo(await askSettings(pool), schema)
  if (objection !== undefined) throw new Stop(`GATEHOUSE_DATABASE_URL: ${objection}`)
}

/** What the operator is told when a database can't be opened. */
export function postgresStop(error: unknown): unknown {
  if (error instanceof Stop) return error
  const what = outageOf(error) === undefined ? 'refuses' : "can't be reached"
  return new Stop(`GATEHOUSE_DATABASE_URL: PostgreSQL ${what} (${reasonOf(error)})`)
}

export async function openPostgres<T>(
  url: string,
  schema: string,
  connections: number,
): Promise<Database<T>> {
  const pool = openPool(url, schema, connections, HASTY)
  try {
    await requireSuitable(pool, schema)
  } catch (error) {
    await pool.end()
    throw postgresStop(error)
  }
  const read = new Kysely<T>({ dialect: new PostgresDialect({ pool }) })
  // Connects when it is first used, and lets go when it is idle.
  const patientPool = openPool(url, schema, connections, PATIENT)
  const patient = new Kysely<T>({ dialect: new PostgresDialect({ pool: patientPool }) })
  return {
    engine: 'postgres',
    read,
    async write(fn, options) {
      const db = options?.patient ? patient : read
      for (let attempt = 1; ; attempt++) {
        try {
          return await db
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
      return await patient
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(fn)
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
      // The pools themselves: the builder forgets one that it has not used yet, and its idle
      // connections would keep the process alive.
      await Promise.all([pool.end(), patientPool.end()])
    },
  }
}
