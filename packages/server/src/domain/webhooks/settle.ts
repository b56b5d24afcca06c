import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { findAndLockRow, updateRows } from '../../db/queries/rows.ts'
import type { Millis, WebhookAttemptTable, WebhookEndpointTable } from '../../db/tables.ts'
import { pushTo } from '../../push-to.ts'
import { isOpenSql } from './admit.ts'
import type { ClaimedDelivery } from './claim.ts'
import {
  afterFailure,
  afterSuccess,
  type EndpointHealth,
  findOffReason,
} from './endpoints/state.ts'
import { recordWebhookNotice } from './notices.ts'
import { retryPause } from './schedule.ts'
import { switchOff } from './switch.ts'

/** The outcome of a call. */
export type CallOutcome =
  | { kind: 'delivered'; answer: CallAnswer }
  | { kind: 'failed'; answer: CallAnswer; isGone: boolean; retryAfter: Millis | undefined }
  /** The call was not made, for example because of a hold. It does not count as an attempt. */
  | { kind: 'released'; due: Millis }
  /** The call can't be made, now or later. */
  | { kind: 'impossible'; error: string }

export type CallAnswer = Pick<WebhookAttemptTable, 'duration_ms' | 'status' | 'error' | 'response'>

export interface Settled {
  delivery: ClaimedDelivery
  /** When the call began. */
  began: Millis
  outcome: CallOutcome
}

interface Clocks {
  now: number
  realTime: Millis
}

/**
 * Records how calls went, and what follows for their endpoints. Returns those whose lease was lost meanwhile: their event is
 * sent once more. An endpoint that is switched off, or works again, changes all its deliveries.
 */
export async function settleCalls(
  database: EnvironmentDatabase,
  calls: readonly Settled[],
  clocks: Clocks,
  random: () => number,
): Promise<Settled[]> {
  return await database.write(async (trx) => {
    const lost: Settled[] = []
    // All writers lock endpoints in one order.
    for (const [key, ofEndpoint] of [...groupByEndpoint(calls)].sort(([a], [b]) =>
      a < b ? -1 : 1,
    )) {
      const { aid, endpoint: id } = (ofEndpoint[0] as Settled).delivery
      const endpoint = await findAndLockRow(trx, 'webhook_endpoints', { aid, id })
      if (endpoint) lost.push(...(await settleEndpoint(trx, endpoint, ofEndpoint, clocks, random)))
      else lost.push(...calls.filter((call) => keyOf(call) === key))
    }
    return lost
  })
}

const keyOf = ({ delivery: { aid, endpoint } }: Settled) => `${aid} ${endpoint}`

function groupByEndpoint(calls: readonly Settled[]): Map<string, Settled[]> {
  const groups = new Map<string, Settled[]>()
  for (const call of calls) {
    const group = groups.get(keyOf(call))
    if (group) group.push(call)
    else groups.set(keyOf(call), [call])
  }
  return groups
}

async function settleEndpoint(
  trx: Trx,
  endpoint: WebhookEndpointTable,
  calls: readonly Settled[],
  clocks: Clocks,
  random: () => number,
): Promise<Settled[]> {
  const { realTime } = clocks
  const held = await settleDeliveries(trx, calls, realTime, random)
  const settled = calls.filter((call) => held.has(call))
  await insertAttempts(trx, settled)
  let health: EndpointHealth = endpoint
  for (const { outcome, began } of settled) {
    if (outcome.kind === 'delivered') health = afterSuccess(health, realTime)
    if (outcome.kind !== 'failed') continue
    const error = outcome.answer.error ?? ''
    const pause = isEndpointWidePause(outcome.answer.status) ? outcome.retryAfter : undefined
    health = afterFailure(health, { began, error, pause }, realTime, random)
  }
  const isGone = settled.some(({ outcome }) => outcome.kind === 'failed' && outcome.isGone)
  await updateHealth(trx, endpoint, health, isGone, clocks)
  return calls.filter((call) => !held.has(call))
}

/** Whether `Retry-After` applies to all requests to the server, as it does with these statuses. */
const isEndpointWidePause = (status: number | null) => status === 429 || status === 503

async function updateHealth(
  trx: Trx,
  endpoint: WebhookEndpointTable,
  health: EndpointHealth,
  isGone: boolean,
  clocks: Clocks,
): Promise<void> {
  const { aid, id } = endpoint
  const { state, resume_at, probes, failures, failing_since, notified } = health
  const { last_success, last_failure, last_error } = health
  const counts = { state, resume_at, probes, failures, failing_since, notified }
  await updateRows(
    trx,
    'webhook_endpoints',
    { aid, id },
    { ...counts, last_success, last_failure, last_error },
  )
  // Staff may have switched it off during the call.
  if (endpoint.state !== 'on' && endpoint.state !== 'failing') return
  const reason = findOffReason(health, isGone, clocks.realTime)
  if (reason !== undefined) {
    await switchOff(trx, endpoint, reason, clocks.realTime)
    await recordWebhookNotice(
      trx,
      endpoint,
      reason === 'gone' ? 'webhook_gone' : 'webhook_off',
      clocks,
    )
  } else if (endpoint.state === 'failing' && state === 'on') {
    await makeAllDue(trx, endpoint, clocks.realTime)
  }
}

/** Makes deliveries that wait for a later attempt due at once, because the endpoint works again. */
async function makeAllDue(
  trx: Trx,
  { aid, id }: WebhookEndpointTable,
  realTime: Millis,
): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ due: realTime })
    .where((eb) => eb.and({ aid, endpoint: id }))
    .where(isOpenSql)
    .where('due', '>', realTime)
    .execute()
}

/** Updates the deliveries of one endpoint, and returns the calls whose lease was not lost. Calls that were claimed
 * together and delivered, as nearly all are, take one statement. */
async function settleDeliveries(
  trx: Trx,
  calls: readonly Settled[],
  realTime: Millis,
  random: () => number,
): Promise<ReadonlySet<Settled>> {
  const held = new Set<Settled>()
  const together = new Map<string, Settled[]>()
  for (const call of calls) {
    const { lease_token, event_id } = call.delivery
    const name = call.outcome.kind === 'delivered' ? `${lease_token}` : `${lease_token} ${event_id}`
    pushTo(together, name, call)
  }
  for (const group of together.values()) {
    const [{ delivery, outcome }] = group as [Settled]
    const { aid, endpoint, lease_token } = delivery
    const ids = group.map((call) => call.delivery.event_id)
    const next = nextState(delivery, outcome, realTime, random)
    const settled = await trx
      .updateTable('webhook_deliveries')
      .set({ ...next, lease_token: null, lease_until: null })
      .where((eb) => eb.and({ aid, endpoint, lease_token, state: 'sending' }))
      .where('event_id', 'in', padList(ids))
      .where('lease_until', '>', realTime)
      .returning('event_id')
      .execute()
    const found = new Set(settled.map(({ event_id }) => event_id))
    for (const call of group) if (found.has(call.delivery.event_id)) held.add(call)
  }
  return held
}

async function insertAttempts(trx: Trx, calls: readonly Settled[]): Promise<void> {
  const rows = calls.flatMap(({ delivery, began, outcome }): WebhookAttemptTable[] => {
    if (outcome.kind === 'released') return []
    const { aid, endpoint, event_id, total_attempts: number, url } = delivery
    const none = { duration_ms: 0, status: null, response: null }
    const answer =
      outcome.kind === 'impossible' ? { ...none, error: outcome.error } : outcome.answer
    return [{ aid, endpoint, event_id, number, at: began, url, ...answer }]
  })
  if (rows.length > 0) await trx.insertInto('webhook_attempts').values(rows).execute()
}

function nextState(
  { attempts, total_attempts, first_attempt }: ClaimedDelivery,
  outcome: CallOutcome,
  realTime: Millis,
  random: () => number,
) {
  switch (outcome.kind) {
    case 'delivered':
      return { state: 'delivered' as const, delivered: realTime }
    case 'impossible':
      return { state: 'failed' as const }
    case 'released': {
      const first = attempts === 1 ? null : first_attempt
      const counts = { attempts: attempts - 1, total_attempts: total_attempts - 1 }
      return { state: 'pending' as const, due: outcome.due, ...counts, first_attempt: first }
    }
    case 'failed': {
      const pause = retryPause(attempts, random)
      if (pause === undefined) return { state: 'failed' as const }
      const due = realTime + Math.max(pause, outcome.retryAfter ?? 0)
      return { state: 'pending' as const, due }
    }
  }
}
