import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import type { Seconds } from '../../db/tables.ts'

/** Subscriptions `s` that are going to be charged for another period. One that is past due may still be paid, but until
 * then its access is about to end. Without a card, nothing can be charged. */
const willRenewCondition = sql<boolean>`s.status in ('trialing', 'active') and s.method is not null`

/** Whether the subscription `s` is going to renew the access record `a`. A record has at most one. */
export const isRenewedBySql = sql<boolean>`s.aid = a.aid and s.access_id = a.id
  and ${willRenewCondition}`

/** Whether a subscription is going to renew the access record `a`. */
export const willRenewSql = sql<boolean>`exists (select 1 from subscriptions s
  where ${isRenewedBySql})`

/** Returns when each of these access records is renewed next. Records that are not renewed are missing from the map. */
export async function findRenewalTimes(
  db: Db,
  aid: string,
  accessIds: readonly string[],
): Promise<ReadonlyMap<string, Seconds>> {
  if (accessIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('subscriptions as s')
    .select(['s.access_id', 's.current_period_end'])
    .where('s.aid', '=', aid)
    .where('s.access_id', 'in', padList(accessIds))
    .where(willRenewCondition)
    .execute()
  return new Map(rows.map((row) => [row.access_id, row.current_period_end]))
}
