import type { Db } from '../../../db/database.ts'
import { listRefunds, type PaymentRow } from '../../../domain/payments/payments.ts'
import { findResources } from '../../../domain/resources/resources.ts'
import type { SubscriptionWithUser as SubscriptionRow } from '../../../domain/subscriptions/search.ts'
import { listUsers } from '../../../domain/users/find.ts'
import { paymentItem } from '../../../records/payment.ts'
import { subscriptionItem } from '../../../records/subscription.ts'
import { nameOf } from '../access/view.ts'
import type { PaymentItem, SubscriptionItem } from './schemas.ts'

/** Maps rids to resource names. */
export async function resourceNamesOf(
  db: Db,
  aid: string,
  rows: readonly { rid: string }[],
): Promise<ReadonlyMap<string, string>> {
  const rids = [...new Set(rows.map(({ rid }) => rid))]
  const found = await findResources(db, aid, rids)
  return new Map(found.map(({ rid, name }) => [rid, name]))
}

/** Maps uids to addresses and names. An address that was typed at a checkout is shown if none is verified. */
export async function usersOf(db: Db, aid: string, rows: readonly { uid: string }[]) {
  const found = await listUsers(
    db,
    aid,
    rows.map(({ uid }) => uid),
  )
  return new Map(
    found.map((user) => [
      user.uid,
      { email: user.email ?? user.contact_email, name: nameOf(user) },
    ]),
  )
}

export async function toSubscriptionItems(
  db: Db,
  aid: string,
  rows: readonly SubscriptionRow[],
): Promise<SubscriptionItem[]> {
  const resources = await resourceNamesOf(db, aid, rows)
  const users = await usersOf(db, aid, rows)
  return rows.map((row) => ({
    ...subscriptionItem(row),
    resource: resources.get(row.rid) ?? row.rid,
    email: users.get(row.uid)?.email ?? '',
    name: users.get(row.uid)?.name ?? '',
  }))
}

export async function toPaymentItems(
  db: Db,
  aid: string,
  rows: readonly PaymentRow[],
): Promise<PaymentItem[]> {
  const resources = await resourceNamesOf(db, aid, rows)
  const users = await usersOf(db, aid, rows)
  const refunds = await listRefunds(
    db,
    aid,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...paymentItem(row, refunds),
    resource: resources.get(row.rid) ?? row.rid,
    email: users.get(row.uid)?.email ?? '',
    name: users.get(row.uid)?.name ?? '',
  }))
}
