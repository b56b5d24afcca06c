import type { Db, Trx } from '../../db/database.ts'
import type { DeliveryTable, Seconds } from '../../db/tables.ts'
import { newOrderedId } from '../../ids.ts'
import { reportChanges } from '../history/collect.ts'

export type DeliveryRow = DeliveryTable

/** One response. */
export type Delivery = Omit<DeliveryTable, 'id' | 'answers'>

/** Merges a response into the row of the same link, outcome and uid, so that a client that fetches a file
 * byte by byte doesn't fill the table. The row keeps the id of its first response, which makes writing it
 * twice harmless. */
export function addDelivery(rows: Map<string, DeliveryRow>, delivery: Delivery): void {
  const key = `${delivery.link} ${delivery.outcome} ${delivery.uid}`
  const known = rows.get(key)
  if (!known) {
    rows.set(key, { ...delivery, id: newOrderedId(), answers: 1 })
    return
  }
  known.answers++
  known.bytes += delivery.bytes
}

/** Stores deliveries a few moments after they happened. */
export async function recordDeliveries(
  trx: Trx,
  deliveries: readonly DeliveryRow[],
  now: Seconds,
): Promise<void> {
  if (deliveries.length === 0) return
  const known = await listKnown(trx, deliveries)
  const rows = deliveries.map(({ uid, at, ...delivery }) => ({
    ...delivery,
    // The sandbox may have been emptied, and its clock set back, since the delivery.
    uid: uid !== null && known.has(uid) ? uid : null,
    at: Math.min(at, now),
  }))
  const added = await trx
    .insertInto('deliveries')
    .values(rows)
    // A commit can succeed although its confirmation is lost; the retry then finds the row already there.
    .onConflict((oc) => oc.columns(['aid', 'id']).doNothing())
    .returning('id')
    .execute()
  const isAdded = new Set(added.map(({ id }) => id))
  reportDeliveries(
    trx,
    rows.filter(({ id }) => isAdded.has(id)),
  )
}

/** Sends an event only for a file that was sent whole, as far as we know: a download in parts would cause many
 * events. */
function reportDeliveries(trx: Trx, rows: readonly DeliveryRow[]): void {
  reportChanges(
    trx,
    rows
      .filter(({ outcome }) => outcome !== 'partial')
      .map(({ aid, rid, uid, at, id, download_id, link, bytes, outcome }) => ({
        ...{ aid, rid, at, actor: 'download', action: 'file delivered' },
        ...(uid === null ? {} : { uid }),
        told: { data: { id, aid, rid, uid, download_id, link, bytes, outcome, at } },
      })),
  )
}

async function listKnown(trx: Trx, deliveries: readonly DeliveryRow[]): Promise<Set<string>> {
  const uids = new Set(deliveries.map(({ uid }) => uid).filter((uid) => uid !== null))
  if (uids.size === 0) return new Set()
  const rows = await trx
    .selectFrom('users')
    .select('uid')
    .where('aid', 'in', [...new Set(deliveries.map(({ aid }) => aid))])
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

/** Lists the newest deliveries first. */
export async function listDeliveries(db: Db, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { aid, rid, uid, limit } = filter
  let query = db.selectFrom('deliveries').selectAll().where('aid', '=', aid)
  if (rid !== undefined) query = query.where('rid', '=', rid)
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (limit !== undefined) query = query.limit(limit)
  return await query.orderBy('at', 'desc').orderBy('id', 'desc').execute()
}
