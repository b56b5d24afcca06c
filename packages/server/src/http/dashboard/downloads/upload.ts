import type { FastifyRequest } from 'fastify'
import type { Trx } from '../../../db/database.ts'
import {
  type Actor,
  createDownload,
  type DownloadRow,
  getDownloadById,
  listDownloadsOf,
  replaceFile,
} from '../../../domain/downloads/downloads.ts'
import { storeFile, type UnreferencedFile } from '../../../domain/downloads/files.ts'
import { checked, requireRoom } from '../../../domain/downloads/intake/rules.ts'
import { mediaTypeOf } from '../../../domain/downloads/media-type.ts'
import { fileNameField } from '../../../domain/downloads/names.ts'
import { getResource } from '../../../domain/resources/resources.ts'
import { title } from '../../../fields.ts'
import { readField, readOptionalField } from '../../../parameters.ts'
import { downloadItem } from '../../../records/download.ts'
import { bytesOf, withoutRequestTimeout } from '../../connection.ts'
import { requireFileBody } from '../parameters.ts'
import { ridFromPath } from '../resources/rid.ts'
import { type AppRequest, appRoute, EDITORS } from '../route.ts'
import { actorAndTimes } from './downloads.ts'
import { type DownloadItem, ReplaceQuery, UploadQuery } from './schemas.ts'

/** Reads the file from the body of the request, hands it to `use` in a transaction, and names it in the audit entry. */
async function receiveFile(
  call: AppRequest,
  fileName: string,
  use: (trx: Trx, file: UnreferencedFile, doing: Actor) => Promise<DownloadRow>,
): Promise<DownloadItem> {
  const { env, aid, request } = call
  const upload = { fileName, size: announcedSize(request) }
  await requireRoom(env.uploadRules, upload)
  const bytes = checked(env.uploadRules, upload, bytesOf(request.raw))
  const row = await withoutRequestTimeout(request.raw, () =>
    storeFile(env, aid, env.uploadStore, bytes, async (file) => {
      // During a long upload the sandbox's clock may be set back, and the uploader may be disabled.
      const doing = await actorAndTimes(call)
      await call.reauthorize()
      return await env.database.write((trx) => use(trx, file, doing))
    }),
  )
  call.note({ rid: row.rid, file: row.file_name, size: row.size })
  return downloadItem(env, row)
}

/** The size that the sender announces. Whether it is true shows when the bytes arrive. */
function announcedSize({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/** Adds a file to a resource, after those that it has. The first one is titled like the resource. */
const add = appRoute('POST /resources/:rid/files', {
  management: 'POST /resources/:rid/downloads',
  allowed: EDITORS,
  action: 'download.upload',
  query: UploadQuery,
  async handle(call) {
    const { env, aid, params, query } = call
    const rid = ridFromPath(params)
    const fileName = readField('name', query.name, fileNameField)
    const given = readOptionalField('title', query.title, title)
    requireFileBody(call.request)
    // Refuses what it can before a byte is read.
    await getResource(env.database.read, aid, rid)
    const input = {
      ...{ aid, rid, fileName, type: mediaTypeOf(fileName), description: '', image: '' },
      ...{ publish: query.published ?? true, isAdditional: true },
    }
    return await receiveFile(call, fileName, async (trx, file, doing) => {
      const titled = given ?? (await titleFor(trx, input))
      return await createDownload(trx, { ...input, title: titled }, file, doing)
    })
  },
})

async function titleFor(
  trx: Trx,
  { aid, rid, fileName }: { aid: string; rid: string; fileName: string },
): Promise<string> {
  const { name } = await getResource(trx, aid, rid)
  const others = await listDownloadsOf(trx, { aid, rid })
  return others.length === 0 ? name : fileName.replace(/\.[^.]{1,10}$/, '')
}

const replace = appRoute('PUT /downloads/:id/file', {
  management: 'PUT /downloads/:id/file',
  allowed: EDITORS,
  action: 'download.replace',
  query: ReplaceQuery,
  async handle(call) {
    const { env, aid, params, query } = call
    const fileName = readField('name', query.name, fileNameField)
    const named = { fileName, type: mediaTypeOf(fileName) }
    requireFileBody(call.request)
    const { id, rid } = await getDownloadById(env.database.read, aid, params.id as string)
    return await receiveFile(call, fileName, (trx, file, doing) =>
      replaceFile(trx, { aid, rid, id }, file, named, doing),
    )
  },
})

export const uploadRoutes = [add, replace]
