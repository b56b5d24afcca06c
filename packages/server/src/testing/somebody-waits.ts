import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Db } from '../db/database.ts'

/** Resolves when another connection to PostgreSQL waits for a lock. */
export const somebodyWaits = (db: Db) =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      expect(rows).toHaveLength(1)
    },
    { timeout: 20_000 },
  )
