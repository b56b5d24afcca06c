import { sql } from 'kysely'
import type { Engine, Trx } from '../database.ts'

/** Moves the sequence of a table past rows that were inserted with explicit numbers. SQLite does this by itself. */
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
