import {
  type DeleteResult,
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Updateable,
  type UpdateResult,
} from 'kysely'
import type { Db, Trx } from '../database.ts'
import { lockSortKey } from '../postgres/lock-order.ts'
import type { ControlTables, Tables } from '../tables.ts'
import { insertMany } from './insert-many.ts'
import { padList } from './pad-list.ts'

type AnyDb = Db | Db<ControlTables>
type AnyTrx = Trx | Trx<ControlTables>
type TablesOf<D> = D extends Db<ControlTables> ? ControlTables : Tables
type Name<D> = keyof TablesOf<D> & string
type Row<D, N extends Name<D>> = Selectable<TablesOf<D>[N]>
type Column<D, N extends Name<D>> = keyof Row<D, N> & string
/** Rows of a table that has an `aid` belong to an application, and every key of such a row names it. */
type OfApplication<R> = R extends { aid: string } ? { aid: string } : unknown
/** A value for each column of a key. */
type Key<D, N extends Name<D>> = Partial<Row<D, N>> & OfApplication<Row<D, N>>
/** A value or a list of values for each column. */
type Keys<D, N extends Name<D>> = {
  [C in Column<D, N>]?: Row<D, N>[C] | readonly Row<D, N>[C][]
} & OfApplication<Row<D, N>>

/** Identifies a row that belongs to an application. */
export interface RowKey {
  aid: string
  id: string
}

/** Which rows of a long list are returned. */
export interface Window {
  offset: number
  limit: number
}

/** Finds the row that has the values of the key, which must identify it. */
export async function findRow<D extends AnyDb, N extends Name<D>>(
  db: D,
  table: N,
  key: Key<D, N>,
): Promise<Row<D, N> | undefined> {
  return (await selectRow(db, table, key).executeTakeFirst()) as Row<D, N> | undefined
}

/** Finds a row like `findRow` and locks it until the transaction ends. */
export async function findAndLockRow<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  key: Key<D, N>,
): Promise<Row<D, N> | undefined> {
  return (await selectRow(trx, table, key).forUpdate().executeTakeFirst()) as Row<D, N> | undefined
}

/** Locks a row that the caller knows to exist until the transaction ends. */
export async function lockRow<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  key: Key<D, N>,
): Promise<Row<D, N>> {
  const row = await findAndLockRow(trx, table, key)
  if (!row) throw new Error(`no row to lock in ${table}`)
  return row
}

const selectRow = (db: AnyDb, table: string, key: object) =>
  typed(db)
    .selectFrom(table as 'users')
    .selectAll()
    .where((eb) => eb.and(complete(key)))

/** Lists the rows that have the values of the key. Where the key has a list, a row must have one of its values. */
export async function listRows<D extends AnyDb, N extends Name<D>>(
  db: D,
  table: N,
  key: Keys<D, N>,
  order: readonly Column<D, N>[] = [],
): Promise<Row<D, N>[]> {
  let query = selectRows(db, table, key)
  for (const column of order) query = query?.orderBy(column as 'uid')
  return ((await query?.execute()) ?? []) as unknown as Row<D, N>[]
}

/** Like `listRows`, but locks the rows until the transaction ends, in the order in which all writers lock. */
export async function lockRows<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  key: Keys<D, N>,
  id: 'id' | 'uid',
): Promise<Row<D, N>[]> {
  const query = selectRows(trx, table, key)?.orderBy(lockSortKey(id)).forUpdate()
  return ((await query?.execute()) ?? []) as unknown as Row<D, N>[]
}

/** Returns nothing if a list is empty: no row can match, and SQL has no empty lists. */
function selectRows(db: AnyDb, table: string, key: object) {
  let query = typed(db)
    .selectFrom(table as 'users')
    .selectAll()
  for (const [column, value] of Object.entries(complete(key))) {
    if (Array.isArray(value) && value.length === 0) return undefined
    const isList = Array.isArray(value)
    const operator = isList ? 'in' : value === null ? 'is' : '='
    query = query.where(column as 'uid', operator, isList ? padList(value) : value)
  }
  return query
}

/** Counts the rows that a query selects. */
export async function countRows<D, T extends keyof D, R>(
  query: SelectQueryBuilder<D, T, R>,
): Promise<number> {
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  return total
}

/** Returns the smallest value of a column in the rows that a query selects; undefined if there are none. */
export async function findMinimum<D, T extends keyof D, R>(
  query: SelectQueryBuilder<D, T, R>,
  column: string,
): Promise<number | undefined> {
  const { minimum } = await query
    .clearSelect()
    .select(sql`min(${sql.ref(column)})`.as('minimum'))
    .$castTo<{ minimum: number | null }>()
    .executeTakeFirstOrThrow()
  return minimum ?? undefined
}

/** Returns the rows of an ordered query that are in the window, and how many it selects in all. `counted` selects as many
 * rows with less work, if there is such a query. */
export async function selectWindow<D, T extends keyof D, R>(
  query: SelectQueryBuilder<D, T, R>,
  { offset, limit }: Window,
  counted = query,
): Promise<{ rows: R[]; total: number }> {
  const total = await countRows(counted)
  if (offset >= total) return { rows: [], total }
  return { rows: await query.limit(limit).offset(offset).execute(), total }
}

/** Inserts any number of rows, which all have the same columns. */
export async function insertRows<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  rows: readonly Insertable<TablesOf<D>[N]>[],
): Promise<void> {
  await insertMany(trx as Trx, table, rows as readonly Record<string, unknown>[])
}

/** Inserts a row unless there is one with the same values in the columns of a unique key. Returns whether it did. */
export async function insertIfAbsent<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  row: Insertable<TablesOf<D>[N]>,
  unique: readonly Column<D, N>[],
): Promise<boolean> {
  const inserted = await typed(trx)
    .insertInto(table as 'users')
    .values(row as never)
    .onConflict((oc) => oc.columns(unique as readonly 'uid'[]).doNothing())
    .returning(unique[0] as 'uid')
    .execute()
  return inserted.length > 0
}

/** Sets values in every row that has the values of the key. Returns how many rows have them. */
export async function updateRows<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  key: Key<D, N>,
  values: Updateable<TablesOf<D>[N]>,
): Promise<number> {
  const query = typed(trx)
    .updateTable(table as 'users')
    .set(values)
    .where((eb) => eb.and(complete(key)))
  return await countAffected(query)
}

/** Deletes every row that has the values of the key. Returns how many there were. */
export async function deleteRows<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  key: Key<D, N>,
): Promise<number> {
  const query = typed(trx)
    .deleteFrom(table as 'users')
    .where((eb) => eb.and(complete(key)))
  return await countAffected(query)
}

/** Runs an update or a delete, and returns how many rows it found. */
export async function countAffected(query: {
  executeTakeFirstOrThrow(): Promise<UpdateResult | DeleteResult>
}): Promise<number> {
  const result = await query.executeTakeFirstOrThrow()
  return Number('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows)
}

/** The query builder leaves out a condition whose value is undefined, and would match more rows. */
function complete<K extends object>(key: K): K {
  const values = Object.values(key)
  if (values.length === 0 || values.includes(undefined)) throw new Error('a key has no value')
  return key
}

/** The query builder can't type a query whose table is a parameter: here each is built as if on `users`, and the
 * signatures above are exact. */
const typed = (db: AnyDb): Db => db as Db
