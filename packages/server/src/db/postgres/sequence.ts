import { sql } from 'kysely'
import type { Engine, Trx } from '../database.ts'

/** Moves the sequences of all tables past rows that were inserted with explicit numbers. SQLite does this by itself. */
export async function advanceSequences<T>(
  trx: Trx<T>,
  engine: Engine,
  schema: string,
): Promise<void> {
  if (engine === 'sqlite') return
  const { rows } = await sql<{ name: string; column: string }>`
    select c.relname as name, a.attname as column from pg_attribute a
    join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p') and a.attidentity <> ''`.execute(trx)
  for (const { name, column } of rows) {
    await sql`select setval(pg_get_serial_sequence(${sql.lit(name)}, ${sql.lit(column)}),
      greatest((select coalesce(max(${sql.ref(column)}), 0) from ${sql.table(name)}), 1))`.execute(
      trx,
    )
  }
}
