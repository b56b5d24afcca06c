import { sql } from 'kysely'
import type { Database, Db, Trx } from './database.ts'

/** A note that a database keeps about itself. */
export async function readMeta<T>(db: Db<T>, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value from meta where name = ${name}`.execute(db)
  return rows[0]?.value
}

/** The last one to say it counts; until the end of the transaction others wait for this row. */
export async function setMeta<T>(trx: Trx<T>, name: string, value: string): Promise<void> {
  await sql`insert into meta (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`.execute(trx)
}

/** The first one to say it counts. */
export async function setMetaOnce<T>(trx: Trx<T>, name: string, value: string): Promise<void> {
  await sql`insert into meta (name, value) values (${name}, ${value})
    on conflict (name) do nothing`.execute(trx)
}

/** Takes a lease that a row holds as a time in milliseconds. False while somebody else has it. */
export async function claimMeta<T>(
  trx: Trx<T>,
  name: string,
  until: number,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`insert into meta (name, value) values (${name}, ${String(until)})
    on conflict (name) do update set value = excluded.value
    where cast(meta.value as bigint) <= cast(${String(now)} as bigint) returning name`.execute(trx)
  return rows.length > 0
}

/**
 * Runs `fn` in one process at a time, also across machines: they queue for a row. Here, and only here,
 * an effect outside the database is fine, if it may be repeated: the write may run again, or be rolled
 * back when `fn` has done its work.
 */
export async function exclusively<T, R>(
  database: Database<T>,
  name: string,
  fn: () => Promise<R>,
): Promise<R> {
  const run = async (trx: Trx<T>) => {
    await setMeta(trx, name, String(Date.now()))
    return await fn()
  }
  return await database.write(run, { patient: true })
}
