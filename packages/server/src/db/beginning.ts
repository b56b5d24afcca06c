import { type RawBuilder, sql } from 'kysely'

/** Comes after every other character, in the order of bytes. */
const LAST = '\u{10FFFF}'

/** Texts are compared by bytes: those that begin alike lie side by side in an index. */
export const beginsWith = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${text + LAST})`
