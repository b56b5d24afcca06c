import { sql } from 'kysely'
import type { Engine, Trx } from './database.ts'

/**
 * Tells PostgreSQL's planner what tables hold by now. It plans by figures that it takes about once a
 * minute: for tables that were empty then, it reads every row of an application to check one reference.
 * SQLite plans by the schema alone.
 */
export async function refreshStatistics<T>(
  trx: Trx<T>,
  engine: Engine,
  tables: readonly string[],
): Promise<void> {
  if (engine === 'sqlite') return
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(trx)
}
