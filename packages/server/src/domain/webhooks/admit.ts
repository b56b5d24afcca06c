import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { listRows, type RowKey, updateRows } from '../../db/queries/rows.ts'
import type {
  Millis,
  WebhookDeliveryTable,
  WebhookEndpointTable,
  WebhookReplayTable,
} from '../../db/tables.ts'
import { listMatchingTypes } from '../events/catalogue.ts'

/** How many events of an endpoint are queued. */
export interface QueueLimits {
  /** How many wait for their first attempt at most. The rest is only a range of positions: an endpoint that is a million events
   * behind has no more rows than this. */
  maxFresh: number
  /** More events are queued when fewer than this wait for their first attempt. */
  fewFresh: number
  /** How many wait for a first or another attempt at most. An endpoint that refuses more events than this, while it takes
   * others, gets nothing new until some are delivered or given up. */
  maxOpen: number
}

export const QUEUE_LIMITS: QueueLimits = { maxFresh: 1_000, fewFresh: 200, maxOpen: 20_000 }

/** How many positions are looked through at a time: most may be of types that the endpoint doesn't want. */
export const POSITIONS_AT_ONCE = 5_000

/** A literal, because SQLite otherwise can't see that the partial indexes apply. */
export const isOpenSql = sql<boolean>`state in ('pending', 'sending')`

/**
 * Queues the next events of an endpoint whose row is locked, live ones first, then those of its oldest replay. Returns how
 * many it has queued.
 */
export async function admitEvents(
  trx: Trx,
  endpoint: WebhookEndpointTable,
  limits: QueueLimits,
  realTime: Millis,
): Promise<number> {
  const last = await findLastPosition(trx, endpoint.aid)
  const replay = await findOpenReplay(trx, endpoint)
  if (endpoint.position >= last && !replay) return 0
  const room = await findRoom(trx, endpoint, limits)
  if (room === 0) return 0
  const admitted = await admitLive(trx, endpoint, last, room, realTime)
  if (admitted >= room || !replay) return admitted
  return admitted + (await admitReplayed(trx, endpoint, replay, room - admitted, realTime))
}

/** How many more may be queued. It is 0 until few are left, so that they aren't counted for each call. */
async function findRoom(
  trx: Trx,
  { aid, id }: WebhookEndpointTable,
  { maxFresh, fewFresh, maxOpen }: QueueLimits,
): Promise<number> {
  // The condition on `due` is always true: with it, SQLite uses the index of open deliveries.
  const count = async (limit: number, isCounted = sql<boolean>`true`) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from (
      select 1 from webhook_deliveries where aid = ${aid} and endpoint = ${id}
      and ${isOpenSql} and due > -1 and ${isCounted} limit ${limit}) as open`.execute(trx)
    return Number(rows[0]?.n)
  }
  const fresh = await count(fewFresh, sql<boolean>`attempts = 0`)
  if (fresh >= fewFresh) return 0
  return Math.max(0, Math.min(maxFresh - fresh, maxOpen - (await count(maxOpen))))
}

async function findLastPosition(trx: Trx, aid: string): Promise<number> {
  const [counter] = await listRows(trx, 'event_counters', { aid })
  return counter?.position ?? 0
}

type AdmittedEvent = Pick<WebhookDeliveryTable, 'position' | 'uid' | 'sequence' | 'type'> & {
  id: string
}

interface Range {
  after: number
  upTo: number
  limit: number
}

/** Lists events in a range of positions, and returns how far it has looked. */
async function listInRange(
  trx: Trx,
  { aid, types }: WebhookEndpointTable,
  { after, upTo, limit }: Range,
): Promise<{ events: AdmittedEvent[]; reached: number }> {
  const end = Math.min(upTo, after + POSITIONS_AT_ONCE)
  const wanted: string[] = listMatchingTypes(JSON.parse(types))
  const events = await trx
    .selectFrom('events')
    .select(['id', 'position', 'uid', 'sequence', 'type', 'created'])
    .where('aid', '=', aid)
    .where('position', '>', after)
    .where('position', '<=', end)
    .where('type', 'in', ['', ...wanted])
    .orderBy('position')
    .limit(limit)
    .execute()
  const isCut = events.length === limit
  return {
    events: events as AdmittedEvent[],
    reached: isCut ? (events.at(-1)?.position as number) : end,
  }
}

async function admitLive(
  trx: Trx,
  endpoint: WebhookEndpointTable,
  upTo: number,
  room: number,
  realTime: Millis,
): Promise<number> {
  const { aid, id } = endpoint
  let { position } = endpoint
  let admitted = 0
  while (position < upTo && admitted < room) {
    const range = { after: position, upTo, limit: room - admitted }
    const { events, reached } = await listInRange(trx, endpoint, range)
    await insertDeliveries(trx, endpoint, events, realTime)
    admitted += events.length
    position = reached
  }
  if (position !== endpoint.position)
    await updateRows(trx, 'webhook_endpoints', { aid, id }, { position })
  return admitted
}

function toRow(
  { aid, id: endpoint }: WebhookEndpointTable,
  { id, position, uid, sequence, type }: AdmittedEvent,
  replay: string | null,
  realTime: Millis,
): WebhookDeliveryTable {
  return {
    ...{ aid, endpoint, event_id: id, position, uid, sequence, type, replay },
    ...{ state: 'pending', attempts: 0, total_attempts: 0, created: realTime, due: realTime },
    ...{ first_attempt: null, lease_token: null, lease_until: null, delivered: null },
  }
}

async function insertDeliveries(
  trx: Trx,
  endpoint: WebhookEndpointTable,
  events: readonly AdmittedEvent[],
  realTime: Millis,
): Promise<void> {
  if (events.length === 0) return
  await trx
    .insertInto('webhook_deliveries')
    .values(events.map((event) => toRow(endpoint, event, null, realTime)))
    // A replay may have queued it already.
    .onConflict((oc) => oc.columns(['aid', 'endpoint', 'event_id']).doNothing())
    .execute()
}

/** Finds the oldest replay that is not finished. */
export async function findOpenReplay(
  db: Db,
  { aid, id }: RowKey,
): Promise<WebhookReplayTable | undefined> {
  const key = { aid, endpoint: id, finished: null }
  const [oldest] = await listRows(db, 'webhook_replays', key, ['created', 'id'])
  return oldest
}

async function admitReplayed(
  trx: Trx,
  endpoint: WebhookEndpointTable,
  replay: WebhookReplayTable,
  room: number,
  realTime: Millis,
): Promise<number> {
  const { aid } = endpoint
  const upTo = replay.end_position
  let { position, admitted } = replay
  while (position < upTo && admitted - replay.admitted < room) {
    const limit = room - (admitted - replay.admitted)
    const { events, reached } = await listInRange(trx, endpoint, { after: position, upTo, limit })
    admitted += await requeue(trx, endpoint, replay, events, realTime)
    position = reached
  }
  const finished = position >= upTo ? realTime : null
  await updateRows(trx, 'webhook_replays', { aid, id: replay.id }, { position, admitted, finished })
  return admitted - replay.admitted
}

/** Queues events again with all their attempts. Events that are already queued stay as they are. */
async function requeue(
  trx: Trx,
  endpoint: WebhookEndpointTable,
  { id: replay, mode, from_time, to_time }: WebhookReplayTable,
  events: readonly (AdmittedEvent & { created?: Millis })[],
  realTime: Millis,
): Promise<number> {
  const inTime = events.filter(
    ({ created = from_time }) => from_time <= created && created <= to_time,
  )
  if (inTime.length === 0) return 0
  const anew = { state: 'pending', attempts: 0, due: realTime, first_attempt: null } as const
  const rows = await trx
    .insertInto('webhook_deliveries')
    .values(inTime.map((event) => toRow(endpoint, event, replay, realTime)))
    .onConflict((oc) =>
      oc
        .columns(['aid', 'endpoint', 'event_id'])
        .doUpdateSet({ ...anew, replay })
        .where(
          'webhook_deliveries.state',
          'in',
          mode === 'all' ? ['delivered', 'failed'] : ['failed'],
        ),
    )
    .returning('event_id')
    .execute()
  return rows.length
}
