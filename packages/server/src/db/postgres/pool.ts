import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { HAS_MARK, type RestoreMark, SELECT_MARK } from '../restoring.ts'
import { toDriverAddress } from './address.ts'
import { createConnectionLimiter } from './connection-limiter.ts'
import { createSessions } from './sessions.ts'
import type { Statements } from './statements.ts'

const OLDEST_VERSION = 14

const INT8 = 20
/** Parses 64-bit integers as numbers: ours (times, minor units, counts) stay far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/**
 * Timeouts in milliseconds. Our client waits 30 seconds for a response, so everything that a read or a write can
 * spend stays below that in total: queueing, getting a connection, and its statements. Migrations, which may also
 * wait for another process to migrate, and snapshots take as long as they need.
 */
const INTERACTIVE_TIMEOUTS = { work: 20_000, lock: 3_000, idle: 30_000, unused: 30_000 }
export const BATCH_TIMEOUTS: typeof INTERACTIVE_TIMEOUTS = {
  work: 0,
  lock: 0,
  idle: 0,
  unused: 1_000,
}
/** Applies to queueing and to getting a connection, each. */
const MAX_WAIT_MS = 3_000
const STUCK_AFTER_MS = 1_000
/** Connections are replaced after a minute, so that they follow a host name that has moved to another server: a
 * former primary doesn't know what has been revoked on the new one. */
const MAX_LIFE_S = 60

/** The timeouts of requests, with the `query_timeout` of the connection URL if it has one. */
export function interactiveTimeouts(address: string): typeof INTERACTIVE_TIMEOUTS {
  const wanted = Number(new URL(address).searchParams.get('query_timeout'))
  return wanted > 0 ? { ...INTERACTIVE_TIMEOUTS, work: wanted } : INTERACTIVE_TIMEOUTS
}

interface PoolOptions {
  schema: string
  connections: number
  limits: typeof INTERACTIVE_TIMEOUTS
  check(settings: ServerSettings): void
  /** The name under which the server lists this process; the default is that of a service. */
  applicationName?: string | undefined
}

export function openPool(
  address: string,
  { schema, connections, limits, check, applicationName }: PoolOptions,
): pg.Pool {
  const url = toDriverAddress(address)
  // Options left in the URL would override ours.
  const options = url.searchParams.get('options') ?? ''
  url.searchParams.delete('options')
  url.searchParams.delete('query_timeout')
  url.searchParams.delete('application_name')
  const own = {
    search_path: schema,
    // Reads can't write by mistake: only write() asks for a read-write transaction.
    default_transaction_read_only: 'on',
    statement_timeout: limits.work,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idle,
  }
  const pool = new pg.Pool({
    connectionString: url.href,
    max: connections,
    application_name: applicationName ?? `gatehouse ${schema}`,
    connectionTimeoutMillis: MAX_WAIT_MS,
    idleTimeoutMillis: limits.unused,
    maxLifetimeSeconds: MAX_LIFE_S,
    keepAlive: true,
    options: Object.entries(own).reduce(
      (all, [name, value]) => `${all} -c ${name}=${value}`,
      options,
    ),
    types,
    // Checked for every connection, since the host name may now lead to another server.
    onConnect: async (client) => check(await askSettings(client)),
  })
  // The pool replaces a broken connection. Without a listener its error would end the process, whether the
  // connection is idle or between two statements of a transaction.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export interface ServerSettings {
  version: string
  encoding: string
  path: string
  standby: boolean
  /** The restore that has begun there and is not complete. */
  restore: RestoreMark | undefined
}

async function ask<R extends object>(client: pg.ClientBase, text: string): Promise<R> {
  const { rows } = await client.query<R>({ text, query_timeout: MAX_WAIT_MS } as pg.QueryConfig)
  return rows[0] as R
}

async function askSettings(client: pg.ClientBase): Promise<ServerSettings> {
  const { has_mark, ...settings } = await ask<ServerSettings & { has_mark: boolean }>(
    client,
    `select current_setting('server_version_num') as version,
      current_setting('server_encoding') as encoding, current_setting('search_path') as path,
      pg_is_in_recovery() as standby, ${HAS_MARK} as has_mark`,
  )
  if (!has_mark) return { ...settings, restore: undefined }
  const { mark } = await ask<{ mark: string }>(client, SELECT_MARK)
  return { ...settings, restore: JSON.parse(mark) }
}

/** Why we can't work with a server, or only at the risk of damage; undefined if it is suitable. */
export function findServerProblem({ version, encoding, path }: ServerSettings, schema: string) {
  const major = Math.floor(Number(version) / 10_000)
  if (major < OLDEST_VERSION) {
    return `PostgreSQL ${major} is too old; ${OLDEST_VERSION} or newer is required`
  }
  if (encoding !== 'UTF8') return `the database has the encoding ${encoding}; it must be UTF8`
  // A pooler that drops our options would send every environment to the same tables.
  if (path !== schema) return 'a proxy in front of PostgreSQL drops the option search_path'
  return undefined
}

interface QueryLimits {
  statements: Statements
  concurrency: number
  maxTotalMs: number
  /** False if the next connection may lead to a server that is further behind. */
  mayReconnect?: boolean
}

/** Runs queries over a pool with a limit on concurrency and on the total time per acquired connection. */
export function createLimitedKysely<T>(
  pool: pg.Pool,
  { statements, concurrency, maxTotalMs, mayReconnect = true }: QueryLimits,
): Kysely<T> {
  const limiter = createConnectionLimiter({
    concurrency,
    maxWaitMs: MAX_WAIT_MS,
    stuckAfterMs: STUCK_AFTER_MS,
  })
  const sessions = createSessions(pool, { statements, limiter, maxTotalMs, mayReconnect })
  return new Kysely<T>({ dialect: new PostgresDialect({ pool: sessions }) })
}
