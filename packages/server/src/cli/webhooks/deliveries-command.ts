import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import type { WebhookDeliveryState } from '../../db/tables.ts'
import type { EventType } from '../../domain/events/catalogue.ts'
import { getDelivery, listDeliveries } from '../../domain/webhooks/delivery-log.ts'
import type { EndpointRow } from '../../domain/webhooks/endpoints/endpoints.ts'
import { formatOptionalTime } from '../../format-time.ts'
import {
  attemptDetails,
  type DeliveryDetails,
  deliveryDetails,
  deliveryItem,
} from '../../records/webhook-delivery.ts'
import { withContext } from '../context.ts'
import { parseEventType } from '../events/event-types.ts'
import { type Columns, formatItems, limitOption } from '../list.ts'
import { formatRecord, type Output, oneLine, print } from '../output.ts'
import { getWebhook } from './find-webhook.ts'

interface DeliveriesOptions extends Output {
  state?: WebhookDeliveryState
  type?: EventType
  limit: number
}

const STATES: readonly WebhookDeliveryState[] = ['pending', 'sending', 'delivered', 'failed']

/** Adds `webhook deliveries`. */
export function addDeliveriesCommand(webhook: Command): void {
  webhook
    .command('deliveries')
    .argument('<id>', 'the endpoint')
    .argument('[event]', 'the ID of an event: shows what was sent, and every answer')
    .description('list what was sent to an endpoint, newest first, or show one delivery')
    .addOption(new Option('--state <state>', 'only these').choices(STATES))
    .addOption(new Option('--type <type>', 'only this type of event').argParser(parseEventType))
    .addOption(limitOption(100))
    .action((id, event, options) =>
      withContext(async (ctx: Context) => {
        const { env, endpoint } = await getWebhook(ctx, id)
        if (event === undefined) await list(env, endpoint, options)
        else await show(env, endpoint, event, options)
      }),
    )
}

const COLUMNS: Columns<ReturnType<typeof deliveryItem>> = {
  event: ({ event_id }) => event_id,
  type: ({ type }) => type,
  state: ({ state }) => state,
  attempts: ({ attempts }) => attempts,
  'last attempt': ({ last_at }) => formatOptionalTime(last_at),
  answer: ({ last_status, last_error }) => last_status ?? last_error,
  due: ({ due }) => formatOptionalTime(due),
}

async function list(
  { database }: Environment,
  { aid, id: endpoint }: EndpointRow,
  { state, type, limit, ...output }: DeliveriesOptions,
): Promise<void> {
  const window = { offset: 0, limit }
  const { rows } = await listDeliveries(database.read, { aid, endpoint }, { state, type }, window)
  const items = rows.map(deliveryItem)
  print(output, items, () => formatItems(items, COLUMNS, 'No deliveries.'))
}

async function show(
  { database }: Environment,
  { aid, id: endpoint }: EndpointRow,
  event: string,
  output: Output,
): Promise<void> {
  const found = await getDelivery(database.read, { aid, endpoint, event_id: event })
  const delivery = deliveryDetails(found.delivery)
  const attempts = found.attempts.map(attemptDetails)
  const body = found.body === null ? null : (JSON.parse(found.body) as object)
  print(output, { ...delivery, body, attempts }, () =>
    [
      formatRecord(describe(delivery)),
      ...attempts.map(({ number, at, response, ...attempt }) => {
        const head = formatRecord({ attempt: number, at: formatOptionalTime(at), ...attempt })
        return response ? `${head}\n${response.split('\n').map(oneLine).join('\n')}` : head
      }),
      body === null ? 'The event is no longer kept.' : JSON.stringify(body, null, 2),
    ].join('\n\n'),
  )
}

const describe = ({ created, due, ...delivery }: DeliveryDetails) => ({
  ...{ ...delivery, created: formatOptionalTime(created) },
  ...(due === undefined ? {} : { due: formatOptionalTime(due) }),
})
