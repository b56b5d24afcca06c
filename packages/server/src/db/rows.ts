import type { Selectable, Updateable } from 'kysely'
import type { Db, Trx } from './database.ts'
import type { ControlTables, Tables } from './tables.ts'

type AnyDb = Db | Db<ControlTables>
type AnyTrx = Trx | Trx<ControlTables>
type TablesOf<D> = D extends Db<ControlTables> ? ControlTables : Tables
type Name<D> = keyof TablesOf<D> & string
type Row<D, N extends Name<D>> = Selectable<TablesOf<D>[N]>

/** Finds the row that has the values of the key, which must identify it. */
export async function findRow<D extends AnyDb, N extends Name<D>>(
  db: D,
  table: N,
  key: Partial<Row<D, N>>,
): Promise<Row<D, N> | undefined> {
  const query = typed(db)
    .selectFrom(table as 'users')
    .selectAll()
  const row = await query.where((eb) => eb.and(complete(key))).executeTakeFirst()
  return row as Row<D, N> | undefined
}

/** Sets values in every row that has the values of the key. */
export async function updateRows<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  key: Partial<Row<D, N>>,
  values: Updateable<TablesOf<D>[N]>,
): Promise<void> {
  const query = typed(trx)
    .updateTable(table as 'users')
    .set(values)
  await query.where((eb) => eb.and(complete(key))).execute()
}

/** Deletes every row that has the values of the key. */
export async function deleteRows<D extends AnyTrx, N extends Name<D>>(
  trx: D,
  table: N,
  key: Partial<Row<D, N>>,
): Promise<void> {
  const query = typed(trx).deleteFrom(table as 'users')
  await query.where((eb) => eb.and(complete(key))).execute()
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
