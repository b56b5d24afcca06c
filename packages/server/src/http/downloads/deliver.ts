import type { FastifyReply } from 'fastify'
import type { Environment } from '../../context.ts'
import { requireLiveAccess } from '../../domain/downloads/links.ts'
import type { OpenFile, Store } from '../../domain/downloads/storage/storage.ts'
import { countUse, isUseCounted } from '../../domain/downloads/uses.ts'
import { Failure } from '../../errors.ts'
import type { DownloadLink } from '../../signing/download-links.ts'
import { setConnectionHeader } from '../arrival.ts'
import { ClientGone, waitForTurn } from '../connection.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { DownloadOptions, DownloadRequest } from './downloads.ts'
import { type Body, sendBody } from './send-body.ts'

interface DeliveryContext {
  env: Environment
  options: DownloadOptions
  log: DeliveryLog
  store: Store
}

/** Sends the file. All checks that can refuse the request run before the first byte. */
export async function deliver(
  { env, options, log, store }: DeliveryContext,
  opened: DownloadRequest,
  body: Body,
): Promise<void> {
  const { download, link, request, reply } = opened
  await waitForTurn(request, reply)
  const [first] = body.parts
  const file = await store.open({ ...download, id: download.file_id }, first?.span)
  try {
    if (reply.raw.destroyed) throw new ClientGone()
    await countUseIfLimited(env, link, body)
    const monitor = createAccessMonitor(env, link, download.rid)
    // Last, so that it also notices a revoke that came during the waits above.
    await monitor.look()
    writeHead(reply, options, body)
    const { bytes, isComplete, problem } = await sendBody(reply.raw, file, body, monitor.checkIfDue)
    if (problem !== undefined && !(problem instanceof Failure)) {
      request.log.error({ err: problem }, 'a file could not be delivered to its end')
    }
    options.onDelivered(bytes)
    log.add({ ...entryOf(env, opened), bytes, outcome: isComplete ? 'complete' : 'partial' })
  } finally {
    await close(file, opened)
  }
}

/** The fields of a log entry that do not depend on how the download ends. */
export function entryOf(env: Environment, { download, link, uid }: DownloadRequest) {
  const { aid, rid, id } = download
  return { aid, rid, download_id: id, link: link.id, uid, at: env.clock() }
}

async function close(file: OpenFile, { request }: DownloadRequest): Promise<void> {
  await file.close().catch((error) => request.log.warn({ err: error }, 'a file was not closed'))
}

/** Counts a use of a limited link just before the first byte. HEAD requests and empty files are free. */
async function countUseIfLimited(env: Environment, link: DownloadLink, body: Body): Promise<void> {
  const { limit } = link
  if (limit === undefined || body.length === 0) return
  const { database } = env
  // Most requests fetch parts of one download, whose use is already counted: they need no write.
  if (await isUseCounted(database.read, link, env.clock())) return
  await database.write((trx) => countUse(trx, link, limit, env.clock()))
}

/** Takes the response over from Fastify, which can't send a body without copying it once more. */
function writeHead(reply: FastifyReply, { lifecycle }: DownloadOptions, body: Body): void {
  reply.headers({ ...body.headers, 'content-length': body.length })
  setConnectionHeader(reply, lifecycle)
  reply.raw.writeHead(body.status, reply.getHeaders() as Record<string, string>)
  reply.hijack()
}

/** How often a running download checks that its access record still opens it. */
const RECHECK_MS = 5_000

/** Checks the access record that a link is bound to, if any; throws once it or the link has ended, or if it is that of a
 * pass that no longer opens the resource. */
function createAccessMonitor(env: Environment, link: DownloadLink, rid: string) {
  const { accessId } = link
  let lastCheck = 0
  const look = async () => {
    if (accessId === undefined) return
    lastCheck = performance.now()
    await requireLiveAccess(env.database.read, link, rid, env.clock())
  }
  return {
    look,
    async checkIfDue() {
      if (accessId !== undefined && performance.now() - lastCheck > RECHECK_MS) await look()
    },
  }
}
