import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { findAndLockRow, listRows, type RowKey, updateRows } from '../../db/queries/rows.ts'
import type {
  Millis,
  Seconds,
  WebhookEndpointTable,
  WebhookReplayMode,
  WebhookReplayTable,
} from '../../db/tables.ts'
import { fail, invalid, requireFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { listMatchingTypes } from '../events/catalogue.ts'
import { findLastWrittenBefore, type PositionRange } from '../events/positions.ts'
import { recordHistory } from '../history/history.ts'
import { findOpenReplay, POSITIONS_AT_ONCE } from './admit.ts'
import { type EndpointChange, getEndpoint } from './endpoints/endpoints.ts'

/** The maximum number of events in one replay. Further events can be read with the cursor. */
const MAX_REPLAYED_EVENTS = 100_000

/** How much later an event may get its position than others that were written at the same time: because of a long
 * transaction, or of clocks that differ. */
const MAX_DISORDER_MS: Millis = 3_600_000

export const REPLAY_MODES: readonly WebhookReplayMode[] = ['failed', 'all']

export interface ReplayInput {
  /** When the first of the events was written, in real time. */
  from: Millis
  to: Millis
  /** `failed` leaves out events that were delivered. */
  mode: WebhookReplayMode
}

/** Converts the times of a request, in seconds and both inclusive. The end defaults to now. */
export const readReplayTimes = (from: Seconds, to: Seconds | undefined, realTime: Millis) => ({
  from: from * 1000,
  to: to === undefined ? realTime : to * 1000 + 999,
})

/** The events that a replay would send. */
export interface ReplayPreview {
  events: number
  /** When the first and the last of them were written; null if there is none. */
  oldest: Millis | null
  newest: Millis | null
}

/** Counts the events that a replay would send, without those that are already queued. */
export async function previewReplay(
  { read }: EnvironmentDatabase,
  key: RowKey,
  input: ReplayInput,
  limit = MAX_REPLAYED_EVENTS,
): Promise<ReplayPreview> {
  const endpoint = await getEndpoint(read, key)
  requireReplayable(endpoint, input)
  const { after, upTo } = await findRange(read, endpoint, input)
  const preview: ReplayPreview = { events: 0, oldest: null, newest: null }
  for (let position = after; position < upTo; position += POSITIONS_AT_ONCE) {
    const range = { after: position, upTo: Math.min(upTo, position + POSITIONS_AT_ONCE) }
    const { events, oldest, newest } = await countInRange(read, endpoint, input, range)
    if (events === 0) continue
    preview.events += events
    preview.oldest ??= oldest
    preview.newest = newest
    if (preview.events > limit) throw fail('replay_too_large')
    // A long range must not keep requests of this process waiting.
    await yieldToOthers()
  }
  return preview
}

/** Orders the events of a time range to be sent once more. The worker queues them a window at a time. */
export async function startReplay(
  trx: Trx,
  key: RowKey,
  input: ReplayInput,
  { actor, now, realTime }: EndpointChange,
): Promise<WebhookReplayTable> {
  const { aid, id } = key
  const endpoint = requireFound(
    await findAndLockRow(trx, 'webhook_endpoints', { aid, id }),
    'webhook_not_found',
  )
  requireReplayable(endpoint, input)
  if (await findOpenReplay(trx, key)) throw fail('replay_running')
  const { after, upTo } = await findRange(trx, endpoint, input)
  const { from, to, mode } = input
  const replay: WebhookReplayTable = {
    ...{ aid, id: newId(), endpoint: id, mode, from_time: from, to_time: to },
    ...{ position: after, end_position: Math.max(after, upTo), admitted: 0 },
    ...{ actor, created: realTime, finished: null },
  }
  await trx.insertInto('webhook_replays').values(replay).execute()
  if (coversMissed(endpoint, input)) {
    const offered = { missed_from: null, missed_to: null }
    await updateRows(trx, 'webhook_endpoints', { aid, id }, offered)
  }
  const ordered = { webhook: id, replay: replay.id, mode, from, to }
  await recordHistory(trx, [{ aid, at: now, actor, action: 'webhook replayed', after: ordered }])
  return replay
}

function requireReplayable({ state }: WebhookEndpointTable, { from, to }: ReplayInput): void {
  if (state === 'off' || state === 'disabled') throw fail('webhook_is_off')
  if (from > to) throw invalid('to', 'must not be before from')
}

/** Whether a replay covers everything that the endpoint missed while it was off. */
const coversMissed = (
  { missed_from, missed_to }: WebhookEndpointTable,
  { from, to }: ReplayInput,
): boolean => missed_from !== null && missed_to !== null && from <= missed_from && to >= missed_to

/**
 * Finds positions between which all events of the time range are. Events that the endpoint has yet to get are sent without a replay.
 */
async function findRange(
  db: Db,
  { aid, position }: WebhookEndpointTable,
  { from, to }: ReplayInput,
): Promise<PositionRange> {
  const [counter] = await listRows(db, 'event_counters', { aid })
  const kept = { after: counter?.swept ?? 0, upTo: position }
  const after = await findLastWrittenBefore(db, aid, kept, from - MAX_DISORDER_MS)
  const upTo = await findLastWrittenBefore(db, aid, { ...kept, after }, to + MAX_DISORDER_MS)
  return { after, upTo }
}

async function countInRange(
  db: Db,
  { aid, id, types }: WebhookEndpointTable,
  { from, to, mode }: ReplayInput,
  { after, upTo }: PositionRange,
): Promise<ReplayPreview> {
  const wanted: string[] = listMatchingTypes(JSON.parse(types))
  const leftOut = mode === 'all' ? ['pending', 'sending'] : ['pending', 'sending', 'delivered']
  const found = await db
    .selectFrom('events as e')
    .select((eb) => [
      eb.fn.countAll().as('events'),
      eb.fn.min('e.created').as('oldest'),
      eb.fn.max('e.created').as('newest'),
    ])
    .where('e.aid', '=', aid)
    .where('e.position', '>', after)
    .where('e.position', '<=', upTo)
    .where('e.created', '>=', from)
    .where('e.created', '<=', to)
    .where('e.type', 'in', ['', ...wanted])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_deliveries as d')
            .select(sql`1`.as('one'))
            .where('d.aid', '=', aid)
            .where('d.endpoint', '=', id)
            .whereRef('d.event_id', '=', 'e.id')
            .where(sql<boolean>`d.state in (${sql.join(leftOut)})`),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  const toTime = (time: unknown) => (time === null ? null : Number(time))
  const { events, oldest, newest } = found
  return { events: Number(events), oldest: toTime(oldest), newest: toTime(newest) }
}
