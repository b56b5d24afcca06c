import { sql } from 'kysely'
import type { Engine, Trx } from '../database.ts'

/** Call this first in a write: everything after it sees one snapshot, and if another transaction changes a row that
 * this one changes too, the write runs again. On SQLite every write already works like this. */
export async function useRepeatableRead<T>(trx: Trx<T>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  await sql`set transaction isolation level repeatable read`.execute(trx)
}
