import type { Db } from '../../../db/database.ts'
import { FOREVER, type Seconds } from '../../../db/tables.ts'
import type { AccessRow } from '../../../domain/access/details.ts'
import { ENDING_SOON_S } from '../../../domain/access/list-for-staff.ts'
import type { SourceDetails } from '../../../domain/access/source-details.ts'
import { stateOf } from '../../../domain/access/why.ts'
import type { RefundRow } from '../../../domain/payments/payments.ts'
import { findResources } from '../../../domain/resources/resources.ts'
import { listUsers } from '../../../domain/users/find.ts'
import type { AccessItem, AccessState, RefundItem, SourceItem } from './schemas.ts'

/** Returns null for access with no end date. */
export const endOf = (ends: Seconds): Seconds | null => (ends === FOREVER ? null : ends)

function shownState(row: AccessRow, now: Seconds): AccessState {
  const state = stateOf(row, now)
  return state === 'live' && row.ends <= now + ENDING_SOON_S ? 'ending' : state
}

export const nameOf = (user: { first_name: string; last_name: string }): string =>
  `${user.first_name} ${user.last_name}`.trim()

/** Converts access records for the API, adding the names of their readers and resources. */
export async function showAccessItems(
  db: Db,
  aid: string,
  rows: readonly AccessRow[],
  now: Seconds,
): Promise<AccessItem[]> {
  const users = await listUsers(
    db,
    aid,
    rows.map(({ uid }) => uid),
  )
  const resources = await findResources(db, aid, [...new Set(rows.map(({ rid }) => rid))])
  const names = new Map(users.map((user) => [user.uid, nameOf(user)]))
  const titles = new Map(resources.map(({ rid, name }) => [rid, name]))
  return rows.map((row) => ({
    id: row.id,
    rid: row.rid,
    resource_name: titles.get(row.rid) ?? row.rid,
    uid: row.uid,
    email: row.email ?? '',
    name: names.get(row.uid) ?? '',
    user_ref: row.user_ref,
    tags: JSON.parse(row.tags) as string[],
    created: row.created,
    expires: endOf(row.ends),
    revoked: row.revoked,
    state: shownState(row, now),
    paid: row.currency === null ? null : { amount: row.amount, currency: row.currency },
  }))
}

export async function showAccessItem(
  db: Db,
  aid: string,
  row: AccessRow,
  now: Seconds,
): Promise<AccessItem> {
  const [item] = await showAccessItems(db, aid, [row], now)
  return item as AccessItem
}

export function showSource(hold: SourceDetails): SourceItem {
  const { id, kind, created, starts, ends, closed, payment_id, subscription_id } = hold
  return {
    ...{ id, kind, created, starts, closed },
    expires: endOf(ends),
    payment:
      payment_id === null || hold.paid === null
        ? null
        : {
            id: payment_id,
            amount: { amount: hold.paid, currency: hold.currency ?? '' },
            status: hold.payment_status ?? '',
          },
    subscription:
      subscription_id === null
        ? null
        : {
            id: subscription_id,
            status: hold.subscription_status ?? '',
            current_period_end: hold.current_period_end ?? ends,
          },
  }
}

export function showRefundItem(row: RefundRow): RefundItem {
  const { id, payment_id, amount, currency, status, created } = row
  return {
    ...{ id, payment_id, amount: { amount, currency }, status, created },
    reason: status === 'failed' ? row.reason : null,
  }
}
