import type { Db } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'

/** Orders that the provider has not answered. */
export interface Waiting {
  payments: number
  refunds: number
}

/** All of them, or those that were given by then. */
export async function countWaiting(db: Db, givenBy?: Seconds): Promise<Waiting> {
  const count = async (table: keyof Waiting) => {
    let query = db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('status', '=', 'pending')
    if (givenBy !== undefined) query = query.where('created', '<=', givenBy)
    return Number((await query.executeTakeFirstOrThrow()).count)
  }
  return { payments: await count('payments'), refunds: await count('refunds') }
}

/** Payments since then that somebody should look at. */
export async function countFlagged(db: Db, since: Seconds): Promise<number> {
  const { count } = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('flag', 'is not', null)
    .where('created', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
