import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { DatabaseUnavailable } from '../outage.ts'
import {
  BATCH_TIMEOUTS,
  createLimitedKysely,
  findServerProblem,
  openPool,
  type ServerSettings,
} from './pool.ts'
import { createStatements } from './statements.ts'

/** How long a replica may take to catch up with the position of the primary. */
const MAX_LAG_MS = 3_000
const LOOK_AGAIN_MS = 20
/** How long a replica is not used after a failure. */
const REST_MS = 10_000

export interface ReplicaOptions {
  url: string
  /** Called when the replica becomes unusable, and when it works again. */
  outages: { trouble(error: unknown): void; fine(): void }
}

interface Replica<T> {
  /** Runs `fn` on a snapshot that has everything committed before the call; undefined if the replica can't provide
   * one right now. */
  snapshot<R>(fn: (db: Db<T>) => Promise<R>): Promise<{ result: R } | undefined>
  close(): Promise<void>
}

/** A server, a database on it, and how far its write-ahead log had come. */
interface Position {
  server: string
  database: number
  log: string
}

async function askPosition<T>(main: Db<T>): Promise<Position> {
  const { rows } = await sql<Position>`
    select (select system_identifier::text from pg_control_system()) as server,
      (select oid from pg_database where datname = current_database()) as database,
      pg_current_wal_flush_lsn()::text as log`.execute(main)
  return rows[0] as Position
}

interface Progress {
  isSame: boolean
  isThere: boolean | null
}

async function askProgress<T>(one: Db<T>, { server, database, log }: Position): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select (select system_identifier::text from pg_control_system()) = ${server}
        and (select oid from pg_database where datname = current_database()) = ${database}::oid
        as "isSame",
      pg_last_wal_replay_lsn() >= ${log}::pg_lsn as "isThere"`.execute(one)
  return rows[0] as Progress
}

/** Waits until a replica has replayed everything up to a position of the primary. */
async function catchUp<T>(one: Db<T>, position: Position): Promise<void> {
  const deadline = performance.now() + MAX_LAG_MS
  for (;;) {
    const { isSame, isThere } = await askProgress(one, position)
    if (!isSame)
      throw new DatabaseUnavailable('it does not follow the server of GATEHOUSE_DATABASE_URL')
    if (isThere) return
    if (performance.now() > deadline) {
      throw new DatabaseUnavailable(`it is more than ${MAX_LAG_MS / 1000} seconds behind`)
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

function requireStandby(settings: ServerSettings, schema: string): void {
  const objection = findServerProblem(settings, schema)
  if (objection !== undefined) throw new DatabaseUnavailable(objection)
  if (!settings.standby) throw new DatabaseUnavailable('it is not a standby')
}

/** Opens a standby for large reads. Whatever goes wrong with it, the caller can use the primary instead. */
export function openReplica<T>(
  main: Db<T>,
  { url, outages }: ReplicaOptions,
  { schema, connections }: { schema: string; connections: number },
): Replica<T> {
  const check = (settings: ServerSettings) => requireStandby(settings, schema)
  const pool = openPool(url, { schema, connections, limits: BATCH_TIMEOUTS, check })
  const statements = createStatements()
  const replica = createLimitedKysely<T>(pool, {
    statements,
    concurrency: connections,
    maxTotalMs: 0,
    mayReconnect: false,
  })
  let restsUntil = Number.NEGATIVE_INFINITY

  return {
    async snapshot(fn) {
      if (performance.now() < restsUntil) return undefined
      let hasBegun = false
      try {
        const position = await askPosition(main)
        // Uses one connection for both steps: several servers may share the host name.
        const result = await replica.connection().execute(async (one) => {
          await catchUp(one, position)
          return await one
            .transaction()
            .setIsolationLevel('repeatable read')
            .setAccessMode('read only')
            .execute(async (db) => {
              hasBegun = true
              outages.fine()
              return await fn(db)
            })
        })
        return { result }
      } catch (error) {
        if (hasBegun) throw error
        restsUntil = performance.now() + REST_MS
        outages.trouble(error)
        return undefined
      }
    },
    close: () => pool.end(),
  }
}
