import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Trx } from '../database.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Inserts rows that all have the columns of the first one. The text of the statement depends only on the columns, so that
 * both databases prepare it once for any number of rows, and nothing has to be built and compiled for each value.
 */
export async function insertMany<T>(
  trx: Trx<T>,
  table: string,
  rows: readonly Values[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  for (const row of rows) requireColumns(table, columns, row)
  const isPostgres = trx.getExecutor().adapter instanceof PostgresAdapter
  await trx.executeQuery(
    isPostgres ? ofPostgres(table, columns, rows) : ofSqlite(table, columns, rows),
  )
}

/** A row without a value would get a null instead of the default of the column. */
function requireColumns(table: string, columns: readonly string[], row: Values): void {
  for (const column of columns) {
    if (row[column] === undefined) throw new Error(`a row of ${table} has no ${column}`)
  }
}

/** The driver runs the statement once for each list of parameters. */
function ofSqlite(table: string, columns: readonly string[], rows: readonly Values[]) {
  const text = `insert into "${table}" (${quoted(columns)}) values (${columns.map(() => '?')})`
  return CompiledQuery.raw(
    text,
    rows.map((row) => columns.map((column) => row[column])),
  )
}

/** One parameter holds all rows. The table itself says which types its columns have. */
function ofPostgres(table: string, columns: readonly string[], rows: readonly Values[]) {
  const names = quoted(columns)
  const text = `insert into "${table}" (${names}) select ${names} from json_populate_recordset(null::"${table}", $1)`
  return CompiledQuery.raw(text, [toJson(rows)])
}

/** PostgreSQL refuses half of a surrogate pair in JSON. As a parameter of its own it would be replaced, as it is here. */
function toJson(rows: readonly Values[]): string {
  const text = JSON.stringify(rows)
  if (!text.includes('\\ud')) return text
  return JSON.stringify(rows, (_, value) =>
    typeof value === 'string' ? Buffer.from(value).toString() : value,
  )
}

const quoted = (columns: readonly string[]): string =>
  columns.map((column) => `"${column}"`).join(', ')
