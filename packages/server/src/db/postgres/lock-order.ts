import { type RawBuilder, sql } from 'kysely'

/**
 * The order in which rows are locked, so that two writers can't deadlock. It is an expression on purpose: ordered by
 * the plain column, a planner may walk a whole index in that order instead of fetching the few wanted rows and
 * sorting them.
 */
export const lockSortKey = (column: 'id' | 'uid'): RawBuilder<string> =>
  sql`${sql.ref(column)} || ''`
