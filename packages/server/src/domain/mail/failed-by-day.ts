import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Days } from '../../db/days.ts'
import { isFailedSql } from './outbox.ts'

/** Counts failed mails by the day they were created, by the environment's clock, and in total. */
export async function countFailedByDay(
  db: Db,
  aid: string,
  { first, last }: Days,
): Promise<{ total: number; counts: number[] }> {
  const day = sql<number>`(created / 1000 + clock_offset) / 86400`
  const rows = await db
    .selectFrom('outbox')
    .select([day.as('day'), sql<number>`count(*)`.as('count')])
    .where('aid', '=', aid)
    .where(isFailedSql)
    .groupBy(day)
    .execute()
  const counts = Array.from({ length: last - first + 1 }, () => 0)
  let total = 0
  for (const row of rows) {
    total += Number(row.count)
    const at = Number(row.day) - first
    if (at >= 0 && at < counts.length) counts[at] = Number(row.count)
  }
  return { total, counts }
}
