import { type RawBuilder, sql } from 'kysely'
import { columnOf, type IndexColumns, isDescending, type Sort } from './sort.ts'

/** Where a list continues: the values by which its last row was sorted. */
export type Cursor = readonly (string | number)[]

const CURSOR = 'cursor_'

/** The columns that a row needs for `cursorOf`. The database computes them, because the two engines don't agree on lower
 * case. */
export const cursorColumns = <C extends string>(
  sort: Sort<C>,
  indexes: Readonly<Record<C, IndexColumns>>,
) => indexes[columnOf(sort)].map(([column], i) => sql`${column}`.as(`${CURSOR}${i}`))

/** Reads the cursor of a row that was selected with `cursorColumns`. */
export const cursorOf = (row: object): Cursor =>
  Object.entries(row)
    .filter(([name]) => name.startsWith(CURSOR))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value as string | number)

/** The condition for the rows that follow a cursor in this order. The first column is a range of the index, so that each
 * page takes as long as the first. */
export function isAfter<C extends string>(
  sort: Sort<C>,
  indexes: Readonly<Record<C, IndexColumns>>,
  cursor: Cursor,
): RawBuilder<boolean> {
  const columns = indexes[columnOf(sort)]
  return columns.reduceRight<RawBuilder<boolean>>((rest, [column, direction], i) => {
    const isUp = (direction === 'desc') === isDescending(sort)
    const [beyond, notBefore] = isUp ? [sql`>`, sql`>=`] : [sql`<`, sql`<=`]
    const value = cursor[i]
    return sql<boolean>`${column} ${notBefore} ${value} and (${column} ${beyond} ${value} or (${rest}))`
  }, sql<boolean>`1 = 0`)
}
