import type { Trx } from '../../../db/database.ts'
import {
  createDownload,
  type DownloadRow,
  describeDownload,
  findDownload,
  publishDownload,
  replaceFile,
} from '../../../domain/downloads/downloads.ts'
import { storeFile, type UnreferencedFile } from '../../../domain/downloads/files.ts'
import { mediaTypeOf } from '../../../domain/downloads/media-type.ts'
import { fileNameField } from '../../../domain/downloads/names.ts'
import { getResource } from '../../../domain/resources/resources.ts'
import { fail } from '../../../errors.ts'
import { title } from '../../../fields.ts'
import { readField, readOptionalField } from '../../../parameters.ts'
import { downloadItem } from '../../../records/download.ts'
import { withoutRequestTimeout } from '../../connection.ts'
import { ridFromPath } from '../resources/rid.ts'
import { appRoute, EDITORS } from '../route.ts'
import { actorAndTimes } from './downloads.ts'
import { type DownloadItem, UploadQuery } from './schemas.ts'

interface Wish {
  aid: string
  rid: string
  fileName: string
  type: string
  title: string | undefined
  published: boolean | undefined
}

/** Adds a file to a resource, or replaces the one it has. */
const upload = appRoute('PUT /resources/:rid/file', {
  who: EDITORS,
  action: 'download.upload',
  query: UploadQuery,
  async handle(call): Promise<DownloadItem> {
    const { env, aid, params, query, request, note } = call
    const rid = ridFromPath(params)
    const name = readField('name', query.name, fileNameField)
    const input: Wish = {
      ...{ aid, rid, fileName: name, type: mediaTypeOf(name) },
      title: readOptionalField('title', query.title, title),
      published: query.published,
    }
    if (request.headers['content-type'] !== 'application/octet-stream') {
      throw fail('invalid_request', 'The body must be of type application/octet-stream.')
    }
    // Refuses what it can before a byte is read.
    await getResource(env.database.read, aid, rid)
    const row = await withoutRequestTimeout(request.raw.socket, () =>
      storeFile(env, aid, env.stores.current, request.raw, async (file) => {
        // During a long upload the sandbox's clock may be set back, and the uploader may be disabled.
        const now = await actorAndTimes(call)
        await call.reauthorize()
        return await env.database.write((trx) => putInPlace(trx, input, file, now))
      }),
    )
    note({ rid, file: row.file_name, size: row.size })
    return downloadItem(row)
  },
})

type Doing = Parameters<typeof createDownload>[3]

async function putInPlace(
  trx: Trx,
  input: Wish,
  file: UnreferencedFile,
  now: Doing,
): Promise<DownloadRow> {
  const { aid, rid, fileName, type, title, published } = input
  if (!(await findDownload(trx, input))) {
    const resource = await getResource(trx, aid, rid)
    const about = { title: title ?? resource.name, description: '', image: '' }
    const made = { aid, rid, fileName, type, ...about, publish: published ?? true }
    return await createDownload(trx, made, file, now)
  }
  let row = await replaceFile(trx, input, file, { fileName, type }, now)
  if (title !== undefined) row = await describeDownload(trx, input, { title }, now)
  if (published !== undefined) row = await publishDownload(trx, input, published, now)
  return row
}

export const uploadRoutes = [upload]
