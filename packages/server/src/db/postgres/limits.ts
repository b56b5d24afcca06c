import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** How many connections PostgreSQL allows us; -1 of the database or the user means any number. */
export interface ConnectionLimits {
  server: number
  database: number
  user: number
  /** Superusers are exempt from the limits of database and user. */
  isExempt: boolean
}

export async function readConnectionLimits<T>(db: Db<T>): Promise<ConnectionLimits> {
  const { rows } = await sql<ConnectionLimits>`
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int as server,
      (select datconnlimit from pg_database where datname = current_database()) as database,
      rolconnlimit as "user", rolsuper as "isExempt"
    from pg_roles where rolname = current_user`.execute(db)
  return rows[0] as ConnectionLimits
}
