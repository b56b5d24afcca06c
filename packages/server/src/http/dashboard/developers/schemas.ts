import { Type } from 'typebox'
import type {
  Millis,
  RefusedCallTable,
  WebhookAttemptTable,
  WebhookDeliveryState,
  WebhookOffReason,
  WebhookState,
} from '../../../db/tables.ts'
import { paging } from '../schemas.ts'

export const RotateBody = Type.Object({
  /** Seconds for which the old key stays valid; 0 ends it immediately. */
  overlap: Type.Integer({ minimum: 0, maximum: 90 * 86_400 }),
})

export interface KeyItem {
  id: string
  created_at: Millis
  /** When the key expires; null if no end is set. */
  dies_at: Millis | null
  /** The start of the last day on which the key signed a request; null if it never has. */
  used_at: Millis | null
}

/** Returned when a key is created, and when staff reveal it. */
export interface RevealedKey {
  id: string
  private_key: string
}

export const ConsoleBody = Type.Object({
  method: Type.Enum(['GET', 'POST']),
  /** Starts with `/r2/`, without a query string. */
  path: Type.String({ maxLength: 1_000 }),
  parameters: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 20_000 })),
  ),
  /** Includes the full signature in the response, with which anyone can repeat the request. */
  reveal: Type.Optional(Type.Boolean()),
})

export interface ConsoleResponse {
  signed_string: string
  authorization: string
  curl: string
  status: number
  headers: Record<string, string>
  body: string
  took_ms: number
}

export const RefusedQuery = Type.Object(paging)

export type RefusedCallItem = Omit<RefusedCallTable, 'aid'>

const webhookFields = {
  url: Type.String({ maxLength: 2_000 }),
  /** Types of events, with wildcards. */
  types: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }),
  description: Type.String({ maxLength: 255 }),
}

export const NewWebhookBody = Type.Object(webhookFields)

export const WebhookChange = Type.Partial(Type.Object(webhookFields))

export const WebhookRotateBody = Type.Object({
  /** Seconds for which the old secret also signs; 0 ends it immediately. */
  overlap: Type.Integer({ minimum: 0, maximum: 30 * 86_400 }),
})

export interface WebhookItem {
  id: string
  url: string
  types: string[]
  version: string
  description: string
  state: WebhookState
  created_at: Millis
  last_success_at: Millis | null
  last_failure_at: Millis | null
  last_error: string | null
  /** The first failure since the last success. */
  failing_since: Millis | null
  /** When the next attempt is made, if it is failing. */
  resumes_at: Millis
  off_at: Millis | null
  off_reason: WebhookOffReason | null
  /** The time span whose events the endpoint missed while it was off; both null if it missed nothing. */
  missed_from: Millis | null
  missed_to: Millis | null
}

export interface WebhookDetails extends WebhookItem {
  /** The replay that is not finished yet. */
  replay: { from: Millis; to: Millis; queued: number } | null
  /** The live secrets, newest first. */
  secrets: { created_at: Millis; dies_at: Millis | null }[]
}

/** Returned when an endpoint is created and when its secret is rotated: only then can the secret be seen. */
export interface WebhookWithSecret {
  webhook: WebhookItem
  secret: string
}

export interface WebhookTest {
  /** Null if there was no response. */
  status: number | null
  error: string | null
  response: string | null
  duration_ms: number
}

/** Both times are included. */
export const WebhookReplayBody = Type.Object({
  from: Type.Integer({ minimum: 0 }),
  to: Type.Integer({ minimum: 0 }),
  mode: Type.Enum(['failed', 'all']),
})

export interface WebhookReplayPreview {
  /** How many events are sent. */
  events: number
  /** When the first and the last of them were written; null if there is none. */
  oldest_at: Millis | null
  newest_at: Millis | null
}

export const WebhookDeliveriesQuery = Type.Object({
  ...paging,
  state: Type.Optional(Type.Enum(['pending', 'sending', 'delivered', 'failed'])),
})

export interface WebhookDeliveryItem {
  event_id: string
  type: string
  uid: string | null
  state: WebhookDeliveryState
  attempts: number
  created_at: Millis
  /** When the next attempt is made; null if there is none. */
  due_at: Millis | null
  last_at: Millis | null
  last_status: number | null
  last_error: string | null
}

export type WebhookDeliveryAttempt = Omit<WebhookAttemptTable, 'aid' | 'endpoint' | 'event_id'>

export interface WebhookDeliveryDetails
  extends Omit<WebhookDeliveryItem, 'last_at' | 'last_status' | 'last_error'> {
  /** JSON as it was sent; null if the event is no longer kept. */
  body: string | null
  /** Newest first. */
  tries: WebhookDeliveryAttempt[]
}

export const EventsQuery = Type.Object({
  ...paging,
  type: Type.Optional(Type.String({ maxLength: 100 })),
  uid: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
})

export interface EventItem {
  id: string
  type: string
  uid: string | null
  sequence: number | null
  at: Millis
}

export interface EventDetails extends EventItem {
  /** JSON as it is sent. */
  body: string
}

export interface EventTypeItem {
  type: string
  description: string
  /** An event of this type as JSON. */
  sample: string
}
