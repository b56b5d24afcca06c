import type { Db, Trx } from '../db/database.ts'
import type { DeliveryTable, Seconds } from '../db/tables.ts'
import { newOrderedId } from '../ids.ts'

export type DeliveryRow = DeliveryTable
export type Delivery = Omit<DeliveryTable, 'id'>

/** Writes down, some moments later, what was delivered. */
export async function recordDeliveries(
  trx: Trx,
  deliveries: readonly Delivery[],
  now: Seconds,
): Promise<void> {
  if (deliveries.length === 0) return
  const known = await listKnown(trx, deliveries)
  const rows = deliveries.map(({ uid, at, ...delivery }) => ({
    ...delivery,
    id: newOrderedId(),
    // A sandbox may have been emptied, and its clock turned back, since then.
    uid: uid !== null && known.has(uid) ? uid : null,
    at: Math.min(at, now),
  }))
  await trx.insertInto('deliveries').values(rows).execute()
}

async function listKnown(trx: Trx, deliveries: readonly Delivery[]): Promise<Set<string>> {
  const uids = new Set(deliveries.map(({ uid }) => uid).filter((uid) => uid !== null))
  if (uids.size === 0) return new Set()
  const rows = await trx
    .selectFrom('users')
    .select('uid')
    .where('uid', 'in', [...uids])
    .execute()
  return new Set(rows.map(({ uid }) => uid))
}

export interface DeliveryFilter {
  aid: string
  rid?: string | undefined
  uid?: string | undefined
  limit?: number | undefined
}

/** Newest first. */
export async function listDeliveries(db: Db, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { aid, rid, uid, limit } = filter
  let query = db.selectFrom('deliveries').selectAll().where('aid', '=', aid)
  if (rid !== undefined) query = query.where('rid', '=', rid)
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (limit !== undefined) query = query.limit(limit)
  return await query.orderBy('at', 'desc').orderBy('id', 'desc').execute()
}
