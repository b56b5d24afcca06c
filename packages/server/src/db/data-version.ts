import { type QueryExecutorProvider, sql } from 'kysely'
import type { Database } from './database.ts'

export type VersionedDatabase = Pick<Database, 'engine' | 'dataVersion'> & {
  readonly read: QueryExecutorProvider
}

/**
 * Returns a text that changes with every commit by any process. A PostgreSQL snapshot names the transactions in
 * progress and the next one to start: every commit changes one or the other.
 */
export async function dataVersionOf({
  engine,
  dataVersion,
  read,
}: VersionedDatabase): Promise<string> {
  if (engine === 'sqlite') return String(dataVersion())
  const { rows } = await sql<{ at: string }>`select pg_current_snapshot()::text as at`.execute(read)
  return (rows[0] as { at: string }).at
}
