import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { MOVE_MARKER } from '../../db/moved.ts'
import { IDENTITY_ROWS } from '../installation/generations.ts'
import type { AnyTables } from './databases.ts'
import type { Value } from './format.ts'
import { RESTORE_MARKER, type Table } from './tables.ts'

/** How many rows are held in memory at a time. */
const PAGE = 1_000

export type Row = Record<string, Value>

/** Reads the rows of a table in primary key order. Rows of `meta` that mark a running restore or move are left out, and
 * so are those that identify this particular copy of the database. */
export async function* pagesOf(db: Db<AnyTables>, table: Table): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await readPage(db, table, last)
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)
  }
}

async function readPage(
  db: Db<AnyTables>,
  { table, key }: Table,
  after: Row | undefined,
): Promise<Row[]> {
  let query = db.selectFrom(table).selectAll().limit(PAGE)
  for (const column of key) query = query.orderBy(column)
  if (table === 'meta')
    query = query.where('name', 'not in', [RESTORE_MARKER, MOVE_MARKER, ...IDENTITY_ROWS])
  if (after) {
    const columns = sql.join(key.map((column) => sql.ref(column)))
    const values = sql.join(key.map((column) => after[column]))
    query = query.where(sql<boolean>`(${columns}) > (${values})`)
  }
  return await query.execute()
}
