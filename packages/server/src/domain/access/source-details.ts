import type { Db } from '../../db/database.ts'
import type { PaymentStatus, Seconds, SourceTable, SubscriptionStatus } from '../../db/tables.ts'

/** A source with the payment or subscription behind it. */
export interface SourceDetails extends SourceTable {
  paid: number | null
  currency: string | null
  payment_status: PaymentStatus | null
  subscription_status: SubscriptionStatus | null
  current_period_end: Seconds | null
  trial_ends: Seconds | null
  ended: Seconds | null
}

/** Lists all sources of a record, closed ones too. */
export async function listSourceDetails(
  db: Db,
  aid: string,
  accessId: string,
): Promise<SourceDetails[]> {
  return await db
    .selectFrom('sources as s')
    .leftJoin('payments as p', (join) =>
      join.onRef('p.aid', '=', 's.aid').onRef('p.id', '=', 's.payment_id'),
    )
    .leftJoin('subscriptions as b', (join) =>
      join.onRef('b.aid', '=', 's.aid').onRef('b.id', '=', 's.subscription_id'),
    )
    .selectAll('s')
    .select(['p.amount as paid', 'p.currency', 'p.status as payment_status'])
    .select(['b.status as subscription_status', 'b.current_period_end', 'b.trial_ends', 'b.ended'])
    .where((eb) => eb.and({ 's.aid': aid, 's.access_id': accessId }))
    .orderBy('s.created')
    .orderBy('s.id')
    .execute()
}

/** When this source stopped, or will stop, granting access. */
export const effectiveEnd = ({ ends, closed }: SourceDetails): Seconds =>
  Math.min(ends, closed ?? ends)

/** Whether somebody ended this source before its time was up. */
export const wasEndedEarly = ({ ends, closed }: SourceDetails): boolean =>
  closed !== null && closed < ends
