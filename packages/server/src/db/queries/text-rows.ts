import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for a table with each of these texts once, in its column `key`. They are one parameter, so the text of the
 * statement doesn't depend on how many there are, and PostgreSQL can plan it once. Both databases have a `json_each`,
 * but only the keys of an object are texts in both.
 */
export function textRows(texts: Iterable<string>): RawBuilder<unknown> {
  // PostgreSQL refuses half of a surrogate pair in JSON. As a parameter of its own it would be replaced, as it is here.
  const entries = [...texts].map((text) => [Buffer.from(text).toString(), 0])
  return sql`json_each(${JSON.stringify(Object.fromEntries(entries))})`
}
