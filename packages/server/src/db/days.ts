import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** An inclusive range of days, counted from 1970 in UTC. */
export interface Days {
  first: number
  last: number
}

/**
 * Counts the rows of a table per day, by an indexed time column. Each day is one range scan of that index:
 * grouping 100,000 rows by day would take many times as long.
 */
export async function countByDay(
  db: Db,
  { first, last }: Days,
  table: string,
  column: string,
  condition: RawBuilder<boolean>,
): Promise<number[]> {
  const at = sql.ref(column)
  const { rows } = await sql<{ count: number }>`
    with recursive days (day) as (
      select cast(${first} as bigint) union all select day + 1 from days where day < ${last})
    select (select count(*) from ${sql.table(table)} where ${condition}
      and ${at} >= d.day * 86400 and ${at} < (d.day + 1) * 86400) as count
    from days d order by d.day`.execute(db)
  return rows.map(({ count }) => Number(count))
}
