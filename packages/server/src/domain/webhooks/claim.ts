import { sql } from 'kysely'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { findAndLockRow, type RowKey } from '../../db/queries/rows.ts'
import type { Millis, WebhookDeliveryTable, WebhookEndpointTable } from '../../db/tables.ts'
import type { Lease } from '../mail/claims.ts'
import { admitEvents, isOpenSql, type QueueLimits } from './admit.ts'

/** Calls to one endpoint at a time, over all processes. */
const MAX_CALLS_PER_ENDPOINT = 16

/** How long after its first attempt an event of a reader holds up the later events of the same reader. */
const STRICT_ORDER_MS: Millis = 15 * 60_000

/** Whether a delivery can be claimed: it is due, and no worker holds a lease on it. */
const isClaimable = (realTime: Millis) =>
  sql<boolean>`due <= ${realTime} and (state = 'pending' or lease_until <= ${realTime})`

/** An endpoint that has something to do. */
export type ReadyEndpoint = RowKey

/** Lists the endpoints that may be called now and have an event that is due, or events to queue. A dead endpoint is left out
 * until its next probe, however many events it is behind. */
export async function listReadyEndpoints(db: Db, realTime: Millis): Promise<ReadyEndpoint[]> {
  const { rows } = await sql<ReadyEndpoint>`select e.aid, e.id from webhook_endpoints e
    where e.state in ('on', 'failing') and e.resume_at <= ${realTime} and (
      e.position < (select c.position from event_counters c where c.aid = e.aid)
      or exists (select 1 from webhook_deliveries where webhook_deliveries.aid = e.aid
        and endpoint = e.id and ${isOpenSql} and ${isClaimable(realTime)})
      or exists (select 1 from webhook_replays r where r.aid = e.aid and r.endpoint = e.id
        and r.finished is null))
    order by e.aid, e.id`.execute(db)
  return rows
}

/** Returns when the next delivery is due, or the next endpoint may be called again. */
export async function findNextDelivery(db: Db, realTime: Millis): Promise<Millis | undefined> {
  const { rows } = await sql<{ due: Millis | null }>`select min(case
      when e.resume_at > ${realTime} then e.resume_at
      else (select min(due) from webhook_deliveries where webhook_deliveries.aid = e.aid
        and endpoint = e.id and ${isOpenSql}) end) as due
    from webhook_endpoints e where e.state in ('on', 'failing')`.execute(db)
  return rows[0]?.due ?? undefined
}

/** A delivery to send, with what is sent. */
export interface ClaimedDelivery extends WebhookDeliveryTable {
  url: string
  /** The version that the endpoint expects. */
  version: string
  /** Null if the event is no longer kept. */
  body: string | null
}

/**
 * Queues events of an endpoint and claims those that may be sent now, up to `limit`. A reader's event is held back while an
 * earlier one of that reader is being sent, is due, or waits for another attempt within the strict time.
 */
export async function claimDeliveries(
  database: EnvironmentDatabase,
  key: RowKey,
  lease: Lease,
  limit: number,
  queueLimits: QueueLimits,
  realTime: Millis,
): Promise<ClaimedDelivery[]> {
  return await database.write(async (trx) => {
    const endpoint = await findAndLockRow(trx, 'webhook_endpoints', key)
    if (!endpoint || !isCallable(endpoint, realTime)) return []
    await admitEvents(trx, endpoint, queueLimits, realTime)
    const most = endpoint.state === 'failing' ? 1 : MAX_CALLS_PER_ENDPOINT
    const room = Math.min(limit, most - (await countSending(trx, endpoint, realTime)))
    return room > 0 ? await claimSome(trx, endpoint, lease, room, realTime) : []
  })
}

const isCallable = ({ state, resume_at }: WebhookEndpointTable, realTime: Millis) =>
  (state === 'on' || state === 'failing') && resume_at <= realTime

async function countSending(
  trx: Trx,
  { aid, id }: WebhookEndpointTable,
  realTime: Millis,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from webhook_deliveries
    where aid = ${aid} and endpoint = ${id} and ${isOpenSql} and due > -1
    and state = 'sending' and lease_until > ${realTime}`.execute(trx)
  return Number(rows[0]?.n)
}

async function claimSome(
  trx: Trx,
  { aid, id, url, version }: WebhookEndpointTable,
  lease: Lease,
  room: number,
  realTime: Millis,
): Promise<ClaimedDelivery[]> {
  const { rows: free } = await sql<{ event_id: string }>`select event_id from webhook_deliveries d
    where aid = ${aid} and endpoint = ${id} and ${isOpenSql} and ${isClaimable(realTime)}
    and (uid is null or not exists (select 1 from webhook_deliveries p
      where p.aid = d.aid and p.endpoint = d.endpoint and p.uid = d.uid
      and p.sequence < d.sequence and p.state in ('pending', 'sending')
      and (p.state = 'sending' or p.due <= ${realTime} or p.first_attempt is null
        or p.first_attempt > ${realTime - STRICT_ORDER_MS})))
    order by due, position limit ${room}`.execute(trx)
  if (free.length === 0) return []
  const claimed = await trx
    .updateTable('webhook_deliveries')
    .set((eb) => ({
      state: 'sending',
      attempts: eb('attempts', '+', 1),
      total_attempts: eb('total_attempts', '+', 1),
      first_attempt: eb.fn.coalesce('first_attempt', eb.val(realTime)),
      lease_token: lease.token,
      lease_until: lease.until,
    }))
    .where((eb) => eb.and({ aid, endpoint: id }))
    .where(
      'event_id',
      'in',
      free.map(({ event_id }) => event_id),
    )
    .returningAll()
    .execute()
  const events = await trx
    .selectFrom('events')
    .select(['id', 'body'])
    .where('aid', '=', aid)
    .where(
      'id',
      'in',
      free.map(({ event_id }) => event_id),
    )
    .execute()
  const bodies = new Map(events.map((event) => [event.id, event.body]))
  return claimed.map((row) => ({ ...row, url, version, body: bodies.get(row.event_id) ?? null }))
}
