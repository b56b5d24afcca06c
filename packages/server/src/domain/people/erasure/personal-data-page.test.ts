import { describe, expect, it } from 'vitest'
import {
  body,
  COLUMNS,
  fileAt,
  head,
  LEVELS,
  withoutPeople,
  withPeople,
} from '../../../testing/erasure/personal-data-page.ts'

/** The columns of each table, as the schema dump has them. */
function readSchema(): Map<string, string[]> {
  const dump = fileAt('packages/server/src/db/schema/sqlite.sql')
  const tables = new Map<string, string[]>()
  for (const [, name = '', columns = ''] of dump.matchAll(
    /^CREATE TABLE "?(\w+)"? \(([\s\S]*?)\)[^()\n]*;$/gm,
  )) {
    const names = [...columns.matchAll(/(?:^|\n|, )\s*(\w+) (?:text|integer|blob)/g)]
    tables.set(name, [...(tables.get(name) ?? []), ...names.map(([, column = '']) => column)])
  }
  return tables
}

/** Names of columns that can hold something about a person, in whatever table they are. */
const TELLING =
  /^(uid|staff_id)$|email|first_name|last_name|user_ref|recipient|address|agent|phone|payload|password/

describe('the table of what is stored about people', () => {
  const schema = readSchema()

  it('has a row for each table of the schema, or says that it has nothing about people', () => {
    expect(schema.size).toBeGreaterThan(60)
    const named = [...new Set([...withPeople, ...withoutPeople])]
    const known = new Set([...schema.keys(), 'password'])
    expect([...schema.keys()].filter((name) => !named.includes(name))).toEqual([])
    expect(named.filter((name) => !known.has(name))).toEqual([])
    expect(withoutPeople.filter((name) => withPeople.includes(name))).toEqual([])
  })

  it('says of no table that it has nothing about people if a column tells otherwise', () => {
    const telling = withoutPeople.flatMap((table) =>
      (schema.get(table) ?? [])
        .filter((column) => TELLING.test(column))
        .map((column) => `${table}.${column}`),
    )
    expect(telling).toEqual([])
    expect(schema.get('users')?.some((column) => TELLING.test(column))).toBe(true)
  })

  it('says everything about each, and has a known level', () => {
    expect(head).toEqual(COLUMNS)
    for (const cells of body) {
      expect([cells[0], cells.filter((cell) => cell === '')]).toEqual([cells[0], []])
      expect(LEVELS.some((level) => cells[2]?.startsWith(level))).toBe(true)
    }
  })
})
