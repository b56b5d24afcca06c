import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** How many records of an application staff should look at. */
export interface AttentionCounts {
  /** Subscriptions whose last charge was refused. */
  pastDue: number
  /** Payments that their payers dispute at their banks. */
  disputed: number
  /** Payments of which another amount was taken than the one agreed on. */
  mismatched: number
}

/** Counts what needs attention. Each condition is written as that of its index. */
export async function countAttention(db: Db, aid: string): Promise<AttentionCounts> {
  const { rows } = await sql<{ past_due: number; disputed: number; mismatched: number }>`select
    (select count(*) from subscriptions where aid = ${aid} and status = 'past_due') as past_due,
    (select count(*) from payments where aid = ${aid} and status in ('disputed', 'lost')
      and status = 'disputed') as disputed,
    (select count(*) from payments where aid = ${aid} and flag is not null
      and flag = 'mismatch') as mismatched`.execute(db)
  const [row] = rows
  return {
    pastDue: Number(row?.past_due ?? 0),
    disputed: Number(row?.disputed ?? 0),
    mismatched: Number(row?.mismatched ?? 0),
  }
}
