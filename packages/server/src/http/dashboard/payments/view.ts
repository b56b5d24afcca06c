import type { Db } from '../../../db/database.ts'
import { listRefunds, type PaymentRow } from '../../../domain/payments/payments.ts'
import { findResources } from '../../../domain/resources/resources.ts'
import type { SubscriptionWithUser as SubscriptionRow } from '../../../domain/subscriptions/search.ts'
import { findEmailsByUid } from '../../../domain/users/prefix.ts'
import { paymentItem } from '../../../records/payment.ts'
import { subscriptionItem } from '../../../records/subscription.ts'
import type { PaymentItem, SubscriptionItem } from './schemas.ts'

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

export async function toSubscriptionItems(
  db: Db,
  aid: string,
  rows: readonly SubscriptionRow[],
): Promise<SubscriptionItem[]> {
  const names = await namesOf(db, aid, rows)
  return rows.map((row) => ({
    ...subscriptionItem(row),
    resource: names.get(row.rid) ?? row.rid,
  }))
}

export async function toPaymentItems(
  db: Db,
  aid: string,
  rows: readonly PaymentRow[],
): Promise<PaymentItem[]> {
  const names = await namesOf(db, aid, rows)
  const emails = await findEmailsByUid(
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
    ...paymentItem(row, refunds),
    resource: names.get(row.rid) ?? row.rid,
    email: emails.get(row.uid) ?? '',
  }))
}
