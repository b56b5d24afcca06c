import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import { Stop } from '../errors.ts'
import type { Database, Trx } from './database.ts'
import { CutOff, codeOf, DatabaseTrouble, outageOf, reasonOf } from './outage.ts'
import {
  hastyLimits,
  objectionTo,
  openPool,
  PATIENT,
  queriesOver,
  type ServerSettings,
} from './postgres-pool.ts'
import { openReplica, type ReplicaLocation } from './replica.ts'
import { createStatements } from './statements.ts'

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

/** So much of the connections may be writing: locks that others hold must not keep everybody from reading. */
const WRITING = 0.8

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
  where?: ReplicaLocation,
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
  const ofRequests = { statements, longestMs: limits.work }
  const read = queriesOver<T>(pool, { ...ofRequests, atOnce: connections })
  const hasty = queriesOver<T>(pool, { ...ofRequests, atOnce: Math.ceil(connections * WRITING) })
  // Connects when it is first used, and lets go when it is idle.
  const patientPool = openPool(url, { schema, connections, limits: PATIENT, check })
  const patient = queriesOver<T>(patientPool, { statements, atOnce: connections, longestMs: 0 })
  const replica = where && openReplica<T>(read, where, { schema, connections })
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
    async lookUp(question, keys) {
      const columns = (keys[0] ?? []).map((_, i) => keys.map((key) => key[i]))
      const { rows } = await read.executeQuery<{ n: number; found: string }>(
        CompiledQuery.raw(question.postgres, columns),
      )
      const found: (string | null)[] = keys.map(() => null)
      for (const row of rows) found[row.n - 1] = row.found
      return found
    },
    changeMark: () => undefined,
    async snapshot(fn) {
      const there = await replica?.snapshot(fn)
      if (there) return there.result
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
      await Promise.all([pool.end(), patientPool.end(), replica?.close()])
    },
  }
}
