import type {
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookReplayTable,
} from '../../../db/tables.ts'
import type { LoggedDelivery } from '../../../domain/webhooks/delivery-log.ts'
import type { EndpointRow } from '../../../domain/webhooks/endpoints/endpoints.ts'
import type { ReplayPreview } from '../../../domain/webhooks/replay.ts'
import type {
  WebhookDeliveryAttempt,
  WebhookDeliveryItem,
  WebhookItem,
  WebhookReplayPreview,
} from './schemas.ts'

export const toWebhook = (row: EndpointRow): WebhookItem => ({
  ...{ id: row.id, url: row.url, types: JSON.parse(row.types), version: row.version },
  ...{ description: row.description, state: row.state, created_at: row.created },
  ...{ last_success_at: row.last_success, last_failure_at: row.last_failure },
  ...{ last_error: row.last_error, failing_since: row.failing_since, resumes_at: row.resume_at },
  ...{ off_at: row.off_at, off_reason: row.off_reason },
  ...{ missed_from: row.missed_from, missed_to: row.missed_to },
})

export function toDelivery(row: WebhookDeliveryTable) {
  const isWaiting = row.state === 'pending' || row.state === 'sending'
  return {
    ...{ event_id: row.event_id, type: row.type, uid: row.uid, state: row.state },
    ...{ attempts: row.total_attempts, created_at: row.created },
    due_at: isWaiting ? row.due : null,
  }
}

export const toDeliveryItem = (row: LoggedDelivery): WebhookDeliveryItem => ({
  ...toDelivery(row),
  ...{ last_at: row.last_at, last_status: row.last_status, last_error: row.last_error },
})

export const toReplay = ({
  from_time: from,
  to_time: to,
  admitted: queued,
}: WebhookReplayTable) => ({
  ...{ from, to, queued },
})

export const toReplayPreview = ({
  events,
  oldest,
  newest,
}: ReplayPreview): WebhookReplayPreview => ({
  ...{ events, oldest_at: oldest, newest_at: newest },
})

export const toAttempt = (row: WebhookAttemptTable): WebhookDeliveryAttempt => ({
  ...{ number: row.number, at: row.at, url: row.url, duration_ms: row.duration_ms },
  ...{ status: row.status, error: row.error, response: row.response },
})
