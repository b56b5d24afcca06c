import { sql } from 'kysely'
import type { EnvironmentDatabase } from './database.ts'

/**
 * Another text after any commit, by whichever process. PostgreSQL's snapshot names the transactions that are
 * under way and the next one to come: a commit changes one or the other.
 */
export async function momentOf({ engine, changeMark, read }: EnvironmentDatabase): Promise<string> {
  if (engine === 'sqlite') return String(changeMark())
  const { rows } = await sql<{ at: string }>`select pg_current_snapshot()::text as at`.execute(read)
  return (rows[0] as { at: string }).at
}
