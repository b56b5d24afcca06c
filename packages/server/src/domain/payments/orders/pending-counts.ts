import type { Db } from '../../../db/database.ts'
import { findMinimum } from '../../../db/queries/rows.ts'
import type { Seconds } from '../../../db/tables.ts'

/** Counts of orders that the provider has not answered yet. */
export interface PendingCounts {
  payments: number
  refunds: number
}

/** Counts all pending orders, or those created by `unansweredSince` that the provider has not refused. */
export async function countPending(db: Db, unansweredSince?: Seconds): Promise<PendingCounts> {
  const count = async (table: keyof PendingCounts) => {
    let query = db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('status', '=', 'pending')
    if (unansweredSince !== undefined) {
      query = query.where('created', '<=', unansweredSince).where('refusals', '=', 0)
    }
    return Number((await query.executeTakeFirstOrThrow()).count)
  }
  return { payments: await count('payments'), refunds: await count('refunds') }
}

/** When the order that has waited longest for the provider was created; undefined if none waits. */
export async function findOldestPending(db: Db): Promise<Seconds | undefined> {
  const oldestOf = async (table: keyof PendingCounts) => {
    const pending = db.selectFrom(table).where('status', '=', 'pending')
    return (await findMinimum(pending, 'created')) ?? Number.POSITIVE_INFINITY
  }
  const oldest = Math.min(await oldestOf('payments'), await oldestOf('refunds'))
  return Number.isFinite(oldest) ? oldest : undefined
}

/** Counts payments since then that are flagged for staff. */
export async function countFlagged(db: Db, since: Seconds): Promise<number> {
  const { count } = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('flag', 'is not', null)
    .where('created', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
