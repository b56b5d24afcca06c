import { sql } from 'kysely'
import type { Engine, Trx } from './database.ts'

/** Lets a table that counts by itself go on after the rows that were put in with numbers of their own.
 * SQLite does so anyway. */
export async function advanceSequence<T>(
  trx: Trx<T>,
  engine: Engine,
  table: string,
  column: string,
): Promise<void> {
  if (engine === 'sqlite') return
  await sql`select setval(pg_get_serial_sequence(${sql.lit(table)}, ${sql.lit(column)}),
    greatest((select coalesce(max(${sql.ref(column)}), 0) from ${sql.table(table)}), 1))`.execute(
    trx,
  )
}
