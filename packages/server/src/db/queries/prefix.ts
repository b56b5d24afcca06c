import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'

/** Sorts after every other character in byte order. */
const LAST = '\u{10FFFF}'

/** Matches texts that start with `text`. Text is compared by bytes, so the matches are one range of an index. */
export function startsWith(where: string | RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const it = typeof where === 'string' ? sql.ref(where) : where
  return sql<boolean>`(${it} >= ${text} and ${it} < ${text + LAST})`
}

/** The maximum number of rows per query: a search text of one or two letters may match everybody. */
const MAX_MATCHES = 1000

/** Combines selects of one column. Each keeps its own order and is cut off at the limit. */
export const limitEach = (column: string, queries: readonly RawBuilder<unknown>[]) =>
  sql.join(
    queries.map(
      (query) => sql`select ${sql.ref(column)} from (${query} limit ${MAX_MATCHES}) as w`,
    ),
    sql` union `,
  )

/** Whether any of the queries has more rows than the limit. */
export async function exceedsLimit(
  db: Db,
  queries: readonly RawBuilder<unknown>[],
): Promise<boolean> {
  const beyond = queries.map((query) => sql`exists (${query} limit 1 offset ${MAX_MATCHES})`)
  const { rows } = await sql<{ is_over: boolean | number }>`
    select ${sql.join(beyond, sql` or `)} as is_over`.execute(db)
  return Boolean(rows[0]?.is_over)
}
