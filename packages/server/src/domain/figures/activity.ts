import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'

export type ActivityKind = 'paid' | 'failed' | 'refunded' | 'trial_started' | 'left'

/** Something that happened lately, with the record that tells more about it. */
export interface Activity {
  kind: ActivityKind
  at: Seconds
  uid: string
  rid: string
  paymentId: string | null
  subscriptionId: string | null
  amount: number
  currency: string
}

const MAX_ACTIVITIES = 8

/** Lists what happened last: payments, refunds, trials that began and subscriptions that ended. Newest first. */
export async function listRecentActivity(db: Db, aid: string): Promise<Activity[]> {
  const lists = [
    await newestPayments(db, aid),
    await newestRefunds(db, aid),
    await newestTrials(db, aid),
    await newestEnds(db, aid),
  ]
  return lists
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_ACTIVITIES)
}

type Sale = Pick<Activity, 'uid' | 'rid' | 'amount' | 'currency'>

const saleOf = ({ uid, rid, amount, currency }: Sale): Sale => ({ uid, rid, amount, currency })

async function newestPayments(db: Db, aid: string): Promise<Activity[]> {
  const rows = await db
    .selectFrom('payments')
    .selectAll()
    .where('aid', '=', aid)
    .where('status', '<>', 'pending')
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_ACTIVITIES)
    .execute()
  return rows.map(({ id: paymentId, subscription_id: subscriptionId, ...row }) => ({
    kind: row.status === 'failed' ? 'failed' : 'paid',
    at: row.settled ?? row.created,
    ...{ ...saleOf(row), paymentId, subscriptionId },
  }))
}

async function newestRefunds(db: Db, aid: string): Promise<Activity[]> {
  const rows = await db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.aid', '=', 'r.aid').onRef('p.id', '=', 'r.payment_id'),
    )
    .select(['r.settled', 'r.created', 'r.amount', 'r.currency', 'r.payment_id', 'p.uid', 'p.rid'])
    .where((eb) => eb.and({ 'r.aid': aid, 'r.status': 'succeeded' }))
    .orderBy('r.created', 'desc')
    .orderBy('r.id')
    .limit(MAX_ACTIVITIES)
    .execute()
  return rows.map((row) => ({
    kind: 'refunded',
    at: row.settled ?? row.created,
    ...{ ...saleOf(row), paymentId: row.payment_id, subscriptionId: null },
  }))
}

const selectSubscriptions = (db: Db, aid: string) =>
  db.selectFrom('subscriptions').selectAll().where('aid', '=', aid).limit(MAX_ACTIVITIES)

type Row = Awaited<ReturnType<ReturnType<typeof selectSubscriptions>['execute']>>[number]

const toActivity = (kind: ActivityKind, row: Row, at: Seconds): Activity => ({
  ...{ kind, at, ...saleOf(row) },
  ...{ paymentId: null, subscriptionId: row.id },
})

/** Only trials: other subscriptions appear with their first payment. */
async function newestTrials(db: Db, aid: string): Promise<Activity[]> {
  const rows = await selectSubscriptions(db, aid)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows
    .filter(({ trial_ends }) => trial_ends !== null)
    .map((row) => toActivity('trial_started', row, row.created))
}

async function newestEnds(db: Db, aid: string): Promise<Activity[]> {
  const rows = await selectSubscriptions(db, aid)
    .where('ended', 'is not', null)
    .orderBy('ended', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => toActivity('left', row, row.ended as Seconds))
}
