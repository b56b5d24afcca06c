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
    Type.Boolean({ description: 'True if the record was too long and lacks its long values.' }),
  ),
}

const { via: _, ...access } = AccessDetails.properties

const EventAccess = declareRecord('EventAccess', {
  ...access,
  status: Type.Enum(['live', 'expired', 'revoked'], { description: 'At the time of the event.' }),
  revoked: Type.Optional(Type.Integer({ description: 'When it was revoked, in seconds.' })),
  ...shortened,
})

const EventReaderState = declareRecord('EventReaderState', {
  uid: Type.String({ description: "The service's user ID." }),
  user_email: Type.String({ description: "The reader's email address; empty if it is unknown." }),
  references: Type.Array(Type.String(), { description: 'Your references of the reader.' }),
  entitlements: Type.Array(Type.Ref('Entitlement'), {
    description:
      'Everything that the reader has access to, by rid, as `GET /r2/access/list` lists it.',
  }),
  more: Type.Boolean({ description: 'Whether there is more than fits into an event.' }),
  next: Type.Optional(
    Type.Object(
      {
        path: Type.String({ description: 'The path to request.' }),
        user_ref: Type.String({ description: 'Its parameter `user_ref`.' }),
      },
      { description: 'Where to read all of it; left out if nothing is missing.' },
    ),
  ),
})

const names = {
  ...User.properties,
  references: Type.Array(Type.String(), { description: 'Your references of the reader.' }),
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
  uid: Type.String({ description: "The service's user ID." }),
  references: Type.Array(Type.String(), { description: 'Your references of the reader.' }),
})

const EventRefund = declareRecord('EventRefund', {
  ...Refund.properties,
  aid: Type.String({ description: 'Application ID.' }),
  payment_id: Type.String({ description: 'Payment ID.' }),
  rid: Type.String({ description: 'Resource ID.' }),
  uid: Type.String({ description: "The service's user ID." }),
})

const EventDelivery = declareRecord('EventDelivery', {
  id: Type.String({ description: 'Delivery ID.' }),
  aid: Type.String({ description: 'Application ID.' }),
  rid: Type.String({ description: 'Resource ID.' }),
  uid: Type.Union([Type.String(), Type.Null()], {
    description: "The service's user ID; null if the link was made for no reader.",
  }),
  download_id: Type.String({ description: 'Download ID.' }),
  link: Type.String({ description: 'Identifies the link; nobody can download with it.' }),
  bytes: Type.Integer({ description: 'How many were sent.' }),
  outcome: Type.Enum(['complete', 'redirected'], {
    description:
      '`redirected` if another server sends the file, so that we do not know the outcome.',
  }),
  at: Type.Integer({ description: 'When it was sent, in seconds.' }),
})

const EventResource = declareRecord('EventResource', {
  aid: Type.String({ description: 'Application ID.' }),
  rid: Type.String({ description: 'Resource ID.' }),
  name: Type.String({ description: 'What readers see.' }),
  url: Type.String({ description: 'Where it is; may be empty.' }),
  description: Type.String({ description: 'May be empty.' }),
  image: Type.String({ description: 'The URL of a picture; may be empty.' }),
  created: Type.Integer({ description: 'In seconds.' }),
  archived: Type.Boolean({ description: 'Whether it can no longer be sold or granted.' }),
  offers: Type.Optional(
    Type.Array(Type.Ref('Offer'), { description: 'At what prices it is sold now.' }),
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
  timestamp: Type.String({ description: 'When it happened, as `2026-11-03T20:26:10.000Z`.' }),
  version: Type.Literal(EVENT_VERSION, { description: 'The schema version of the event.' }),
  aid: Type.String({ description: 'Application ID.' }),
  environment: Type.Enum(['production', 'sandbox'], { description: 'Where it happened.' }),
  sequence: Type.Optional(
    Type.Integer({
      description:
        'Counts the events about one reader. Drop an event whose number is lower than one that you have ' +
        'handled. Left out for an event about no reader.',
    }),
  ),
  changed: Type.Object(
    {},
    { additionalProperties: true, description: 'The former values of what has changed.' },
  ),
  cause: Type.Object(
    {
      actor: Type.String({
        description: 'Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, …',
      }),
      action: Type.String({ description: 'What they did.' }),
      why: Type.Optional(Type.String({ description: 'Why, as `refunded` or `unpaid`.' })),
      request_id: Type.Optional(
        Type.String({
          description: 'The ID of the request that caused it, if traces are passed on.',
        }),
      ),
      traceparent: Type.Optional(
        Type.String({ description: 'The trace of that request, as in the header `traceparent`.' }),
      ),
    },
    { description: 'Who or what caused it.' },
  ),
  redacted: Type.Optional(
    Type.Boolean({
      description: 'True if the reader was erased since: texts about them are empty.',
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
  more: Type.Boolean({ description: 'Whether there are more of them now.' }),
  cursor: Type.String({
    description: 'Where the next page begins, also if there is nothing to read yet. Store it.',
  }),
})

/** A page of events as the API returns it. The events are sent as they were written. */
export const eventPage = (bodies: readonly string[], cursor: string, more: boolean): string =>
  `{"data":[${bodies.join(',')}],"more":${more},"cursor":${JSON.stringify(cursor)}}`
