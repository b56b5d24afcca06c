import type { IncomingMessage } from 'node:http'
import { getDownloadById } from '../../../domain/downloads/downloads.ts'
import { type ImageOwner, setImage } from '../../../domain/images/attach.ts'
import { storeImage } from '../../../domain/images/images.ts'
import { MAX_IMAGE_BYTES } from '../../../domain/images/limits.ts'
import { getResource } from '../../../domain/resources/resources.ts'
import { invalid } from '../../../errors.ts'
import { imageUrl } from '../../../image-url.ts'
import { bytesOf } from '../../connection.ts'
import { actorAndTimes } from '../downloads/downloads.ts'
import { requireFileBody } from '../parameters.ts'
import { ridFromPath } from '../resources/rid.ts'
import { type AppRequest, appRoute, DEVELOPERS, EDITORS, type Route } from '../route.ts'
import type { ShownImage } from './schemas.ts'

/** Returns the record that the path names, which the image belongs to; throws if there is none. */
type FindOwner = (call: AppRequest) => Promise<ImageOwner>

const ofApplication: FindOwner = async ({ aid }) => ({ kind: 'application', aid })

const ofResource: FindOwner = async ({ env, aid, params }) => {
  const { rid } = await getResource(env.database.read, aid, ridFromPath(params))
  return { kind: 'resource', aid, rid }
}

const ofDownload: FindOwner = async ({ env, aid, params }) => {
  const { id } = await getDownloadById(env.database.read, aid, params.id as string)
  return { kind: 'download', aid, id }
}

/** The width of the dashboard's own preview. */
const SHOWN_WIDTH = 800

async function upload(call: AppRequest, find: FindOwner): Promise<ShownImage> {
  const { env, aid, request, note } = call
  requireFileBody(request)
  const owner = await find(call)
  const bytes = await readBytes(request.raw)
  return await storeImage(env, aid, bytes, async (image) => {
    const doing = await actorAndTimes(call)
    await call.reauthorize()
    await env.database.write((trx) => setImage(trx, owner, image, doing))
    note({ ...namesOf(owner), image: image.id })
    return { image: imageUrl(env, aid, image.id, SHOWN_WIDTH) }
  })
}

async function remove(call: AppRequest, find: FindOwner): Promise<ShownImage> {
  const owner = await find(call)
  const doing = await actorAndTimes(call)
  await call.env.database.write((trx) => setImage(trx, owner, undefined, doing))
  call.note(namesOf(owner))
  return { image: null }
}

function namesOf(owner: ImageOwner): Record<string, string> {
  if (owner.kind === 'resource') return { rid: owner.rid }
  return owner.kind === 'download' ? { download: owner.id } : {}
}

/** Stops reading as soon as the image is too large. */
async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytesOf(request)) {
    size += chunk.length
    if (size > MAX_IMAGE_BYTES) {
      throw invalid('image', `must not be larger than ${MAX_IMAGE_BYTES / 1_000_000} MB`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The routes that set and remove the image at a path. */
const routesAt = (
  path: `/${string}`,
  allowed: typeof EDITORS,
  action: string,
  find: FindOwner,
): Route[] => [
  appRoute(`PUT ${path}`, {
    management: `PUT ${path}`,
    allowed,
    action,
    handle: (call) => upload(call, find),
  }),
  appRoute(`DELETE ${path}`, {
    management: `DELETE ${path}`,
    allowed,
    action: `${action}-remove`,
    handle: (call) => remove(call, find),
  }),
]

export const imageRoutes: readonly Route[] = [
  ...routesAt('/settings/logo', DEVELOPERS, 'settings.logo', ofApplication),
  ...routesAt('/resources/:rid/image', EDITORS, 'resource.image', ofResource),
  ...routesAt('/downloads/:id/image', EDITORS, 'download.image', ofDownload),
]
