import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Millis, WebhookState } from '../../db/tables.ts'
import { isOpenSql } from './admit.ts'

/** Counts the endpoints of all applications by their state. */
export async function countEndpoints(db: Db): Promise<Record<WebhookState, number>> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['state', (eb) => eb.fn.countAll().as('count')])
    .groupBy('state')
    .execute()
  const counted = Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
  return { on: 0, failing: 0, off: 0, disabled: 0, ...counted }
}

/** Returns since when the event has been due that has waited longest, of all endpoints that take events. A failing one may
 * be far behind, and that is its receiver's doing. */
export async function findOldestDueDelivery(db: Db, realTime: Millis): Promise<Millis | undefined> {
  const { rows } = await sql<{ due: Millis | null }>`select min(due) as due from (
    select (select min(due) from webhook_deliveries where webhook_deliveries.aid = e.aid
      and endpoint = e.id and ${isOpenSql}) as due
    from webhook_endpoints e where e.state = 'on' and e.resume_at <= ${realTime}) as oldest`.execute(
    db,
  )
  const due = rows[0]?.due
  return due === null || due === undefined ? undefined : Number(due)
}
