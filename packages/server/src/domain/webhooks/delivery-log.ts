import type { Db, Trx } from '../../db/database.ts'
import {
  findAndLockRow,
  findRow,
  listRows,
  selectWindow,
  updateRows,
  type Window,
} from '../../db/queries/rows.ts'
import type {
  Millis,
  WebhookAttemptTable,
  WebhookDeliveryState,
  WebhookDeliveryTable,
} from '../../db/tables.ts'
import { fail, requireFound } from '../../errors.ts'

export interface DeliveryKey {
  aid: string
  endpoint: string
  event_id: string
}

/** A delivery, with how its last attempt ended. */
export interface LoggedDelivery extends WebhookDeliveryTable {
  last_at: Millis | null
  last_status: number | null
  last_error: string | null
}

export interface DeliveryFilter {
  state?: WebhookDeliveryState | undefined
  /** The type of the event. */
  type?: string | undefined
}

/** Lists the deliveries of an endpoint, those of the newest events first. */
export async function listDeliveries(
  db: Db,
  { aid, endpoint }: Omit<DeliveryKey, 'event_id'>,
  { state, type }: DeliveryFilter,
  window: Window,
): Promise<{ rows: LoggedDelivery[]; total: number }> {
  let query = db
    .selectFrom('webhook_deliveries as d')
    .leftJoin('webhook_attempts as a', (join) =>
      join
        .onRef('a.aid', '=', 'd.aid')
        .onRef('a.endpoint', '=', 'd.endpoint')
        .onRef('a.event_id', '=', 'd.event_id')
        .onRef('a.number', '=', 'd.total_attempts'),
    )
    .selectAll('d')
    .select(['a.at as last_at', 'a.status as last_status', 'a.error as last_error'])
    .where('d.aid', '=', aid)
    .where('d.endpoint', '=', endpoint)
  if (state !== undefined) query = query.where('d.state', '=', state)
  if (type !== undefined) query = query.where('d.type', '=', type)
  const found = await selectWindow(query.orderBy('d.position', 'desc'), window)
  return found as { rows: LoggedDelivery[]; total: number }
}

/** Returns a delivery with its attempts, the newest first, and the body; null if the event is no longer kept. */
export async function getDelivery(
  db: Db,
  key: DeliveryKey,
): Promise<{
  delivery: WebhookDeliveryTable
  attempts: WebhookAttemptTable[]
  body: string | null
}> {
  const delivery = requireFound(await findRow(db, 'webhook_deliveries', key), 'delivery_not_found')
  const attempts = await listRows(db, 'webhook_attempts', key, ['number'])
  const event = await findRow(db, 'events', { aid: key.aid, id: key.event_id })
  return { delivery, attempts: attempts.reverse(), body: event?.body ?? null }
}

/** Queues an event once more, with all its attempts. One that waits for another attempt is sent now. */
export async function resendDelivery(trx: Trx, key: DeliveryKey, realTime: Millis): Promise<void> {
  const delivery = requireFound(
    await findAndLockRow(trx, 'webhook_deliveries', key),
    'delivery_not_found',
  )
  const endpoint = await findRow(trx, 'webhook_endpoints', { aid: key.aid, id: key.endpoint })
  if (endpoint?.state === 'off' || endpoint?.state === 'disabled') throw fail('webhook_is_off')
  if (delivery.state === 'sending') return
  const anew = { state: 'pending' as const, attempts: 0, due: realTime, first_attempt: null }
  await updateRows(trx, 'webhook_deliveries', key, anew)
}
