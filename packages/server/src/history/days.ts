import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Days since 1970 in UTC, the first and the last of a stretch. */
export interface Days {
  first: number
  last: number
}

/**
 * How often something was done on each day. Counted day by day along an index: sorted into days, 100,000
 * rows would take many times as long. Both actions stand there as in the index: only so does SQLite see
 * that it will do.
 */
export async function countByDay(
  db: Db,
  aid: string,
  action: 'granted' | 'revoked',
  { first, last }: Days,
): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    with recursive days (day) as (
      select cast(${first} as bigint) union all select day + 1 from days where day < ${last})
    select (select count(*) from history h where h.aid = ${aid}
      and h.action in ('granted', 'revoked') and h.action = ${sql.lit(action)}
      and h.at >= d.day * 86400 and h.at < (d.day + 1) * 86400) as count
    from days d order by d.day`.execute(db)
  return rows.map(({ count }) => Number(count))
}
