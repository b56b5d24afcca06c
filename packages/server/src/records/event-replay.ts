import { type Static, Type } from 'typebox'
import type { WebhookReplayTable } from '../db/tables.ts'
import type { ReplayInput, ReplayPreview } from '../domain/webhooks/replay.ts'
import { declareRecord } from './declare.ts'

export const EventReplay = declareRecord('EventReplay', {
  id: Type.Optional(Type.String({ description: 'Replay ID; left out of a preview.' })),
  endpoint: Type.String({ description: 'Webhook endpoint ID.' }),
  mode: Type.Enum(['failed', 'all'], {
    description: '`failed` leaves out events that were delivered.',
  }),
  from: Type.Integer({ description: 'In seconds.' }),
  to: Type.Integer({ description: 'In seconds; included.' }),
  events: Type.Integer({ description: 'How many events are sent.' }),
  oldest: Type.Optional(
    Type.Integer({ description: 'When the first of them was written; left out if there is none.' }),
  ),
  newest: Type.Optional(
    Type.Integer({ description: 'When the last of them was written; left out if there is none.' }),
  ),
})

const toSeconds = (millis: number) => Math.floor(millis / 1000)

/** A replay, or its preview, as the API and the command line return it. */
export function eventReplayRecord(
  endpoint: string,
  { mode, from, to }: ReplayInput,
  { events, oldest, newest }: ReplayPreview,
  replay?: WebhookReplayTable,
): Static<typeof EventReplay> {
  return {
    ...(replay ? { id: replay.id } : {}),
    ...{ endpoint, mode, from: toSeconds(from), to: toSeconds(to), events },
    ...(oldest === null ? {} : { oldest: toSeconds(oldest) }),
    ...(newest === null ? {} : { newest: toSeconds(newest) }),
  }
}
