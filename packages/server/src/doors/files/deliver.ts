import type { FastifyReply } from 'fastify'
import type { Environment } from '../../context.ts'
import { requireLiveAccess } from '../../downloads/links.ts'
import type { OpenFile, Store } from '../../downloads/storage.ts'
import { isUseOpen, openUse } from '../../downloads/uses.ts'
import { Failure } from '../../errors.ts'
import type { DownloadLink } from '../../signing/download-links.ts'
import { tellOfConnection } from '../arrival.ts'
import { ReaderGone, turnOf } from '../connection.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { FilesOptions, Visit } from './files.ts'
import { type Body, sendBody } from './sending.ts'

interface Counter {
  env: Environment
  options: FilesOptions
  log: DeliveryLog
  store: Store
}

/** Sends the bytes. All that can be refused is refused before the first of them. */
export async function deliver(
  { env, options, log, store }: Counter,
  visit: Visit,
  body: Body,
): Promise<void> {
  const { download, link, request, reply } = visit
  await turnOf(request, reply)
  const [first] = body.parts
  const file = await store.open({ ...download, id: download.file_id }, first?.span)
  try {
    if (reply.raw.destroyed) throw new ReaderGone()
    await countUse(env, link, body)
    const watch = createWatch(env, link)
    // Nothing is waited for between this look and the first byte.
    await watch.look()
    writeHead(reply, options, body)
    const { bytes, isComplete, problem } = await sendBody(reply.raw, file, body, watch.mayGoOn)
    if (problem !== undefined && !(problem instanceof Failure)) {
      request.log.error({ err: problem }, 'a file could not be delivered to its end')
    }
    options.onDelivered(bytes)
    log.add({ ...entryOf(env, visit), bytes, outcome: isComplete ? 'complete' : 'partial' })
  } finally {
    await close(file, visit)
  }
}

/** What is written down of a visit, whatever becomes of it. */
export function entryOf(env: Environment, { download, link, uid }: Visit) {
  const { aid, rid, id } = download
  return { aid, rid, download_id: id, link: link.id, uid, at: env.clock() }
}

async function close(file: OpenFile, { request }: Visit): Promise<void> {
  await file.close().catch((error) => request.log.warn({ err: error }, 'a file was not closed'))
}

/** Opened with the first byte: a look at the head, or at a file without any, is free. */
async function countUse(env: Environment, link: DownloadLink, body: Body): Promise<void> {
  const { limit } = link
  if (limit === undefined || body.length === 0) return
  const { database } = env
  // Most requests are the parts of one download: they need no turn at writing.
  if (await isUseOpen(database.read, link, env.clock())) return
  await database.write((trx) => openUse(trx, link, limit, env.clock()))
}

/** From here on the framework is out of it: it knows no way to send without copying once more. */
function writeHead(reply: FastifyReply, { lifecycle }: FilesOptions, body: Body): void {
  reply.headers({ ...body.headers, 'content-length': body.length })
  tellOfConnection(reply, lifecycle)
  reply.raw.writeHead(body.status, reply.getHeaders() as Record<string, string>)
  reply.hijack()
}

/** How soon a revoke ends what is under way. */
const LOOK_AGAIN_MS = 5_000

/** Throws once the access that the link stands and falls with has ended. */
function createWatch(env: Environment, { aid, accessId }: DownloadLink) {
  let looked = 0
  const look = async () => {
    if (accessId === undefined) return
    looked = performance.now()
    await requireLiveAccess(env.database.read, aid, accessId, env.clock())
  }
  return {
    look,
    async mayGoOn() {
      if (accessId !== undefined && performance.now() - looked > LOOK_AGAIN_MS) await look()
    },
  }
}
