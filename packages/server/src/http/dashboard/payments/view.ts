import type { Db } from '../../../db/database.ts'
import { listRefunds, type PaymentRow } from '../../../domain/payments/payments.ts'
import type { SubscriptionWithUser as SubscriptionRow } from '../../../domain/subscriptions/search.ts'
import { listUsers } from '../../../domain/users/find.ts'
import { paymentItem } from '../../../records/payment.ts'
import { subscriptionItem } from '../../../records/subscription.ts'
import { nameOf } from '../access/view.ts'
import { resourceNamesOf } from '../resources/view.ts'
import type { ToItems } from '../schemas.ts'
import type { PaymentItem, SubscriptionItem } from './schemas.ts'

interface Row {
  rid: string
  uid: string
}

/** Returns a function that names the resource and the reader of each row. An address that was typed at a checkout is shown
 * if none is verified. */
export async function findNames(db: Db, aid: string, rows: readonly Row[]) {
  const resources = await resourceNamesOf(db, aid, rows)
  const uids = rows.map(({ uid }) => uid)
  const users = new Map((await listUsers(db, aid, uids)).map((user) => [user.uid, user]))
  return ({ rid, uid }: Row) => {
    const user = users.get(uid)
    return {
      resource: resources.get(rid) ?? rid,
      email: user?.email ?? user?.contact_email ?? '',
      name: user ? nameOf(user) : '',
    }
  }
}

export const toSubscriptionItems: ToItems<SubscriptionRow, SubscriptionItem> = async (
  db,
  aid,
  rows,
) => {
  const namesOf = await findNames(db, aid, rows)
  return rows.map((row) => ({ ...subscriptionItem(row), ...namesOf(row) }))
}

export const toPaymentItems: ToItems<PaymentRow, PaymentItem> = async (db, aid, rows) => {
  const namesOf = await findNames(db, aid, rows)
  const ids = rows.map(({ id }) => id)
  const refunds = await listRefunds(db, aid, ids)
  return rows.map((row) => ({ ...paymentItem(row, refunds), ...namesOf(row) }))
}
