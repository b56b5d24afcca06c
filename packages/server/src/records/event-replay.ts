import { type Static, Type } from 'typebox'
import type { WebhookReplayTable } from '../db/tables.ts'
import type { ReplayInput, ReplayPreview } from '../domain/webhooks/replay.ts'
import { declareRecord } from './declare.ts'

export const EventReplay = declareRecord('EventReplay', {
  id: Type.Optional(Type.String({ description: 'ID of the replay; left out of a preview.' })),
  endpoint: Type.String({ description: 'ID of the webhook endpoint.' }),
  mode: Type.Enum(['failed', 'all'], {
    description:
      '`failed`: only events that were not delivered. `all`: all events of the time range.',
  }),
  from: Type.Integer({ description: 'Start of the time range, in seconds since 1970.' }),
  to: Type.Integer({ description: 'End of the time range, inclusive, in seconds since 1970.' }),
  events: Type.Integer({ description: 'Number of events that are sent.' }),
  oldest: Type.Optional(
    Type.Integer({
      description:
        'When the first of these events was written, in seconds since 1970; left out if there is none.',
    }),
  ),
  newest: Type.Optional(
    Type.Integer({
      description:
        'When the last of these events was written, in seconds since 1970; left out if there is none.',
    }),
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
