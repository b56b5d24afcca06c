import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../../context.ts'
import { findAnswer } from '../../../domain/idempotency/handled-requests.ts'
import { writeOnce } from '../../../domain/idempotency/once.ts'
import {
  previewReplay,
  REPLAY_MODES,
  readReplayTimes,
  startReplay,
} from '../../../domain/webhooks/replay.ts'
import * as fields from '../../../fields.ts'
import { optional, optionalNonEmpty, required } from '../../../parameters.ts'
import { EventReplay, eventReplayRecord } from '../../../records/event-replay.ts'
import { addWrite } from '../request/add-write.ts'

const replay = {
  endpoint: required(fields.described('The id of a webhook endpoint.', fields.id)),
  from: required(
    fields.described('Events from this time on, in seconds of real time.', fields.seconds),
  ),
  to: optionalNonEmpty(
    fields.described(
      'Events up to this time, inclusive, in seconds of real time; now by default.',
      fields.seconds,
    ),
  ),
  mode: optional(
    fields.described(
      '`failed` sends events that were not delivered, `all` sends all events again.',
      fields.oneOf(REPLAY_MODES),
    ),
    'failed',
  ),
  preview: optional(
    fields.described('Whether to count the events only, and send none.', fields.flag),
    false,
  ),
}

export function eventReplayRoute(app: FastifyInstance, env: Environment): void {
  addWrite(
    app,
    '/r2/event/replay',
    {
      id: 'replayEvents',
      summary: 'Send events to a webhook again',
      description:
        'Sends the events of a time range to one endpoint, with the same ids, if it is switched on. Events that ' +
        'wait for an attempt are not sent twice. At most 100,000 events, and one replay at a time.',
      parameters: replay,
      response: EventReplay,
      failures: ['webhook_not_found', 'webhook_is_off', 'replay_running', 'replay_too_large'],
    },
    async ({ endpoint: id, mode, from, to, preview }, { signed: { aid }, write }) => {
      const realTime = env.realTime()
      const input = { mode, ...readReplayTimes(from, to, realTime) }
      // Before the count, which takes long, and refuses an endpoint that was switched off meanwhile.
      const stored = await findAnswer(env.database.read, write, realTime)
      if (stored) return { ...stored, isReplayed: true }
      const counted = await previewReplay(env.database, { aid, id }, input)
      if (preview) {
        return { status: 200, body: eventReplayRecord(id, input, counted), isReplayed: false }
      }
      return await writeOnce(env, write, async (trx) => {
        const change = { actor: 'api', now: env.clock(), realTime }
        const started = await startReplay(trx, { aid, id }, input, change)
        return { status: 200, body: eventReplayRecord(id, input, counted, started), uid: null }
      })
    },
  )
}
