import type { Engine } from '../database.ts'
import type { Statement } from '../migrations.ts'

/** A column that a migration adds. Its default is a constant, so that PostgreSQL doesn't rewrite the table. */
export interface NewColumn {
  table: string
  column: string
  definition: string
}

export function addColumn({ table, column, definition }: NewColumn): Record<Engine, string> {
  const name = `${column} ${definition}`
  return {
    sqlite: `alter table ${table} add column ${name}`,
    postgres: `alter table ${table} add column if not exists ${name}`,
  }
}

/** An index that a migration adds to a table that may be large. */
export interface NewIndex {
  name: string
  /** The table with its columns, and the rows that are covered; per engine if it differs. */
  on: string | Record<Engine, string>
  /** The index takes the place of an earlier one with the same name. */
  isReplacement?: true
}

/** The name of an index while the one that it replaces is still in use. */
const buildName = ({ name, isReplacement }: NewIndex) => (isReplacement ? `${name}_new` : name)

const definitionFor = (engine: Engine, { on }: NewIndex) =>
  typeof on === 'string' ? on : on[engine]

/** Statements for PostgreSQL that build indexes while other processes go on writing. */
export const buildIndexes = (indexes: readonly NewIndex[]): string[] =>
  indexes.map(
    (index) =>
      `create index concurrently if not exists ${buildName(index)} on ${definitionFor('postgres', index)}`,
  )

/** Adds indexes within the transaction of a migration. On PostgreSQL they are usually built by then. */
export const addIndexes = (indexes: readonly NewIndex[]): Statement[] => indexes.flatMap(addIndex)

function addIndex(index: NewIndex): Statement[] {
  const { name, isReplacement } = index
  const sqlite = `create index ${name} on ${definitionFor('sqlite', index)}`
  const built = `${buildName(index)} on ${definitionFor('postgres', index)}`
  const postgres = `create index if not exists ${built}`
  if (!isReplacement) return [{ sqlite, postgres }]
  return [
    { postgres },
    `drop index ${name}`,
    { sqlite, postgres: `alter index ${buildName(index)} rename to ${name}` },
  ]
}
