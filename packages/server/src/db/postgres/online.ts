import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Db } from '../database.ts'

/** An arbitrary number that all processes share. */
const ONLINE_LOCK = 7_204_119
const POLL_MS = 500

interface OnlineStep {
  /** The migration that the statements prepare. */
  name: string
  statements: readonly string[]
}

/**
 * Runs the statements that prepare the next migration, while other processes go on working. One process does it, and
 * the others wait. A new database, or one that lacks more than one version, needs none of it: then the transaction does
 * everything.
 */
export async function prepareOnline<T>(
  database: Database<T>,
  schema: string,
  migrations: readonly OnlineStep[],
  onProgress: (text: string) => void,
): Promise<void> {
  if ((await nextStatements(database.read, schema, migrations)).length === 0) return
  await database.outsideTransaction(async (db) => {
    await lock(db)
    try {
      const statements = await nextStatements(db, schema, migrations)
      if (statements.length > 0) await dropUnfinishedIndexes(db, schema)
      for (const [i, statement] of statements.entries()) {
        onProgress(`preparing, step ${i + 1} of ${statements.length}`)
        await sql.raw(statement).execute(db)
      }
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(ONLINE_LOCK)})`.execute(db)
    }
  })
}

/** Returns the statements for the first migration that is missing; none if a later one isn't. */
async function nextStatements<T>(
  db: Db<T>,
  schema: string,
  migrations: readonly OnlineStep[],
): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`select
    to_regclass(${`${schema}.migrations`}) is not null as found`.execute(db)
  if (!tables[0]?.found) return []
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
    db,
  )
  const isNext = rows.every(({ name }, i) => name === migrations[i]?.name)
  return (isNext && rows.length > 0 && migrations[rows.length]?.statements) || []
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
