import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { Stop } from '../errors.ts'
import type { Database, Trx } from './database.ts'
import { CutOff, codeOf, DatabaseTrouble, outageOf, reasonOf } from './outage.ts'
import { sessionsOf } from './sessions.ts'
import { createStatements } from './statements.ts'
import { createTurnstile } from './turnstile.ts'

const OLDEST_VERSION = 14

/** Lost races: run again, and see what the winner wrote. */
const LOST_RACE = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '23505', // somebody else inserted that row first
  '23503', // somebody else removed the row that we refer to
])
const TRIES = 5
/** Then it is not tried again: whoever asked has waited long enough. */
const LONGEST_TRIES_MS = 10_000

const INT8 = 20
/** Our integers (times, minor units, counts) stay far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/**
 * How long things may take, in milliseconds. A client of ours waits for half a minute, so all that a
 * request can meet together stays below that: its turn, a connection, and its statements. A migration,
 * which may also have to wait for that of another process, and whoever reads a snapshot, take as long as
 * they need.
 */
const HASTY = { work: 20_000, lock: 5_000, idle: 60_000, unused: 30_000 }
const PATIENT: typeof HASTY = { work: 0, lock: 0, idle: 0, unused: 1_000 }
/** For a turn, and for a connection. */
const LONGEST_WAIT_MS = 3_000
const STUCK_AFTER_MS = 1_000
/** So much of the connections may be writing: locks that others hold must not keep everybody from reading. */
const WRITING = 0.8
/** A connection is replaced after an hour, so that it follows a name that leads elsewhere. */
const LONGEST_LIFE_S = 3_600

/** As the address may say in the words of the driver. */
function hastyLimits(address: string): typeof HASTY {
  const wanted = Number(new URL(address).searchParams.get('query_timeout'))
  return wanted > 0 ? { ...HASTY, work: wanted } : HASTY
}

interface PoolOptions {
  schema: string
  connections: number
  limits: typeof HASTY
  check(settings: ServerSettings): void
}

function openPool(address: string, { schema, connections, limits, check }: PoolOptions): pg.Pool {
  const url = new URL(address)
  // Options in the address would take the place of ours.
  const options = url.searchParams.get('options') ?? ''
  url.searchParams.delete('options')
  url.searchParams.delete('query_timeout')
  const own = {
    search_path: schema,
    // Reads can't write by mistake: only write() asks for a transaction that may.
    default_transaction_read_only: 'on',
    statement_timeout: limits.work,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idle,
  }
  const pool = new pg.Pool({
    connectionString: url.href,
    max: connections,
    application_name: `gatehouse ${schema}`,
    connectionTimeoutMillis: LONGEST_WAIT_MS,
    idleTimeoutMillis: limits.unused,
    maxLifetimeSeconds: LONGEST_LIFE_S,
    keepAlive: true,
    options: Object.entries(own).reduce(
      (all, [name, value]) => `${all} -c ${name}=${value}`,
      options,
    ),
    types,
    // Each time: a name may lead to another server than before.
    onConnect: async (client) => check(await askSettings(client)),
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
  standby: boolean
}

async function askSettings(client: pg.ClientBase): Promise<ServerSettings> {
  const { rows } = await client.query<ServerSettings>({
    text: `select current_setting('server_version_num') as version,
      current_setting('server_encoding') as encoding, current_setting('search_path') as path,
      pg_is_in_recovery() as standby`,
    query_timeout: LONGEST_WAIT_MS,
  } as pg.QueryConfig)
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

function requireSuitable(settings: ServerSettings, schema: string): void {
  const objection = objectionTo(settings, schema)
  if (objection !== undefined) throw new Stop(`GATEHOUSE_DATABASE_URL: ${objection}`)
  // It may be behind: what was revoked would be granted there.
  if (settings.standby) throw new DatabaseTrouble('it is a standby')
}

/** Once is enough for a connection that was cut: with the next one it works, or the server is down. */
function mayTryAgain(error: unknown, attempt: number): boolean {
  if (error instanceof CutOff) return attempt === 1
  return LOST_RACE.has(codeOf(error)) && attempt < TRIES
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
  const check = (settings: ServerSettings) => requireSuitable(settings, schema)
  const limits = hastyLimits(url)
  const pool = openPool(url, { schema, connections, limits, check })
  try {
    ;(await pool.connect()).release()
  } catch (error) {
    await pool.end()
    throw postgresStop(error)
  }
  const statements = createStatements()
  const over = (own: pg.Pool, atOnce: number, longestMs: number): Kysely<T> => {
    const turnstile = createTurnstile({
      atOnce,
      longestWaitMs: LONGEST_WAIT_MS,
      stuckAfterMs: STUCK_AFTER_MS,
    })
    const sessions = sessionsOf(own, { statements, turnstile, longestMs })
    return new Kysely<T>({ dialect: new PostgresDialect({ pool: sessions }) })
  }
  const read = over(pool, connections, limits.work)
  const hasty = over(pool, Math.ceil(connections * WRITING), limits.work)
  // Connects when it is first used, and lets go when it is idle.
  const patientPool = openPool(url, { schema, connections, limits: PATIENT, check })
  const patient = over(patientPool, connections, PATIENT.work)
  return {
    engine: 'postgres',
    read,
    async write(fn, options) {
      const db = options?.patient ? patient : hasty
      const startedAt = performance.now()
      for (let attempt = 1; ; attempt++) {
        try {
          return await db
            .transaction()
            .setIsolationLevel('read committed')
            .setAccessMode('read write')
            .execute((trx) => fn(trx as unknown as Trx<T>))
        } catch (error) {
          const isLate = !options?.patient && performance.now() - startedAt > LONGEST_TRIES_MS
          if (isLate || !mayTryAgain(error, attempt)) throw error
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
