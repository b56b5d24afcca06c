import type { WebhookAttemptTable, WebhookDeliveryTable } from '../db/tables.ts'
import type { LoggedDelivery } from '../domain/webhooks/delivery-log.ts'
import { withoutNulls } from './without-nulls.ts'

const toSeconds = (millis: number) => Math.floor(millis / 1000)
const toSecondsOrNull = (millis: number | null) => (millis === null ? null : toSeconds(millis))

export type DeliveryDetails = ReturnType<typeof deliveryDetails>

/** The delivery of an event to a webhook endpoint, for the command line. Times are in seconds of real time. */
export function deliveryDetails(row: WebhookDeliveryTable) {
  const isWaiting = row.state === 'pending' || row.state === 'sending'
  return {
    ...{ event_id: row.event_id, type: row.type, state: row.state, attempts: row.total_attempts },
    created: toSeconds(row.created),
    ...withoutNulls({ uid: row.uid, due: isWaiting ? toSeconds(row.due) : null }),
  }
}

/** The same with how the last attempt ended. */
export const deliveryItem = (row: LoggedDelivery) => ({
  ...deliveryDetails(row),
  ...withoutNulls({
    last_at: toSecondsOrNull(row.last_at),
    last_status: row.last_status,
    last_error: row.last_error,
  }),
})

/** One attempt, with what came back. */
export const attemptDetails = (row: WebhookAttemptTable) => ({
  ...{ number: row.number, at: toSeconds(row.at), url: row.url, duration_ms: row.duration_ms },
  ...withoutNulls({ status: row.status, error: row.error, response: row.response }),
})
