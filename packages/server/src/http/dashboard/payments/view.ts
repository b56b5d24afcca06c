import type { Db } from '../../../db/database.ts'
import { listRefunds, type PaymentRow, type RefundRow } from '../../../domain/payments/payments.ts'
import { findResources } from '../../../domain/resources/resources.ts'
import type { ShownSubscription as SubscriptionRow } from '../../../domain/subscriptions/search.ts'
import { findEmails } from '../../../domain/users/prefix.ts'
import type { ShownPayment, ShownRefund, ShownSubscription } from './schemas.ts'

/** Maps rids to resource names. */
async function namesOf(
  db: Db,
  aid: string,
  rows: readonly { rid: string }[],
): Promise<ReadonlyMap<string, string>> {
  const rids = [...new Set(rows.map(({ rid }) => rid))]
  const found = await findResources(db, aid, rids)
  return new Map(found.map(({ rid, name }) => [rid, name]))
}

export async function showSubscriptions(
  db: Db,
  aid: string,
  rows: readonly SubscriptionRow[],
): Promise<ShownSubscription[]> {
  const names = await namesOf(db, aid, rows)
  return rows.map((row) => ({
    id: row.id,
    rid: row.rid,
    resource: names.get(row.rid) ?? row.rid,
    uid: row.uid,
    email: row.email ?? '',
    access_id: row.access_id,
    user_ref: row.user_ref ?? row.uid,
    status: row.status,
    price: { amount: row.amount, currency: row.currency },
    period: row.period,
    created: row.created,
    current_period_start: row.current_period_start,
    current_period_end: row.current_period_end,
    trial_ends: row.trial_ends,
    canceled: row.canceled,
    ended: row.ended,
    next_due: row.next_due,
    next_step: row.next_step,
    tries: row.tries,
    provider: row.provider,
    has_card: row.method !== null,
  }))
}

export async function showPayments(
  db: Db,
  aid: string,
  rows: readonly PaymentRow[],
): Promise<ShownPayment[]> {
  const names = await namesOf(db, aid, rows)
  const emails = await findEmails(
    db,
    aid,
    rows.map(({ uid }) => uid),
  )
  const refunds = await listRefunds(
    db,
    aid,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    rid: row.rid,
    resource: names.get(row.rid) ?? row.rid,
    uid: row.uid,
    email: emails.get(row.uid) ?? '',
    access_id: row.access_id,
    subscription_id: row.subscription_id,
    money: { amount: row.amount, currency: row.currency },
    refunded: { amount: row.refunded, currency: row.currency },
    status: row.status,
    flag: row.flag,
    failure: row.failure,
    created: row.created,
    settled: row.settled,
    period_start: row.period_start,
    period_end: row.period_end,
    provider: row.provider,
    provider_ref: row.provider_ref,
    refunds: refunds.filter((one) => one.payment_id === row.id).map(showRefund),
  }))
}

export function showRefund(row: RefundRow): ShownRefund {
  const { id, amount, currency, status, reason, reference, actor, created, settled } = row
  return { id, money: { amount, currency }, status, reason, reference, actor, created, settled }
}
