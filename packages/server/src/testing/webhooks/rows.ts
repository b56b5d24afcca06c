import type { Trx } from '../../db/database.ts'
import type {
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
} from '../../db/tables.ts'
import { webhookSecretBinding } from '../../domain/apps/keys.ts'
import type { MasterKey } from '../../domain/apps/master-key.ts'

/** An endpoint that has never been called, with all fields. */
export const newEndpointRow = (
  row: Pick<WebhookEndpointTable, 'aid' | 'id'> & Partial<WebhookEndpointTable>,
): WebhookEndpointTable => ({
  url: 'https://example.com/hook',
  types: '["*"]',
  version: '1',
  description: '',
  state: 'on',
  position: 0,
  resume_at: 0,
  probes: 0,
  failures: 0,
  failing_since: null,
  last_success: null,
  last_failure: null,
  last_error: null,
  notified: 0,
  off_at: null,
  off_reason: null,
  missed_from: null,
  missed_to: null,
  created: 0,
  ...row,
})

/** A delivery that succeeded at the first attempt, with all fields. */
export const newDeliveryRow = (
  row: Pick<WebhookDeliveryTable, 'aid' | 'endpoint' | 'event_id'> & Partial<WebhookDeliveryTable>,
): WebhookDeliveryTable => ({
  ...{ position: 1, uid: null, sequence: null, type: 'test', state: 'delivered' },
  ...{ attempts: 1, total_attempts: 1, created: 0, due: 0, first_attempt: 1, delivered: 1 },
  ...{ lease_token: null, lease_until: null, replay: null },
  ...row,
})

/** The attempt of such a delivery. */
export const newAttemptRow = (
  row: Pick<WebhookAttemptTable, 'aid' | 'endpoint' | 'event_id'> & Partial<WebhookAttemptTable>,
): WebhookAttemptTable => ({
  ...{ number: 1, at: 1, url: 'https://example.com/hook', duration_ms: 5 },
  ...{ status: 200, error: null, response: '' },
  ...row,
})

/** Adds a secret to an endpoint. */
export async function addSecretRow(
  trx: Trx,
  masterKey: MasterKey,
  { aid, endpoint, id, text }: { aid: string; endpoint: string; id: string; text: string },
): Promise<void> {
  const sealed = masterKey.seal(text, webhookSecretBinding({ aid, id }))
  const row = { aid, id, endpoint, sealed, created: 0, dies: null }
  await trx.insertInto('webhook_secrets').values(row).execute()
}

/** Adds one row to every table of webhooks, for tests that copy all tables. */
export async function addWebhookRows(trx: Trx, masterKey: MasterKey, aid: string): Promise<void> {
  const endpoint = 'hook'
  await trx
    .insertInto('webhook_endpoints')
    .values(
      newEndpointRow({
        aid,
        id: endpoint,
        description: 'Zoë’s "shop" 🙂',
        state: 'disabled',
        off_at: 1,
        missed_from: 0,
      }),
    )
    .execute()
  await addSecretRow(trx, masterKey, { aid, endpoint, id: 's1', text: 'whsec_c2VjcmV0' })
  const range = { from_time: 0, to_time: 1, position: 1, end_position: 1, admitted: 1 }
  const replay = { aid, id: 'r1', endpoint, mode: 'all' as const, ...range }
  await trx
    .insertInto('webhook_replays')
    .values({ ...replay, actor: 'test', created: 0, finished: 1 })
    .execute()
  const key = { aid, endpoint, event_id: 'e1' }
  await trx
    .insertInto('webhook_deliveries')
    .values(newDeliveryRow({ ...key, replay: 'r1' }))
    .execute()
  await trx
    .insertInto('webhook_attempts')
    .values(newAttemptRow({ ...key, response: 'Zoë 🙂\n' }))
    .execute()
}
