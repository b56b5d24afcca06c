import type { Db } from '../../db/database.ts'
import type { Millis, WebhookEndpointTable } from '../../db/tables.ts'
import { newOrderedId } from '../../ids.ts'
import type { MasterKey } from '../apps/master-key.ts'
import { EVENT_VERSION, type EventType } from '../events/catalogue.ts'
import { sampleEvent } from '../events/samples.ts'
import type { EventScope } from '../events/write.ts'
import type { WebhookClient } from './calls/http-client.ts'
import { WebhookCallError } from './calls/problems.ts'
import { signedHeaders } from './calls/signature.ts'
import { readSigningSecrets } from './endpoints/live-secrets.ts'

export interface TestOutcome {
  /** Null if there was no response. */
  status: number | null
  /** The reason why there was no response. */
  error: string | null
  response: string | null
  duration_ms: number
}

interface TestCall {
  client: WebhookClient
  masterKey: MasterKey
  environment: string
  /** The type of event whose sample is sent; by default, an event of the type `webhook.test`. */
  type?: EventType | undefined
}

const testEvent = (webhook: string, scope: EventScope, id: string, realTime: Millis) => ({
  ...{ id, type: 'webhook.test', timestamp: new Date(realTime).toISOString() },
  ...{ version: EVENT_VERSION, ...scope, data: { webhook }, changed: {} },
  cause: { actor: 'test', action: 'webhook tested' },
})

/** Sends an event of the type `webhook.test`, or the sample of a type, signed like any other, and returns what came back.
 * It is neither stored nor sent again. */
export async function sendTest(
  db: Db,
  { aid, id: endpoint, url }: WebhookEndpointTable,
  { client, masterKey, environment, type }: TestCall,
  realTime: Millis,
): Promise<TestOutcome> {
  const id = `evt_${newOrderedId()}`
  const scope = { aid, environment }
  const body = JSON.stringify(
    type === undefined
      ? testEvent(endpoint, scope, id, realTime)
      : sampleEvent(type, scope, id, Math.floor(realTime / 1000)),
  )
  const secrets = await readSigningSecrets(db, masterKey, { aid, endpoint }, realTime)
  const began = performance.now()
  const took = () => ({ duration_ms: Math.round(performance.now() - began) })
  try {
    const headers = signedHeaders(secrets, { id, body, at: realTime })
    const { status, body: response } = await client.post({ url, headers, body })
    return { status, error: null, response, ...took() }
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error
    return { status: null, error: error.message, response: null, ...took() }
  }
}
