import type { WebhookEndpointTable } from '../db/tables.ts'
import { withoutNulls } from './without-nulls.ts'

const toSeconds = (millis: number) => Math.floor(millis / 1000)
const toSecondsOrNull = (millis: number | null) => (millis === null ? null : toSeconds(millis))

/** A webhook endpoint for the command line. Times are in seconds of real time. */
export function webhookRecord(row: WebhookEndpointTable) {
  return {
    ...{ aid: row.aid, id: row.id, url: row.url, types: JSON.parse(row.types) as string[] },
    ...{ version: row.version, description: row.description, state: row.state },
    created: toSeconds(row.created),
    ...withoutNulls({
      last_success: toSecondsOrNull(row.last_success),
      last_failure: toSecondsOrNull(row.last_failure),
      last_error: row.last_error,
      failing_since: toSecondsOrNull(row.failing_since),
      off_since: toSecondsOrNull(row.off_at),
      off_reason: row.off_reason,
      missed_from: toSecondsOrNull(row.missed_from),
      missed_to: toSecondsOrNull(row.missed_to),
    }),
  }
}
