import type { EventTable } from '../../../db/tables.ts'
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../../domain/events/catalogue.ts'
import { getEvent, listEventsForStaff } from '../../../domain/events/list-for-staff.ts'
import { documentedSample } from '../../../domain/events/samples.ts'
import {
  getDelivery,
  listDeliveries,
  resendDelivery,
} from '../../../domain/webhooks/delivery-log.ts'
import { getEndpoint } from '../../../domain/webhooks/endpoints/endpoints.ts'
import { type AppRequest, appRoute, DEVELOPERS, type Route } from '../route.ts'
import { type Page, toPage, windowOf } from '../schemas.ts'
import {
  type EventDetails,
  type EventItem,
  EventsQuery,
  type EventTypeItem,
  WebhookDeliveriesQuery,
  type WebhookDeliveryDetails,
  type WebhookDeliveryItem,
} from './schemas.ts'
import { toAttempt, toDelivery, toDeliveryItem } from './webhook-view.ts'

const toEvent = ({ id, type, uid, sequence, at }: EventTable): EventItem => ({
  ...{ id, type, uid, sequence, at: at * 1000 },
})

const events = appRoute('GET /events', {
  allowed: DEVELOPERS,
  query: EventsQuery,
  async handle({ env, aid, query }): Promise<Page<EventItem>> {
    const { rows, total } = await listEventsForStaff(env.database, aid, query, windowOf(query))
    return toPage(rows.map(toEvent), total, query)
  },
})

const event = appRoute('GET /events/:event', {
  allowed: DEVELOPERS,
  async handle({ env, aid, params }): Promise<EventDetails> {
    const row = await getEvent(env.database, aid, params.event as string)
    return { ...toEvent(row), body: row.body }
  },
})

const types = appRoute('GET /event-types', {
  allowed: DEVELOPERS,
  async handle(): Promise<{ data: EventTypeItem[] }> {
    const data = EVENT_TYPE_NAMES.map((type) => ({
      ...{ type, description: EVENT_TYPES[type], sample: documentedSample(type) },
    }))
    return { data }
  },
})

const keyOf = ({ aid, params }: AppRequest) => ({
  ...{ aid, endpoint: params.id as string, event_id: params.event as string },
})

const deliveries = appRoute('GET /webhooks/:id/deliveries', {
  allowed: DEVELOPERS,
  query: WebhookDeliveriesQuery,
  async handle({ env, aid, params, query }): Promise<Page<WebhookDeliveryItem>> {
    const endpoint = params.id as string
    const { read } = env.database
    await getEndpoint(read, { aid, id: endpoint })
    const scope = { aid, endpoint }
    const { rows, total } = await listDeliveries(
      read,
      scope,
      { state: query.state },
      windowOf(query),
    )
    return toPage(rows.map(toDeliveryItem), total, query)
  },
})

const delivery = appRoute('GET /webhooks/:id/deliveries/:event', {
  allowed: DEVELOPERS,
  async handle(request): Promise<WebhookDeliveryDetails> {
    const found = await getDelivery(request.env.database.read, keyOf(request))
    const tries = found.attempts.map(toAttempt)
    return { ...toDelivery(found.delivery), body: found.body, tries }
  },
})

const resend = appRoute('POST /webhooks/:id/deliveries/:event/resend', {
  allowed: DEVELOPERS,
  action: 'webhook.resend',
  async handle(request) {
    const { env } = request
    await env.database.write((trx) => resendDelivery(trx, keyOf(request), env.realTime()))
    return { queued: true }
  },
})

export const eventRoutes: readonly Route[] = [
  ...[events, event, types, deliveries, delivery, resend],
]
