import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Db, Trx } from '../database.ts'
import type { MigrationTarget } from '../migration-target.ts'
import { errorCodeOf } from '../outage.ts'
import { retryWhileLocked, waitBriefly } from './schema-locks.ts'

/** An arbitrary number that all processes share. */
const ONLINE_LOCK = 7_204_119
const POLL_MS = 500

/** The steps of a migration that come before its transaction. */
export interface Preparation {
  /** The name of the migration. */
  name: string
  columns: readonly string[]
  statements: readonly string[]
}

/** PostgreSQL's errors for a table or a column that doesn't exist. */
const MISSING = new Set(['42P01', '42703'])

/**
 * Prepares all missing migrations, while other processes go on working. One process builds the indexes, and the others wait.
 * A new database needs none of it: then the transaction does everything.
 */
export async function prepareOnline<T>(
  database: Database<T>,
  target: MigrationTarget,
  preparations: readonly Preparation[],
): Promise<void> {
  const { schema, place, onProgress } = target
  const missing = await listMissing(database.read, schema, preparations)
  for (const column of missing.flatMap(({ columns }) => columns)) {
    await retryWhileLocked(place, () => doIfPossible(() => addColumn(database, column)))
  }
  if (missing.every(({ statements }) => statements.length === 0)) return
  await database.outsideTransaction(async (db) => {
    await lock(db)
    try {
      const unprepared = await listMissing(db, schema, preparations)
      const statements = unprepared.flatMap((preparation) => preparation.statements)
      for (const [i, statement] of statements.entries()) {
        onProgress(`preparing, step ${i + 1} of ${statements.length}`)
        await retryWhileLocked(place, async () => {
          await dropUnfinishedIndexes(db, schema)
          await doIfPossible(() => sql.raw(statement).execute(db))
        })
      }
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(ONLINE_LOCK)})`.execute(db)
    }
  })
}

/** Lists the steps of the missing migrations; none for a database that is new, or newer than this code. */
async function listMissing<T>(
  db: Db<T>,
  schema: string,
  preparations: readonly Preparation[],
): Promise<readonly Preparation[]> {
  const { rows: tables } = await sql<{ found: boolean }>`select
    to_regclass(${`${schema}.migrations`}) is not null as found`.execute(db)
  if (!tables[0]?.found) return []
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
    db,
  )
  const isPrefix = rows.every(({ name }, i) => name === preparations[i]?.name)
  return isPrefix && rows.length > 0 ? preparations.slice(rows.length) : []
}

async function addColumn<T>(database: Database<T>, column: string): Promise<void> {
  const add = async (trx: Trx<T>) => {
    await waitBriefly(trx)
    await sql.raw(column).execute(trx)
  }
  await database.write(add, { batch: true })
}

/** Does a step, unless it needs what another missing migration creates: then the transaction does it. */
async function doIfPossible(step: () => Promise<unknown>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (!MISSING.has(errorCodeOf(error))) throw error
  }
}

/** Polls instead of waiting: an index that is built concurrently would wait for the waiting statement. */
async function lock<T>(db: Db<T>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${sql.lit(ONLINE_LOCK)}) as taken`.execute(db)
    if (rows[0]?.taken) return
    await sleep(POLL_MS)
  }
}

/** An interrupted build leaves an index that is not used, and that keeps its name. */
async function dropUnfinishedIndexes<T>(db: Db<T>, schema: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_index i
    join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and not i.indisvalid`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.id(schema, name)}`.execute(db)
}

/** Checks all rows against the foreign keys that were added without doing so. Others can write meanwhile. */
export async function validateForeignKeys<T>(
  database: Database<T>,
  schema: string,
  onProgress: (text: string) => void,
): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    select c.conrelid::regclass::text as table, c.conname as name from pg_constraint c
    join pg_namespace n on n.oid = c.connamespace
    where n.nspname = ${schema} and c.contype = 'f' and not c.convalidated`.execute(database.read)
  for (const { table, name } of rows) {
    onProgress(`checking ${name}`)
    await database.outsideTransaction((db) =>
      sql`alter table ${sql.raw(table)} validate constraint ${sql.id(name)}`.execute(db),
    )
  }
}
