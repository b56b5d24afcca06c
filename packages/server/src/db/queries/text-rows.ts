import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for a table with each of these texts once, in its column `key`. They are one parameter, so the text of the
 * statement doesn't depend on how many there are, and PostgreSQL can plan it once. Both databases have a `json_each`,
 * but only the keys of an object are texts in both.
 */
export const textRows = (texts: Iterable<string>): RawBuilder<unknown> =>
  sql`json_each(${JSON.stringify(Object.fromEntries([...texts].map((text) => [text, 0])))})`
