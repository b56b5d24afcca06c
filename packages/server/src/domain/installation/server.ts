import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { errorCodeOf } from '../../db/outage.ts'

/** Identifies a PostgreSQL server and database. A part that the server hides is empty and not compared. */
export interface ServerIdentity {
  /** Created with the cluster; a dump loaded into another cluster finds a different number there. */
  system: string
  /** Incremented by a point-in-time restore, and when a standby is promoted. */
  timeline: string
  /** Object ids: a database or table that was dropped and recreated has a new one. */
  database: string
  table: string
}

/** Error codes of hosted servers where these functions are missing, not permitted or not supported. */
const UNTOLD = new Set(['42883', '42501', '0A000'])

export async function readServer<T>(db: Db<T>): Promise<ServerIdentity> {
  try {
    return await ask(
      db,
      sql`(select system_identifier::text from pg_control_system())`,
      sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`,
    )
  } catch (error) {
    if (!UNTOLD.has(errorCodeOf(error))) throw error
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

/** Returns the first part that both sides know and that differs. */
export function findServerDifference(
  one: ServerIdentity,
  other: ServerIdentity,
): keyof ServerIdentity | undefined {
  const parts = ['system', 'database', 'table', 'timeline'] as const
  return parts.find((part) => one[part] && other[part] && one[part] !== other[part])
}
