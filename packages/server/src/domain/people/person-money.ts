import type { Db } from '../../db/database.ts'
import { exportedRefund } from '../../records/refund.ts'
import { listRefunds } from '../payments/payments.ts'

/** Returns a user's subscriptions, payments and refunds. */
export async function collectMoney(db: Db, aid: string, uid: string) {
  const subscriptions = await db
    .selectFrom('subscriptions')
    .select(['id', 'rid', 'status', 'amount', 'currency', 'period', 'created'])
    .select(['trial_ends', 'current_period_start', 'current_period_end', 'canceled', 'ended'])
    .select(['provider', 'method'])
    .where((eb) => eb.and({ aid, uid }))
    .orderBy('created')
    .orderBy('id')
    .execute()
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'rid', 'subscription_id', 'amount', 'refunded', 'currency', 'status'])
    .select(['flag', 'failure', 'provider', 'provider_ref', 'method', 'created', 'settled'])
    .select('last_error')
    .where((eb) => eb.and({ aid, uid }))
    .orderBy('created')
    .orderBy('id')
    .execute()
  const refunds = await listRefunds(
    db,
    aid,
    payments.map(({ id }) => id),
  )
  return { subscriptions, payments, refunds: refunds.map(exportedRefund) }
}
