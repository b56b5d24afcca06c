import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The tables whose ids people and the payment provider know. */
type KnownById =
  | 'checkouts'
  | 'outbox'
  | 'payments'
  | 'refunds'
  | 'subscriptions'
  | 'webhook_endpoints'

/**
 * Finds the application of an id that arrives alone, by asking application by application. Only for ids that were
 * handed out before they named their application, and for ids that an operator types: all other callers know the
 * application. Never for a request that an application signed.
 */
export async function findApplicationOf(
  db: Db,
  table: KnownById,
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ aid: string }>`select a.aid from applications a
    where exists (select 1 from ${sql.table(table)} t where t.aid = a.aid and t.id = ${id})
    limit 1`.execute(db)
  return rows[0]?.aid
}
