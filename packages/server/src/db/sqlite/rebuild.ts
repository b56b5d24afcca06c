import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Trx } from '../database.ts'

/** A table that gets another definition. SQLite can't change a key in place, so all rows are copied to a new table. */
export interface TableRebuild {
  table: string
  /** Texts of the old definition, and what replaces each of them. */
  edits: readonly (readonly [from: string, to: string])[]
  /** Constraints that the new definition ends with. */
  constraints: readonly string[]
  /** Whether rows are stored in the order of the primary key, which saves an index. */
  isOrderedByKey: boolean
  /** Indexes that are not created again, because others replace them. */
  withoutIndexes: readonly string[]
}

/** Called with the number of rows that were copied so far. */
export type OnRows = (table: string, rows: number) => void

/** Rows are copied in parts, so that the progress can be reported. */
const PART = 50_000

/** Rebuilds tables in the given order. Foreign keys must be off: a dropped table would delete the rows that refer to it. */
export async function rebuildTables<T>(
  trx: Trx<T>,
  rebuilds: readonly TableRebuild[],
  onRows: OnRows,
): Promise<void> {
  // A table can't be renamed while a trigger mentions one that is missing.
  const triggers = await definitionsOf(trx, 'trigger')
  for (const { name } of triggers) await sql`drop trigger ${sql.id(name)}`.execute(trx)
  for (const rebuild of rebuilds) await rebuildTable(trx, rebuild, onRows)
  for (const trigger of triggers) await sql.raw(trigger.sql).execute(trx)
}

async function rebuildTable<T>(trx: Trx<T>, rebuild: TableRebuild, onRows: OnRows): Promise<void> {
  const { table, withoutIndexes } = rebuild
  const [old] = await definitionsOf(trx, 'table', table)
  const indexes = await definitionsOf(trx, 'index', table)
  const fresh = `${table}_rebuilt`
  await sql.raw(rebuiltDefinition(old?.sql ?? '', rebuild, fresh)).execute(trx)
  await copyRows(trx, table, fresh, onRows)
  await sql`drop table ${sql.id(table)}`.execute(trx)
  await sql`alter table ${sql.id(fresh)} rename to ${sql.id(table)}`.execute(trx)
  for (const index of indexes) {
    if (!withoutIndexes.includes(index.name)) await sql.raw(index.sql).execute(trx)
  }
}

function rebuiltDefinition(old: string, rebuild: TableRebuild, name: string): string {
  const edits = [[`CREATE TABLE ${rebuild.table} (`, `create table ${name} (`], ...rebuild.edits]
  // SQLite puts the name of a table that was renamed in quotation marks.
  let text = old.replace(`"${rebuild.table}"`, rebuild.table)
  for (const [from, to] of edits as [string, string][]) {
    if (!text.includes(from)) throw new Error(`the table ${rebuild.table} has no "${from}"`)
    text = text.replace(from, to).replace(/\n\s*\n/, '\n')
  }
  const options = rebuild.isOrderedByKey ? 'strict, without rowid' : 'strict'
  const constraints = rebuild.constraints.map((constraint) => `,\n  ${constraint}`).join('')
  return text.replace(/[\s,]*\) strict$/, `${constraints}\n) ${options}`)
}

async function copyRows<T>(trx: Trx<T>, from: string, to: string, onRows: OnRows): Promise<void> {
  let copied = 0
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    // Rowids may have large gaps, so the end of a part is looked up.
    const { rows } = await sql<{ last: number | null }>`select max(rowid) as last from
      (select rowid from ${sql.id(from)} where rowid > ${after} order by rowid limit ${PART})`.execute(
      trx,
    )
    const last = rows[0]?.last ?? null
    if (last === null) return
    const { numAffectedRows } = await sql`insert into ${sql.id(to)} select * from ${sql.id(from)}
      where rowid > ${after} and rowid <= ${last}`.execute(trx)
    copied += Number(numAffectedRows)
    after = last
    onRows(from, copied)
    await setImmediate()
  }
}

/** Lists what was created by a statement: indexes of keys belong to their table's. */
async function definitionsOf<T>(trx: Trx<T>, type: 'table' | 'index' | 'trigger', table?: string) {
  const ofTable = table === undefined ? sql`true` : sql`tbl_name = ${table}`
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_schema
    where type = ${type} and ${ofTable} and sql is not null order by rowid`.execute(trx)
  return rows
}
