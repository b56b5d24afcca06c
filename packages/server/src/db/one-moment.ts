import { sql } from 'kysely'
import type { Engine, Trx } from './database.ts'

/** Called first in a write: all that follows sees the rows of one moment, and a row that somebody
 * else changes meanwhile makes it run again. On SQLite every write is like that. */
export async function seeOneMoment<T>(trx: Trx<T>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  await sql`set transaction isolation level repeatable read`.execute(trx)
}
