import { type RawBuilder, sql } from 'kysely'
import { foldCase } from '../../unicode.ts'

/** A sort order as it is in a URL: the name of a column, with `-` for the largest or latest first. */
export type Sort<C extends string> = C | `-${C}`

/** All sort orders of a list. */
export const sortsOf = <C extends string>(columns: readonly C[]): Sort<C>[] =>
  columns.flatMap((column) => [column, `-${column}` as const])

export const isDescending = (sort: string) => sort.startsWith('-')
export const columnOf = <C extends string>(sort: Sort<C>) =>
  (isDescending(sort) ? sort.slice(1) : sort) as C

/** The columns of an index, in the direction of the ascending sort. The descending sort reverses all of them, so that
 * the same index is read from its other end. */
export type IndexColumns = readonly (readonly [
  column: RawBuilder<unknown>,
  direction: 'asc' | 'desc',
])[]

/** An index by creation time whose ids grow with time, so that they order what was created in the same second. */
export const newestIndex = (created: string, id: string): IndexColumns =>
  ascendingIndex(sql.ref(created), sql.ref(id))

/** An index that has the newest first, and then the ids in ascending order, because they say nothing about the time. */
export const newestByIdIndex = (created: string, id: string): IndexColumns => [
  [sql.ref(created), 'asc'],
  [sql.ref(id), 'desc'],
]

/** An index whose columns are all ascending. */
export const ascendingIndex = (...columns: readonly RawBuilder<unknown>[]): IndexColumns =>
  columns.map((column) => [column, 'asc'])

export function orderBy<C extends string>(
  sort: Sort<C>,
  indexes: Readonly<Record<C, IndexColumns>>,
): RawBuilder<unknown> {
  const columns = indexes[columnOf(sort)].map(([column, direction]) =>
    (direction === 'desc') === isDescending(sort) ? column : sql`${column} desc`,
  )
  return sql.join(columns)
}

/** Which rows of an application a list has, and the index that it follows. */
export interface SortedFilter<Indexes> {
  aid: string
  /** Newest first by default. */
  sort?: Sort<keyof Indexes & string> | undefined
}

/** Sorts rows in memory, for lists that are short. Texts are compared ignoring case. */
export function sortRows<R, C extends string>(
  rows: readonly R[],
  sort: Sort<C>,
  values: Readonly<Record<C, (row: R) => string | number>>,
): R[] {
  const read = values[columnOf(sort)]
  // Made once for each row: a sort compares each row with many others.
  const keyed = rows.map((row) => {
    const value = read(row)
    return { row, key: typeof value === 'string' ? foldCase(value) : value }
  })
  const sign = isDescending(sort) ? -1 : 1
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  return keyed.sort((a, b) => sign * compare(a.key, b.key)).map(({ row }) => row)
}
