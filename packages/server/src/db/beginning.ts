import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Comes after every other character, in the order of bytes. */
const LAST = '\u{10FFFF}'

/** Texts are compared by bytes: those that begin alike lie side by side in an index. */
export function beginsWith(where: string | RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const it = typeof where === 'string' ? sql.ref(where) : where
  return sql<boolean>`(${it} >= ${text} and ${it} < ${text + LAST})`
}

/** A letter or two can mean everybody. Of each way to mean something, no more rows are looked at. */
const MOST_MEANT = 1000

/** What some selects of one column find, each in its own order, and each the first of too many. */
export const ofMany = (column: string, ways: readonly RawBuilder<unknown>[]) =>
  sql.join(
    ways.map((way) => sql`select ${sql.ref(column)} from (${way} limit ${MOST_MEANT}) as w`),
    sql` union `,
  )

/** Whether `ofMany` leaves something out. */
export async function isMany(db: Db, ways: readonly RawBuilder<unknown>[]): Promise<boolean> {
  const beyond = ways.map((way) => sql`exists (${way} limit 1 offset ${MOST_MEANT})`)
  const { rows } = await sql<{ is_many: boolean | number }>`
    select ${sql.join(beyond, sql` or `)} as is_many`.execute(db)
  return Boolean(rows[0]?.is_many)
}
