import type { Environment } from '../../context.ts'
import type { WebhookDeliveryTable, WebhookEndpointTable } from '../../db/tables.ts'
import type { EventType } from '../../domain/events/catalogue.ts'
import { stampPositions } from '../../domain/events/stamp.ts'
import { writeEvents } from '../../domain/events/write.ts'
import type { Gate } from '../../domain/hold/gate.ts'
import { gateWebhookClient } from '../../domain/hold/gated-calls.ts'
import type { QueueLimits } from '../../domain/webhooks/admit.ts'
import { createWebhookClient } from '../../domain/webhooks/calls/http-client.ts'
import { createWebhookSender, type WebhookSender } from '../../domain/webhooks/sender.ts'
import { newId } from '../../ids.ts'
import { createLogger } from '../../logging/logger.ts'
import type { TestApplication, TestService } from '../service.ts'
import { addSecretRow, newEndpointRow } from './rows.ts'

/** The secret of every endpoint in tests. */
export const TEST_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Adds an endpoint that gets the events written from now on. Returns its id. */
export async function addEndpoint(
  { ctx }: TestService,
  { environment, aid }: TestApplication,
  url: string,
  more: Partial<WebhookEndpointTable> = {},
): Promise<string> {
  const id = newId()
  await environment.database.write(async (trx) => {
    await trx
      .insertInto('webhook_endpoints')
      .values(newEndpointRow({ aid, id, url, ...more }))
      .execute()
    await addSecretRow(trx, ctx.masterKey, { aid, endpoint: id, id: newId(), text: TEST_SECRET })
  })
  return id
}

/** Writes one event for each of these readers, in this order. */
export async function addEvents(
  { environment, aid }: { environment: Environment; aid: string },
  uids: readonly (string | undefined)[],
  type: EventType = 'user.access_changed',
): Promise<string[]> {
  const { database, name, clock, realTime } = environment
  const drafts = uids.map((uid) => {
    const cause = { actor: 'test', action: 'test' }
    return { type, uid, at: clock(), data: { uid }, cause }
  })
  const rows = await database.write((trx) =>
    writeEvents(trx, { aid, environment: name }, drafts, realTime()),
  )
  await stampPositions(database, aid)
  return rows.map(({ id }) => id)
}

export interface TestSender extends WebhookSender {
  /** Sends until nothing is due any more, and every call has ended. */
  sendAllDue(): Promise<void>
  close(): void
}

/** Sends webhooks of an environment to this machine, when a test says so, and past the gate if there is one. */
export function createTestSender(
  { ctx }: TestService,
  environment: Environment,
  gate?: Gate,
  queueLimits?: QueueLimits,
): TestSender {
  const { database, clock, realTime, webhookCalls: tally } = environment
  const open = createWebhookClient({ allow: ['127.0.0.1/32'] })
  const client = gate ? gateWebhookClient(open, gate) : open
  const { masterKey } = ctx
  const log = createLogger('silent')
  const abandonSignal = new AbortController().signal
  const random = () => 0.5
  const sender = createWebhookSender({
    ...{ database, masterKey, client, clock, realTime, log, abandonSignal, random, tally },
    queueLimits,
  })
  return {
    ...sender,
    async sendAllDue() {
      while ((await sender.startDue()) > 0) await sender.drain()
    },
    close: client.close,
  }
}

export async function listDeliveries(
  { environment, aid }: TestApplication,
  endpoint: string,
): Promise<WebhookDeliveryTable[]> {
  return await environment.database.read
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where((eb) => eb.and({ aid, endpoint }))
    .orderBy('position')
    .execute()
}

export async function readEndpoint(
  { environment, aid }: TestApplication,
  id: string,
): Promise<WebhookEndpointTable> {
  return await environment.database.read
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where((eb) => eb.and({ aid, id }))
    .executeTakeFirstOrThrow()
}
