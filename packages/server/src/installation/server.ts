import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { codeOf } from '../db/outage.ts'

/** Which PostgreSQL server a database is on, and in which of its lives. A part that the server does not tell
 * is empty, and is not compared. */
export interface ServerIdentity {
  /** Made with the cluster; a dump that is loaded into another one meets another number. */
  system: string
  /** Counted up by a restore to a point in time, and when a standby takes over. */
  timeline: string
  /** A database that was dropped and made again has another number, and so has a table. */
  database: string
  table: string
}

/** The functions are missing, not allowed or not supported, as some hosted servers have it. */
const UNTOLD = new Set(['42883', '42501', '0A000'])

export async function readServer<T>(db: Db<T>): Promise<ServerIdentity> {
  try {
    return await ask(
      db,
      sql`(select system_identifier::text from pg_control_system())`,
      sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`,
    )
  } catch (error) {
    if (!UNTOLD.has(codeOf(error))) throw error
    return await ask(db, sql`''`, sql`''`)
  }
}

async function ask<T>(
  db: Db<T>,
  system: ReturnType<typeof sql>,
  timeline: ReturnType<typeof sql>,
): Promise<ServerIdentity> {
  const { rows } = await sql<ServerIdentity>`
    select ${system} as system, ${timeline} as timeline, 'meta'::regclass::oid::text as "table",
      (select oid::text from pg_database where datname = current_database()) as database`.execute(
    db,
  )
  return rows[0] as ServerIdentity
}

/** The first part that both know and that is not the same. */
export function findDifference(
  one: ServerIdentity,
  other: ServerIdentity,
): keyof ServerIdentity | undefined {
  const parts = ['system', 'database', 'table', 'timeline'] as const
  return parts.find((part) => one[part] && other[part] && one[part] !== other[part])
}
