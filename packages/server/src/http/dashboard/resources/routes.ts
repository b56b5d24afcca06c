import { Type } from 'typebox'
import { setOpens } from '../../../domain/passes/opens.ts'
import { previewOpens } from '../../../domain/passes/preview.ts'
import { archiveResource, changeResource } from '../../../domain/resources/change.ts'
import { createResource, getResource } from '../../../domain/resources/resources.ts'
import { RESOURCE_COLUMNS, searchResources } from '../../../domain/resources/search.ts'
import { url as urlField } from '../../../domain/resources/url.ts'
import { message, rid as ridField, searchText, title as titleField } from '../../../fields.ts'
import { readField, readOptionalField } from '../../../parameters.ts'
import { type AppRequest, appRoute, EDITORS, type Route, STAFF } from '../route.ts'
import { paging, searchTextSchema, sortSchema, toPage, windowOf } from '../schemas.ts'
import { priceRoutes } from './prices.ts'
import { ridFromPath } from './rid.ts'
import { showDetails, toResourceItems } from './view.ts'

/** Validated by the field's own rules below, which give the same errors as the API. */
const given = (description: string) => Type.Optional(Type.String({ maxLength: 5_000, description }))
const descriptive = {
  name: given('The name that readers see.'),
  url: given("The URL of the resource's page on your site; empty for none."),
  description: given('The description of the resource for readers; empty for none.'),
  image: given('The URL of an image; empty for none. An uploaded image is shown instead.'),
}

interface Described {
  name?: string
  url?: string
  description?: string
  image?: string
}

/** Returns only the given fields. An empty URL, description or image removes it. */
function readDescription({ name: title, url, description, image }: Described) {
  return {
    ...(title === undefined ? {} : { name: readField('name', title, titleField) }),
    ...(url === undefined ? {} : { url: readOptionalField('url', url, urlField) ?? '' }),
    ...(description === undefined
      ? {}
      : { description: readOptionalField('description', description, message) ?? '' }),
    ...(image === undefined ? {} : { image: readOptionalField('image', image, urlField) ?? '' }),
  }
}

const list = appRoute('GET /resources', {
  management: 'GET /resources',
  allowed: STAFF,
  query: Type.Object({
    q: searchTextSchema,
    archived: Type.Optional(
      Type.Boolean({
        description: 'Whether archived resources are listed instead of those in use.',
      }),
    ),
    sort: sortSchema(RESOURCE_COLUMNS),
    ...paging,
  }),
  async handle({ env, aid, query }) {
    const filter = {
      aid,
      q: readOptionalField('q', query.q, searchText),
      archived: query.archived ?? false,
      sort: query.sort,
    }
    return await env.database.snapshot(async (db) => {
      const { rows, total } = await searchResources(db, filter, windowOf(query))
      return toPage(await toResourceItems(db, env, aid, rows), total, query)
    })
  },
})

const show = appRoute('GET /resources/:rid', {
  management: 'GET /resources/:rid',
  allowed: STAFF,
  handle: async (call) => await details(call, ridFromPath(call.params)),
})

const details = async ({ env, aid }: AppRequest, rid: string) =>
  await env.database.snapshot(async (db) => showDetails(db, env, await getResource(db, aid, rid)))

const create = appRoute('POST /resources', {
  management: 'POST /resources',
  allowed: EDITORS,
  action: 'resource.create',
  body: Type.Object({
    ...descriptive,
    rid: Type.String({
      description: 'The id of the resource, as your site names it. It never changes.',
    }),
    name: Type.String({ description: 'The name that readers see.' }),
  }),
  async handle(call) {
    const { env, aid, body, actor } = call
    const rid = readField('rid', body.rid, ridField)
    const input = {
      aid,
      rid,
      ...readDescription(body),
      name: readField('name', body.name, titleField),
    }
    call.note({ rid })
    await env.database.write((trx) => createResource(trx, input, env.clock(), actor))
    return await details(call, rid)
  },
})

const change = appRoute('PATCH /resources/:rid', {
  management: 'PATCH /resources/:rid',
  allowed: EDITORS,
  action: 'resource.change',
  body: Type.Object(descriptive),
  async handle(call) {
    const { env, aid, body, actor } = call
    const rid = ridFromPath(call.params)
    const input = readDescription(body)
    call.note({ rid })
    await env.database.write((trx) => changeResource(trx, { aid, rid }, input, env.clock(), actor))
    return await details(call, rid)
  },
})

const texts = (description: string) =>
  Type.Array(Type.String({ maxLength: 300 }), { maxItems: 1_000, description })

const setWhatItOpens = appRoute('PUT /resources/:rid/opens', {
  management: 'PUT /resources/:rid/opens',
  allowed: EDITORS,
  action: 'resource.opens',
  body: Type.Object({
    rids: texts('The rids of single resources that the resource opens. They need not exist yet.'),
    prefixes: texts(
      'The resource opens all resources whose rid begins with one of these texts. `*` is an ordinary character.',
    ),
    all: Type.Boolean({
      description: 'Whether the resource opens all resources of the application.',
    }),
    dry_run: Type.Optional(
      Type.Boolean({
        description:
          'Whether to return how many readers would gain and lose access, and change nothing.',
      }),
    ),
  }),
  async handle(call) {
    const { env, aid, body, actor } = call
    const key = { aid, rid: ridFromPath(call.params) }
    const { dry_run, ...opens } = body
    if (dry_run) {
      return await env.database.snapshot((db) => previewOpens(db, key, opens, env.clock()))
    }
    call.note({ rid: key.rid })
    await env.database.write((trx) => setOpens(trx, key, opens, env.clock(), actor))
    return await details(call, key.rid)
  },
})

const archiving = (verb: 'archive' | 'restore') =>
  appRoute(`POST /resources/:rid/${verb}`, {
    management: `POST /resources/:rid/${verb}`,
    allowed: EDITORS,
    action: `resource.${verb}`,
    async handle(call) {
      const { env, aid, actor } = call
      const rid = ridFromPath(call.params)
      call.note({ rid })
      await env.database.write((trx) =>
        archiveResource(trx, { aid, rid }, verb === 'archive', env.clock(), actor),
      )
      return await details(call, rid)
    },
  })

export const resourcesRoutes: readonly Route[] = [
  list,
  show,
  create,
  change,
  setWhatItOpens,
  archiving('archive'),
  archiving('restore'),
  ...priceRoutes,
]
