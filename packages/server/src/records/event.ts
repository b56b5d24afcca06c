import { Type } from 'typebox'
import {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  EVENT_VERSION,
  type EventType,
} from '../domain/events/catalogue.ts'
import { AccessDetails } from './access.ts'
import { declareRecord, type RecordSchema } from './declare.ts'
import { Refund } from './refund.ts'
import { User } from './user.ts'

/** A record that is longer than an event may be is shortened, and says so. */
const shortened = {
  more: Type.Optional(
    Type.Boolean({
      description:
        'True if the record was too long for an event and its long values are missing; left out otherwise.',
    }),
  ),
}

const { via: _, ...access } = AccessDetails.properties

const EventAccess = declareRecord('EventAccess', {
  ...access,
  status: Type.Enum(['live', 'expired', 'revoked'], {
    description: 'State of the access at the time of the event.',
  }),
  revoked: Type.Optional(
    Type.Integer({
      description: 'When access was revoked, in seconds since 1970; left out if it was not.',
    }),
  ),
  ...shortened,
})

const EventReaderState = declareRecord('EventReaderState', {
  uid: Type.String({ description: "Gatehouse's ID of the user, which never changes." }),
  user_email: Type.String({ description: "The reader's email address; empty if it is unknown." }),
  references: Type.Array(Type.String(), {
    description: "Your site's names (`user_ref`) for the reader.",
  }),
  aliases: Type.Array(Type.String(), {
    description: 'Uids and references of users who were merged into this one.',
  }),
  entitlements: Type.Array(Type.Ref('Entitlement'), {
    description:
      'Everything that the reader has access to, sorted by rid, as `GET /r2/access/list` returns it.',
  }),
  more: Type.Boolean({
    description: 'Whether the list is cut because not all of it fits into an event.',
  }),
  next: Type.Optional(
    Type.Object(
      {
        path: Type.String({ description: 'Path of the request that returns the whole list.' }),
        user_ref: Type.String({ description: 'The `user_ref` parameter of that request.' }),
      },
      { description: 'The request that returns the whole list; left out if nothing is missing.' },
    ),
  ),
})

const names = {
  ...User.properties,
  references: Type.Array(Type.String(), {
    description: "Your site's names (`user_ref`) for the reader.",
  }),
  aliases: Type.Array(Type.String(), {
    description: 'Uids and references of users who were merged into this one.',
  }),
}

const EventUser = declareRecord('EventUser', { ...names, ...shortened })

const EventMergedUser = declareRecord('EventMergedUser', {
  ...names,
  merged_uid: Type.String({ description: 'The uid that is now an alias of this user.' }),
  ...shortened,
})

const EventErasedUser = declareRecord('EventErasedUser', {
  uid: Type.String({ description: "Gatehouse's ID of the user, which never changes." }),
  references: Type.Array(Type.String(), {
    description:
      "Your site's names (`user_ref`) for the reader, and the uids and references of users who were merged into this one.",
  }),
})

const EventRefund = declareRecord('EventRefund', {
  ...Refund.properties,
  aid: Type.String({ description: 'ID of the application.' }),
  payment_id: Type.String({ description: 'ID of the refunded payment.' }),
  rid: Type.String({ description: 'ID of the resource, as your site names it.' }),
  uid: Type.String({ description: "Gatehouse's ID of the user, which never changes." }),
})

const EventRestore = declareRecord('EventRestore', {
  aid: Type.String({ description: 'ID of the application.' }),
  sequence: Type.Integer({
    description:
      'Events about readers that were written before the restore have lower numbers. Readers whose last event has a ' +
      'lower number do not exist any more, and have access to nothing.',
  }),
})

const EventDelivery = declareRecord('EventDelivery', {
  id: Type.String({ description: 'ID of the delivery.' }),
  aid: Type.String({ description: 'ID of the application.' }),
  rid: Type.String({ description: 'ID of the resource, as your site names it.' }),
  uid: Type.Union([Type.String(), Type.Null()], {
    description: "Gatehouse's ID of the user; null if the link was made for no reader.",
  }),
  download_id: Type.String({ description: 'ID of the download.' }),
  link: Type.String({ description: 'ID of the download link. It cannot be used to download.' }),
  bytes: Type.Integer({ description: 'Number of bytes that were sent.' }),
  outcome: Type.Enum(['complete', 'redirected'], {
    description:
      '`complete`: the whole file was sent. `redirected`: another server sends it, and only that server knows the outcome.',
  }),
  at: Type.Integer({ description: 'When the file was sent, in seconds since 1970.' }),
})

const EventResource = declareRecord('EventResource', {
  aid: Type.String({ description: 'ID of the application.' }),
  rid: Type.String({ description: 'ID of the resource, as your site names it.' }),
  name: Type.String({ description: 'Name of the resource, as readers see it.' }),
  url: Type.String({ description: "URL of the resource's page on your site; may be empty." }),
  description: Type.String({
    description: 'Description of the resource for readers; may be empty.',
  }),
  image: Type.String({ description: 'URL of an image; may be empty.' }),
  created: Type.Integer({ description: 'When the resource was created, in seconds since 1970.' }),
  archived: Type.Boolean({
    description: 'Whether the resource is archived, so that it can no longer be sold or granted.',
  }),
  offers: Type.Optional(
    Type.Array(Type.Ref('Offer'), { description: 'The prices at which the resource is sold now.' }),
  ),
  opens: Type.Optional(Type.Ref('Opens')),
  ...shortened,
})

/** The record that events of a type carry. A type that is not listed takes the record of its group. */
const DATA: Readonly<Record<string, RecordSchema>> = {
  'user.access_changed': EventReaderState,
  'user.updated': EventUser,
  'user.merged': EventMergedUser,
  'user.erased': EventErasedUser,
  access: EventAccess,
  subscription: { $id: 'Subscription' },
  payment: { $id: 'Payment' },
  dispute: { $id: 'Payment' },
  refund: EventRefund,
  download: EventDelivery,
  catalogue: EventResource,
  service: EventRestore,
}

const dataOf = (type: EventType) =>
  (DATA[type] ?? DATA[type.split('.')[0] as string]) as RecordSchema

/** The name of the schema of a type: `access.granted` is `AccessGrantedEvent`. */
const eventSchemaName = (type: EventType): string =>
  `${type.replace(/(^|[._])(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Event`

const envelope = {
  id: Type.String({
    description:
      'Event ID. It stays the same when an event is delivered again, so it shows duplicates.',
  }),
  timestamp: Type.String({
    description: 'When the event happened, in UTC: `2026-11-03T20:26:10.000Z`.',
  }),
  version: Type.Literal(EVENT_VERSION, { description: 'The schema version of the event.' }),
  aid: Type.String({ description: 'ID of the application.' }),
  environment: Type.Enum(['production', 'sandbox'], {
    description: 'The environment in which the event happened.',
  }),
  sequence: Type.Optional(
    Type.Integer({
      description:
        'Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to ' +
        '2^53. Drop an event whose number is not higher than that of the last one about the reader that you have ' +
        'handled. Left out for an event about no reader.',
    }),
  ),
  changed: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The fields of `data` that have changed, with their previous values.',
    },
  ),
  cause: Type.Object(
    {
      actor: Type.String({
        description: 'Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, …',
      }),
      action: Type.String({ description: 'The action that caused the event.' }),
      why: Type.Optional(
        Type.String({
          description:
            'The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name.',
        }),
      ),
      request_id: Type.Optional(
        Type.String({
          description: 'ID of the request that caused the event; only if traces are on.',
        }),
      ),
      traceparent: Type.Optional(
        Type.String({
          description:
            'The trace of that request, in the format of the `traceparent` header; only if traces are on.',
        }),
      ),
    },
    { description: 'The cause of the event.' },
  ),
  redacted: Type.Optional(
    Type.Boolean({
      description:
        'True if the reader was erased after the event, so that texts about them are empty; left out otherwise.',
    }),
  ),
}

for (const type of EVENT_TYPE_NAMES) {
  declareRecord(eventSchemaName(type), {
    type: Type.Literal(type, { description: EVENT_TYPES[type] }),
    ...envelope,
    data: Type.Ref(dataOf(type).$id),
  })
}

export const EventPage = declareRecord('EventPage', {
  data: Type.Array(Type.Union(EVENT_TYPE_NAMES.map((type) => Type.Ref(eventSchemaName(type)))), {
    description: 'The events of this page, oldest first.',
  }),
  cursors: Type.Array(Type.String(), {
    description:
      'For each event of `data`, the cursor after it: store it once you have handled that event, to go on ' +
      'there if your process stops within a page.',
  }),
  more: Type.Boolean({ description: 'Whether there is another page now.' }),
  cursor: Type.String({
    description:
      'The `cursor` parameter of the next page. Store it, also if there are no more events yet.',
  }),
})

interface PageParts {
  bodies: readonly string[]
  cursors: readonly string[]
  more: boolean
  cursor: string
}

/** A page of events as the API returns it. The events are sent as they were written. */
export const eventPage = ({ bodies, ...rest }: PageParts): string => {
  const { cursors, more, cursor } = rest
  return `{"data":[${bodies.join(',')}],${JSON.stringify({ cursors, more, cursor }).slice(1)}`
}
