import type { Db, EnvironmentDatabase, Trx } from '../../../db/database.ts'
import {
  findAndLockRow,
  findRow,
  listRows,
  type RowKey,
  updateRows,
} from '../../../db/queries/rows.ts'
import type { Millis, Seconds, WebhookEndpointTable } from '../../../db/tables.ts'
import { fail, requireFound } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import { lockApplication } from '../../apps/applications.ts'
import type { MasterKey } from '../../apps/master-key.ts'
import { EVENT_VERSION } from '../../events/catalogue.ts'
import { findLastPosition } from '../../events/list.ts'
import type { HistoryAction } from '../../history/actions.ts'
import { changedFields } from '../../history/changed-fields.ts'
import { recordHistory } from '../../history/history.ts'
import { switchOff, switchOn } from '../switch.ts'
import { type EndpointInput, readEndpointInput } from './fields.ts'
import { addSecret, DEFAULT_OVERLAP_MS, replaceSecret } from './secrets.ts'

export type EndpointRow = WebhookEndpointTable

/** How many endpoints an application can have. */
export const MAX_ENDPOINTS = 16

/** The author and the time of a change. */
export interface EndpointChange {
  actor: string
  now: Seconds
  realTime: Millis
}

export interface EndpointSettings {
  masterKey: MasterKey
  /** The networks of `GATEHOUSE_WEBHOOK_ALLOW`. */
  allow: readonly string[]
}

/** Creates an endpoint that gets what happens from now on. Returns it with its secret. */
export async function createEndpoint(
  database: EnvironmentDatabase,
  aid: string,
  input: EndpointInput,
  { masterKey, allow }: EndpointSettings,
  change: EndpointChange,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const { url, types, description } = readEndpointInput(input, allow)
  // Numbers what has happened before, which the endpoint is not to get.
  await findLastPosition(database, aid)
  return await database.write(async (trx) => {
    await lockApplication(trx, aid)
    const others = await listEndpoints(trx, aid)
    if (others.length >= MAX_ENDPOINTS) throw fail('too_many_webhooks')
    const [counter] = await listRows(trx, 'event_counters', { aid })
    const endpoint: EndpointRow = {
      ...{ aid, id: `we_${newId()}`, url, types: JSON.stringify(types), description },
      ...{ version: String(EVENT_VERSION), state: 'on', position: counter?.position ?? 0 },
      ...{ resume_at: change.realTime, probes: 0, failures: 0, failing_since: null, notified: 0 },
      ...{ last_success: null, last_failure: null, last_error: null, off_at: null },
      ...{ off_reason: null, missed_from: null, missed_to: null, created: change.realTime },
    }
    await trx.insertInto('webhook_endpoints').values(endpoint).execute()
    const scope = { aid, endpoint: endpoint.id }
    const secret = await addSecret(trx, masterKey, scope, change.realTime)
    await record(trx, endpoint, change, {
      action: 'webhook created',
      after: { url, types, description },
    })
    return { endpoint, secret }
  })
}

/** Lists endpoints, the oldest first. */
export async function listEndpoints(db: Db, aid: string): Promise<EndpointRow[]> {
  return await listRows(db, 'webhook_endpoints', { aid }, ['created', 'id'])
}

export async function getEndpoint(db: Db, { aid, id }: RowKey): Promise<EndpointRow> {
  return requireFound(await findRow(db, 'webhook_endpoints', { aid, id }), 'webhook_not_found')
}

async function lockEndpoint(trx: Trx, { aid, id }: RowKey): Promise<EndpointRow> {
  return requireFound(
    await findAndLockRow(trx, 'webhook_endpoints', { aid, id }),
    'webhook_not_found',
  )
}

/** Changes the URL, the types or the description. Events that already wait go to the new URL. */
export async function changeEndpoint(
  database: EnvironmentDatabase,
  key: RowKey,
  input: Partial<EndpointInput>,
  { allow }: Pick<EndpointSettings, 'allow'>,
  change: EndpointChange,
): Promise<EndpointRow> {
  const { types, ...others } = readEndpointInput(input, allow)
  const given = { ...others, ...(types ? { types: JSON.stringify(types) } : {}) }
  return await changeLocked(database, key, change, async (trx, endpoint) => {
    const changed = changedFields<EndpointRow>(endpoint, given)
    if (!changed) return undefined
    await updateRows(trx, 'webhook_endpoints', { aid: key.aid, id: key.id }, changed.after)
    return { action: 'webhook changed', ...changed }
  })
}

/** Sends nothing to an endpoint until it is enabled again. */
export async function disableEndpoint(
  database: EnvironmentDatabase,
  key: RowKey,
  change: EndpointChange,
): Promise<EndpointRow> {
  return await changeLocked(database, key, change, async (trx, endpoint) => {
    if (endpoint.state === 'disabled') return undefined
    await switchOff(trx, endpoint, undefined, change.realTime)
    return { action: 'webhook disabled' }
  })
}

/** Sends to an endpoint that was disabled, or off, from now on. What it has missed is not sent. */
export async function enableEndpoint(
  database: EnvironmentDatabase,
  key: RowKey,
  change: EndpointChange,
): Promise<EndpointRow> {
  // Numbers what it has missed, so that none of it counts as new.
  await findLastPosition(database, key.aid)
  return await changeLocked(database, key, change, async (trx, endpoint) => {
    if (endpoint.state !== 'disabled' && endpoint.state !== 'off') return undefined
    await switchOn(trx, endpoint, change.realTime)
    return { action: 'webhook enabled' }
  })
}

/** Gives an endpoint a new secret and returns it. The old one goes on signing, too, for the overlap. */
export async function rotateSecret(
  database: EnvironmentDatabase,
  masterKey: MasterKey,
  key: RowKey,
  overlap: Millis = DEFAULT_OVERLAP_MS,
  change: EndpointChange,
): Promise<string> {
  return await database.write(async (trx) => {
    const endpoint = await lockEndpoint(trx, key)
    const scope = { aid: key.aid, endpoint: key.id }
    const secret = await replaceSecret(trx, masterKey, scope, overlap, change.realTime)
    await record(trx, endpoint, change, { action: 'webhook secret rotated' })
    return secret
  })
}

/** How many deliveries are deleted in one transaction, so that others can write in between. */
const DELETE_AT_ONCE = 2_000

/** Deletes an endpoint and the log of its deliveries. It is disabled first, and remains so if this is interrupted. */
export async function deleteEndpoint(
  database: EnvironmentDatabase,
  key: RowKey,
  change: EndpointChange,
): Promise<void> {
  await disableEndpoint(database, key, change)
  const scope = { aid: key.aid, endpoint: key.id }
  while ((await database.write((trx) => deleteSomeDeliveries(trx, scope))) > 0);
  await database.write(async (trx) => {
    const endpoint = await lockEndpoint(trx, key)
    // A replay or a call that has just ended may have added some.
    while ((await deleteSomeDeliveries(trx, scope)) > 0);
    for (const table of ['webhook_replays', 'webhook_secrets'] as const) {
      await trx
        .deleteFrom(table)
        .where((eb) => eb.and(scope))
        .execute()
    }
    // Staff need not hear any more of what it did, and an email would lead nowhere.
    await trx
      .deleteFrom('notices')
      .where((eb) => eb.and({ aid: key.aid, kind: 'webhook_failed', subject_id: key.id }))
      .execute()
    await trx
      .deleteFrom('webhook_endpoints')
      .where((eb) => eb.and({ aid: key.aid, id: key.id }))
      .execute()
    await record(trx, endpoint, change, {
      action: 'webhook deleted',
      before: { url: endpoint.url },
    })
  })
}

async function deleteSomeDeliveries(
  trx: Trx,
  scope: { aid: string; endpoint: string },
): Promise<number> {
  const rows = await trx
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where((eb) => eb.and(scope))
    .limit(DELETE_AT_ONCE)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ event_id }) => event_id)
  for (const table of ['webhook_attempts', 'webhook_deliveries'] as const) {
    await trx
      .deleteFrom(table)
      .where((eb) => eb.and(scope))
      .where('event_id', 'in', ids)
      .execute()
  }
  return rows.length
}

interface HistoryEntry {
  action: HistoryAction
  before?: object
  after?: object
}

/** Changes an endpoint whose row is locked. `act` returns what the history records, or nothing if all is so already. */
async function changeLocked(
  database: EnvironmentDatabase,
  key: RowKey,
  change: EndpointChange,
  act: (trx: Trx, endpoint: EndpointRow) => Promise<HistoryEntry | undefined>,
): Promise<EndpointRow> {
  return await database.write(async (trx) => {
    const endpoint = await lockEndpoint(trx, key)
    const entry = await act(trx, endpoint)
    if (!entry) return endpoint
    await record(trx, endpoint, change, entry)
    return await getEndpoint(trx, key)
  })
}

async function record(
  trx: Trx,
  { aid, id }: EndpointRow,
  { actor, now }: EndpointChange,
  { action, before, after }: HistoryEntry,
): Promise<void> {
  const former = before ? { before: { webhook: id, ...before } } : {}
  const current = { after: { webhook: id, ...after } }
  await recordHistory(trx, [{ aid, at: now, actor, action, ...former, ...current }])
}
