import { type RawBuilder, sql } from 'kysely'

/** A sort order as it is in a URL: the name of a column, with `-` for the largest or latest first. */
export type Sort<C extends string> = C | `-${C}`

/** All sort orders of a list. */
export const sortsOf = <C extends string>(columns: readonly C[]): Sort<C>[] =>
  columns.flatMap((column) => [column, `-${column}` as const])

const isDescending = (sort: string) => sort.startsWith('-')
const columnOf = <C extends string>(sort: Sort<C>) =>
  (isDescending(sort) ? sort.slice(1) : sort) as C

/** The columns of an index, in the direction of the ascending sort. The descending sort reverses all of them, so that
 * the same index is read from its other end. */
type IndexColumns = readonly (readonly [column: RawBuilder<unknown>, direction: 'asc' | 'desc'])[]

/** The indexes by creation time have the newest first, and then the ids in ascending order. */
export const newestIndex = (created: string, id: string): IndexColumns => [
  [sql.ref(created), 'asc'],
  [sql.ref(id), 'desc'],
]

/** An index whose columns are all ascending. */
export const ascendingIndex = (...columns: readonly RawBuilder<unknown>[]): IndexColumns =>
  columns.map((column) => [column, 'asc'])

/** The rows of a table in the order of their people, and of each person the newest first. */
export const personIndex = (
  title: RawBuilder<unknown>,
  uid: string,
  created: string,
  id: string,
): IndexColumns => [
  [title, 'asc'],
  [sql.ref(uid), 'asc'],
  [sql.ref(created), 'desc'],
  [sql.ref(id), 'asc'],
]

/** Whether a list is sorted by the names of people. */
export const isByName = (sort: string | undefined): boolean =>
  sort !== undefined && columnOf(sort) === 'name'

export function orderBy<C extends string>(
  sort: Sort<C>,
  indexes: Readonly<Record<C, IndexColumns>>,
): RawBuilder<unknown> {
  const columns = indexes[columnOf(sort)].map(([column, direction]) =>
    (direction === 'desc') === isDescending(sort) ? column : sql`${column} desc`,
  )
  return sql.join(columns)
}

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

/** Sorts rows in memory, for lists that are short. Texts are compared ignoring case. */
export function sortRows<R, C extends string>(
  rows: readonly R[],
  sort: Sort<C>,
  values: Readonly<Record<C, (row: R) => string | number>>,
): R[] {
  const read = values[columnOf(sort)]
  const keyOf = (row: R) => {
    const value = read(row)
    return typeof value === 'string' ? value.normalize('NFC').toLowerCase() : value
  }
  const sign = isDescending(sort) ? -1 : 1
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  return rows.toSorted((a, b) => sign * compare(keyOf(a), keyOf(b)))
}
