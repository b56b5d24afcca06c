import { setMaxListeners } from 'node:events'
import { sql } from 'kysely'
import type { RowKey } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import type { MasterKey } from '../apps/master-key.ts'
import { listDueApplications } from '../apps/turns.ts'
import { stampPositions } from '../events/stamp.ts'
import { QUEUE_LIMITS, type QueueLimits } from './admit.ts'
import { callEndpoint } from './calls/call.ts'
import { MAX_CALL_MS, type WebhookClient } from './calls/http-client.ts'
import type { CallTally } from './calls/tally.ts'
import { type ClaimedDelivery, claimDeliveries, listReadyEndpoints } from './claim.ts'
import { readSigningSecrets } from './endpoints/live-secrets.ts'
import { createSettler, type Settler, type SettlerParts } from './settler.ts'

/** Longer than a call can take, so that no other process claims a delivery that is being sent. */
const LEASE_MS: Millis = MAX_CALL_MS + 30_000

/** Calls of this process at a time, of one application and in all. An endpoint that has none may always make one, so that the
 * endpoints of an application that hang can't keep its others waiting. */
const MAX_CALLS_PER_APPLICATION = 64
const MAX_CALLS = 256

export interface SenderParts extends SettlerParts {
  masterKey: MasterKey
  client: WebhookClient
  tally?: CallTally
  queueLimits?: QueueLimits | undefined
}

export interface WebhookSender {
  /** Starts the calls that are due, and returns how many. */
  startDue(): Promise<number>
  /** Whether a call is running. */
  isCalling(): boolean
  /** Resolves when a call has ended and is recorded, or after the given time. */
  settled(timeoutMs: Millis, stopping: AbortSignal): Promise<void>
  /** Resolves when no call is running any more. */
  drain(): Promise<void>
}

/** Makes the calls of one environment to its endpoints. */
export function createWebhookSender(parts: SenderParts): WebhookSender {
  const settler = createSettler(parts)
  const limits = parts.queueLimits ?? QUEUE_LIMITS
  // Each call listens to it.
  setMaxListeners(MAX_CALLS + 1, parts.abandonSignal)
  const calls = createCallCounter()
  const running = new Set<Promise<void>>()

  async function startDueOf(key: RowKey): Promise<number> {
    const room = calls.roomOf(key)
    if (room <= 0) return 0
    const began = parts.realTime()
    const lease = { token: newId(), until: began + LEASE_MS }
    const claimed = await claimDeliveries(parts.database, key, lease, room, limits, began)
    if (claimed.length === 0) return 0
    const endpoint = { aid: key.aid, endpoint: key.id }
    const secrets = await readSigningSecrets(parts.database.read, parts.masterKey, endpoint, began)
    for (const delivery of claimed) {
      calls.add(key, 1)
      const call = callAndSettle(parts, settler, delivery, secrets).finally(() => {
        calls.add(key, -1)
        running.delete(call)
      })
      running.add(call)
    }
    return claimed.length
  }

  return {
    async startDue() {
      const { database } = parts
      for (const aid of await listDueApplications(database.read, SWITCHED_ON)) {
        await stampPositions(database, aid)
      }
      let started = 0
      for (const key of inTurns(await listReadyEndpoints(database.read, parts.realTime()))) {
        started += await startDueOf(key)
      }
      return started
    },
    isCalling: () => running.size > 0,
    settled: settler.next,
    async drain() {
      await Promise.all(running)
    },
  }
}

async function callAndSettle(
  { client, realTime, abandonSignal, log, tally }: SenderParts,
  settler: Settler,
  delivery: ClaimedDelivery,
  secrets: readonly string[],
): Promise<void> {
  const call = await callEndpoint({ client, realTime, stop: abandonSignal }, delivery, secrets)
  const isRecorded = await settler.settle(call)
  const { kind } = call.outcome
  if (tally && kind !== 'released') tally[kind === 'delivered' ? 'delivered' : 'failed']++
  const { aid, endpoint, event_id: event } = delivery
  if (!isRecorded)
    log.warn({ aid, endpoint, event }, 'a webhook may be sent twice: its lease was lost')
}

/** Endpoints that are switched on, whatever they wait for: their events need positions. */
const SWITCHED_ON = {
  table: 'webhook_endpoints',
  isDue: sql<boolean>`state in ('on', 'failing')`,
} as const

/** The first endpoint of each application, then the second of each, and so on: an application with many endpoints doesn't
 * take all calls before others have had one. */
function inTurns(keys: readonly RowKey[]): RowKey[] {
  const seen = new Map<string, number>()
  const ranked = keys.map((key) => {
    const rank = seen.get(key.aid) ?? 0
    seen.set(key.aid, rank + 1)
    return { key, rank }
  })
  return ranked.sort((one, other) => one.rank - other.rank).map(({ key }) => key)
}

/** Counts running calls. */
function createCallCounter() {
  const ofApplication = new Map<string, number>()
  const ofEndpoint = new Map<string, number>()
  let all = 0
  const count = (counts: Map<string, number>, name: string, n: number) => {
    const sum = (counts.get(name) ?? 0) + n
    if (sum === 0) counts.delete(name)
    else counts.set(name, sum)
  }
  return {
    add({ aid, id }: RowKey, n: 1 | -1) {
      all += n
      count(ofApplication, aid, n)
      count(ofEndpoint, `${aid} ${id}`, n)
    },
    roomOf({ aid, id }: RowKey): number {
      const left = MAX_CALLS_PER_APPLICATION - (ofApplication.get(aid) ?? 0)
      const least = ofEndpoint.has(`${aid} ${id}`) ? 0 : 1
      return Math.min(Math.max(left, least), MAX_CALLS - all)
    },
  }
}
