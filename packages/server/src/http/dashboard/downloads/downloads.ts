import type { Trx } from '../../../db/database.ts'
import {
  type Actor,
  type Description,
  type DownloadKey,
  describeDownload,
  getDownloadById,
  publishDownload,
  removeDownload,
} from '../../../domain/downloads/downloads.ts'
import { planLink } from '../../../domain/downloads/links.ts'
import { fileNameField } from '../../../domain/downloads/names.ts'
import { orderDownloads } from '../../../domain/downloads/order.ts'
import { searchDownloads } from '../../../domain/downloads/search.ts'
import { url } from '../../../domain/resources/url.ts'
import * as fields from '../../../fields.ts'
import { readField, readFilter, readOptionalField } from '../../../parameters.ts'
import { downloadItem } from '../../../records/download.ts'
import { ridFromPath } from '../resources/rid.ts'
import { resourceNamesOf } from '../resources/view.ts'
import { type AppRequest, appRoute, EDITORS, STAFF, SUPPORT } from '../route.ts'
import { readRecordFilter, toPage, windowOf } from '../schemas.ts'
import {
  DownloadBody,
  type DownloadItem,
  type DownloadOrder,
  DownloadQuery,
  LinkBody,
  type ListedDownload,
  type NewDownloadLink,
  OrderBody,
  type RemovedDownload,
} from './schemas.ts'

const list = appRoute('GET /downloads', {
  management: 'GET /downloads',
  allowed: STAFF,
  query: DownloadQuery,
  async handle({ env, aid, query }) {
    const { published: isPublished, sort } = query
    const filter = { aid, isPublished, sort, ...readRecordFilter(query) }
    const { read } = env.database
    const { rows, total } = await searchDownloads(read, filter, windowOf(query))
    const names = await resourceNamesOf(read, aid, rows)
    const data = rows.map(
      (row): ListedDownload => ({
        ...downloadItem(env, row),
        resource: names.get(row.rid) ?? row.rid,
      }),
    )
    return toPage(data, total, query)
  },
})

const show = appRoute('GET /downloads/:id', {
  management: 'GET /downloads/:id',
  allowed: STAFF,
  async handle({ env, aid, params }): Promise<ListedDownload> {
    const { read } = env.database
    const row = await getDownloadById(read, aid, params.id as string)
    const names = await resourceNamesOf(read, aid, [row])
    return { ...downloadItem(env, row), resource: names.get(row.rid) ?? row.rid }
  },
})

/** An empty text removes the description or image; the title is required. */
function readDescription(body: {
  title?: string
  description?: string
  image?: string
}): Partial<Description> {
  return {
    ...(body.title === undefined ? {} : { title: readField('title', body.title, fields.title) }),
    ...(body.description === undefined
      ? {}
      : { description: readOptionalField('description', body.description, fields.message) ?? '' }),
    ...(body.image === undefined
      ? {}
      : { image: readOptionalField('image', body.image, url) ?? '' }),
  }
}

/** Returns the time on both clocks and the acting staff member. */
export async function actorAndTimes({ env, actor }: AppRequest) {
  await env.refreshClock()
  return { now: env.clock(), realTime: env.realTime(), actor }
}

/** Changes the file that the path names. */
async function changeDownload<T>(
  call: AppRequest,
  how: (trx: Trx, key: DownloadKey, doing: Actor) => Promise<T>,
): Promise<T> {
  const { env, aid, params } = call
  const doing = await actorAndTimes(call)
  return await env.database.write(async (trx) => {
    const { id, rid } = await getDownloadById(trx, aid, params.id as string)
    return await how(trx, { aid, rid, id }, doing)
  })
}

const change = appRoute('PATCH /downloads/:id', {
  management: 'PATCH /downloads/:id',
  allowed: EDITORS,
  action: 'download.change',
  body: DownloadBody,
  async handle(call): Promise<DownloadItem> {
    const { published } = call.body
    const input = readDescription(call.body)
    const row = await changeDownload(call, async (trx, key, doing) => {
      const described = await describeDownload(trx, key, input, doing)
      return published === undefined ? described : await publishDownload(trx, key, published, doing)
    })
    call.note({ rid: row.rid, ...(published === undefined ? {} : { published }) })
    return downloadItem(call.env, row)
  },
})

const remove = appRoute('DELETE /downloads/:id', {
  management: 'DELETE /downloads/:id',
  allowed: EDITORS,
  action: 'download.remove',
  async handle(call): Promise<RemovedDownload> {
    const rid = await changeDownload(call, async (trx, key, doing) => {
      await removeDownload(trx, key, doing)
      return key.rid
    })
    call.note({ rid })
    return { removed: true }
  },
})

const order = appRoute('PUT /resources/:rid/files/order', {
  management: 'PUT /resources/:rid/downloads/order',
  allowed: EDITORS,
  action: 'download.order',
  body: OrderBody,
  async handle(call): Promise<DownloadOrder> {
    const { env, aid, params, body, note } = call
    const rid = ridFromPath(params)
    note({ rid })
    const now = await actorAndTimes(call)
    const rows = await env.database.write((trx) => orderDownloads(trx, { aid, rid }, body.ids, now))
    return { ids: rows.map(({ id }) => id) }
  },
})

const link = appRoute('POST /downloads/:id/link', {
  management: 'POST /downloads/:id/links',
  allowed: SUPPORT,
  action: 'download.link',
  body: LinkBody,
  async handle({ env, aid, params, body, note }): Promise<NewDownloadLink> {
    const { lifetime, expiration, limit } = body
    const userRef = readFilter('user_ref', body.user_ref, fields.userRef)
    const named = readOptionalField('name', body.name, fileNameField)
    const { read } = env.database
    const { id, rid } = await getDownloadById(read, aid, params.id as string)
    const input = { aid, rid, id, lifetime, expiration, userRef, limit, fileName: named }
    const planned = await planLink(read, input, env.maxLinkLifetime, env.clock())
    note({ rid, expires: planned.expires })
    return { url: await env.downloadLink(planned), expires: planned.expires }
  },
})

export const downloadRoutes = [list, show, change, remove, order, link]
