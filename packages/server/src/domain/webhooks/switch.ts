import type { Trx } from '../../db/database.ts'
import { listRows, updateRows } from '../../db/queries/rows.ts'
import type { Millis, WebhookEndpointTable, WebhookOffReason } from '../../db/tables.ts'
import { isOpenSql } from './admit.ts'

/** Ends the sending to an endpoint whose row is locked: by the worker, with a reason, or by staff. A replay ends, too. The time
 * from which it misses events is stored, and shown to staff. */
export async function switchOff(
  trx: Trx,
  endpoint: WebhookEndpointTable,
  reason: WebhookOffReason | undefined,
  realTime: Millis,
): Promise<void> {
  const { aid, id } = endpoint
  const missed_from = endpoint.missed_from ?? (await findOldestMissed(trx, endpoint)) ?? realTime
  await trx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', lease_token: null, lease_until: null })
    .where((eb) => eb.and({ aid, endpoint: id }))
    .where(isOpenSql)
    .execute()
  const ofEndpoint = { aid, endpoint: id, finished: null }
  await updateRows(trx, 'webhook_replays', ofEndpoint, { finished: realTime })
  const state = reason === undefined ? ('disabled' as const) : ('off' as const)
  const off = { off_at: realTime, off_reason: reason ?? null, missed_from, missed_to: null }
  await updateRows(trx, 'webhook_endpoints', { aid, id }, { state, ...off })
}

/** The time of the oldest event that has not been delivered. */
async function findOldestMissed(
  trx: Trx,
  { aid, id, position }: WebhookEndpointTable,
): Promise<Millis | undefined> {
  const open = await trx
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.min('position').as('position'))
    .where((eb) => eb.and({ aid, endpoint: id }))
    .where(isOpenSql)
    .executeTakeFirst()
  const replays = await listRows(trx, 'webhook_replays', { aid, endpoint: id, finished: null })
  const first = Math.min(
    ...[position, ...replays.map((replay) => replay.position)].map((last) => last + 1),
    ...(open?.position ? [Number(open.position)] : []),
  )
  const event = await trx
    .selectFrom('events')
    .select('created')
    .where('aid', '=', aid)
    .where('position', '>=', first)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return event?.created
}

const HEALTHY = { probes: 0, failures: 0, failing_since: null, notified: 0 } as const

/** Sends to an endpoint again, from the newest event on. `missed_from` and `missed_to` then name what a replay would bring. */
export async function switchOn(
  trx: Trx,
  { aid, id, state, position, missed_from }: WebhookEndpointTable,
  realTime: Millis,
): Promise<void> {
  if (state !== 'off' && state !== 'disabled') return
  const counter = await trx
    .selectFrom('event_counters')
    .select('position')
    .where('aid', '=', aid)
    .executeTakeFirst()
  const last = Math.max(position, counter?.position ?? 0)
  const off = { off_at: null, off_reason: null }
  const missed_to = missed_from === null ? null : realTime
  const values = {
    state: 'on' as const,
    position: last,
    ...HEALTHY,
    resume_at: realTime,
    ...off,
    missed_to,
  }
  await updateRows(trx, 'webhook_endpoints', { aid, id }, values)
}

/** Forgets how the calls to all endpoints went, and what they have got: the events are gone. */
export async function rewindEndpoints(trx: Trx): Promise<void> {
  const calls = { last_success: null, last_failure: null, last_error: null }
  await trx
    .updateTable('webhook_endpoints')
    .set({ position: 0, ...HEALTHY, resume_at: 0, ...calls })
    .execute()
  await trx
    .updateTable('webhook_endpoints')
    .set({ state: 'on' })
    .where('state', '=', 'failing')
    .execute()
}

/** Stops all endpoints of a copy, which must not call what the installation that it was copied from calls. */
export async function switchOffAll(trx: Trx, realTime: Millis): Promise<void> {
  const endpoints = await trx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('state', 'in', ['on', 'failing'])
    .execute()
  for (const endpoint of endpoints) await switchOff(trx, endpoint, undefined, realTime)
}
