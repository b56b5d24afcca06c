import { sql } from 'kysely'
import type { Engine, Trx } from '../database.ts'

/**
 * Updates the statistics that PostgreSQL plans with, which it otherwise collects about once a minute. For tables that
 * were empty at that time, it would read every row of an application to check one foreign key. SQLite plans by
 * the schema alone.
 */
export async function refreshStatistics<T>(
  trx: Trx<T>,
  engine: Engine,
  tables: readonly string[],
): Promise<void> {
  if (engine === 'sqlite') return
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(trx)
}
