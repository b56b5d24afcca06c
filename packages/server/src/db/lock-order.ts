import { type RawBuilder, sql } from 'kysely'

/**
 * For rows that are locked in one order, so that no two writers each wait for the other. As an expression:
 * by the column itself a planner may walk all rows of an index that has this order, instead of taking the
 * few that are wanted and sorting them.
 */
export const lockOrder = (column: 'id' | 'uid'): RawBuilder<string> => sql`${sql.ref(column)} || ''`
