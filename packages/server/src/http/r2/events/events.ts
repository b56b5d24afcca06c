import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Environment } from '../../../context.ts'
import { EVENT_TYPES, isTypePattern } from '../../../domain/events/catalogue.ts'
import { cursorOf, listEventsAfter } from '../../../domain/events/cursor.ts'
import * as fields from '../../../fields.ts'
import { optional, readParameters } from '../../../parameters.ts'
import { EventPage, eventPage } from '../../../records/event.ts'
import { contract } from '../contract.ts'

const after: fields.Field<string> = {
  schema: Type.String({
    description:
      'The `cursor` of the previous page. Without it, the oldest event that is kept comes first; `latest` returns ' +
      'the current cursor and no events.',
  }),
  read: (text) => ({ value: text }),
}

const MAX_TYPES = 50

const types: fields.Field<string[]> = {
  schema: Type.String({
    description:
      'Only events of these comma-separated types. `access.*` is a whole group. The cursor moves past ' +
      'other events.',
  }),
  read(text) {
    const list = text.split(',')
    if (list.length > MAX_TYPES) return `must be at most ${MAX_TYPES}`
    const unknown = list.find((one) => !isTypePattern(one))
    if (unknown === undefined) return { value: list }
    const [first] = Object.keys(EVENT_TYPES)
    return `${unknown.slice(0, 40)} is no type of event; one is ${first}`
  },
}

const search = {
  after: optional(after),
  types: optional(types),
  limit: optional(fields.pagesize, 100),
}

export function eventRoutes(app: FastifyInstance, { database, realTime }: Environment): void {
  app.get(
    '/r2/event/search',
    contract({
      id: 'searchEvents',
      summary: 'Read what happened',
      description:
        'Oldest first. Store the `cursor`, and ask again with it: no event is skipped, and none comes twice, unless the ' +
        'service was restored from a backup. ' +
        'Events are kept for a time that the operator sets, 30 days by default.',
      parameters: search,
      response: EventPage,
    }),
    async (request, reply) => {
      const { aid, parameters } = request.signed
      const question = readParameters(search, parameters)
      const page = await listEventsAfter(database, aid, { ...question, realTime: realTime() })
      const text = eventPage({
        ...page,
        bodies: page.events.map(({ body }) => body),
        cursors: page.events.map(cursorOf),
      })
      return reply.type('application/json; charset=utf-8').send(text)
    },
  )
}
