import { sql } from 'kysely'
import type { Database, Db, Trx } from './database.ts'

/** Reads a value that a database stores about itself. */
export async function readMeta<T>(db: Db<T>, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value from meta where name = ${name}`.execute(db)
  return rows[0]?.value
}

/** Overwrites the value, and locks its row until the transaction ends. */
export async function setMeta<T>(trx: Trx<T>, name: string, value: string): Promise<void> {
  await sql`insert into meta (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`.execute(trx)
}

/** Sets the value unless there is one: the first writer wins. */
export async function setMetaOnce<T>(trx: Trx<T>, name: string, value: string): Promise<void> {
  await sql`insert into meta (name, value) values (${name}, ${value})
    on conflict (name) do nothing`.execute(trx)
}

/**
 * Runs `fn` in one process at a time, across machines too: callers queue for a row lock. Here, and only here, a write
 * may have effects outside the database, provided they are repeatable: the write may run again, or be rolled back
 * after `fn` has finished.
 */
export async function withGlobalLock<T, R>(
  database: Database<T>,
  name: string,
  fn: () => Promise<R>,
): Promise<R> {
  const run = async (trx: Trx<T>) => {
    await setMeta(trx, name, String(Date.now()))
    return await fn()
  }
  return await database.write(run, { batch: true })
}
