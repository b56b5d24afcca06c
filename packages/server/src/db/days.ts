import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Days since 1970 in UTC, the first and the last of a stretch. */
export interface Days {
  first: number
  last: number
}

/**
 * How many rows of a table lie on each day, by a column of an index. Counted day by day along that index:
 * sorted into days, 100,000 rows would take many times as long.
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
