import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { Environment } from '../../context.ts'
import { type OpenedLink, openLink } from '../../domain/downloads/links.ts'
import type { Store } from '../../domain/downloads/storage/storage.ts'
import { fail } from '../../errors.ts'
import type { DownloadLink } from '../../signing/download-links.ts'
import type { Lifecycle } from '../arrival.ts'
import { leadToFilesHost } from '../files-host.ts'
import { sendErrorPages } from '../pages/error-page.ts'
import { FILE_HEADERS } from '../response-headers.ts'
import { evaluateConditions, mayResume } from './conditions.ts'
import { deliver, entryOf } from './deliver.ts'
import { createDeliveryLog, type DeliveryLog } from './delivery-log.ts'
import { filesRoutes } from './files.ts'
import {
  CACHING,
  cacheHeaders,
  contentHeaderFields,
  contentHeadersOf,
  digestHeader,
  versionOf,
  withCharset,
} from './headers.ts'
import { readRange } from './ranges.ts'
import { planBody } from './send-body.ts'
import type { Slots } from './slots.ts'
import { downloadErrorTexts } from './texts.ts'

export interface DownloadOptions {
  config: Config
  slots: Slots
  lifecycle: Lifecycle
  /** Called with the number of bytes that a response delivered. */
  onDelivered(bytes: number): void
}

/** A request with a valid link. */
export interface DownloadRequest extends OpenedLink {
  link: DownloadLink
  request: FastifyRequest
  reply: FastifyReply
}

/** Registers the download route and the pages that lead to it, for one environment. */
export function downloads(env: Environment, options: DownloadOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    const log = createDeliveryLog(env, app.log)
    const running = new Set<Promise<void>>()
    app.addHook('onClose', async () => {
      await Promise.allSettled(running)
      await log.flush()
    })
    await app.register(filesRoutes(env))
    sendErrorPages(app, env, downloadErrorTexts())
    app.route<{ Params: { token: string } }>({
      method: ['GET', 'HEAD'],
      url: '/d/:token',
      schema: { hide: true },
      config: { hasOwnLimit: true },
      onRequest: [leadToFilesHost(options.config, env, app.prefix), () => env.refreshClock()],
      async handler(request, reply) {
        const link = await readToken(env, request.params.token)
        // Only after the token was verified: requests without a valid link must not use up the slots.
        options.slots.take(request, reply)
        const opened = await openLink(env.database.read, link, env.clock())
        const work = answer(env, options, log, { ...opened, link, request, reply })
        running.add(work)
        await work.finally(() => running.delete(work))
        return reply
      },
    })
  }
}

/** Verifies the token before anything that it names is looked up. */
async function readToken(env: Environment, token: string): Promise<DownloadLink> {
  const check = await env.readDownloadToken(token)
  if (check.ok) return check.link
  throw fail(check.reason === 'expired' ? 'link_expired' : 'link_invalid')
}

async function answer(
  env: Environment,
  options: DownloadOptions,
  log: DeliveryLog,
  opened: DownloadRequest,
): Promise<void> {
  const { request, reply } = opened
  const store = env.stores.of(opened.download.store)
  const other = await findOtherServer(env, options, store, opened)
  if (!other) return await sendFile(env, options, log, store, opened)
  if (request.method === 'GET')
    log.add({ ...entryOf(env, opened), bytes: 0, outcome: 'redirected' })
  if ('address' in other) {
    reply
      .headers({
        ...digestHeader(opened.download),
        ...FILE_HEADERS,
        'referrer-policy': 'no-referrer',
      })
      .redirect(other.address, 302)
  } else {
    const { download, link } = opened
    reply
      .headers({
        ...contentHeaderFields(contentHeadersOf(download, link)),
        ...digestHeader(download),
        ...CACHING,
      })
      .header('x-accel-redirect', other.path)
      .send()
  }
}

/** Returns where another server delivers the file instead of us, if one can. A link that is bound to an access
 * record or has a use limit is never handed over: only we can check and count its downloads. */
async function findOtherServer(
  env: Environment,
  { config: { downloads } }: DownloadOptions,
  store: Store,
  { download, link, request }: DownloadRequest,
): Promise<{ address: string } | { path: string } | undefined> {
  if (link.accessId !== undefined || link.limit !== undefined) return undefined
  const file = { ...download, id: download.file_id }
  // Many S3 servers ignore `If-Range`, and would continue a replaced file with bytes of the new one.
  if (store.addressOf && request.headers['if-range'] === undefined) {
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
    const life = link.expires - env.clock()
    return {
      address: await store.addressOf({
        file,
        method,
        contentHeaders: contentHeadersOf(download, link),
        life,
      }),
    }
  }
  const { accelPath } = downloads
  if (accelPath === undefined || !store.pathOf) return undefined
  return { path: `${accelPath}/${env.name}/${store.pathOf(file)}` }
}

async function sendFile(
  env: Environment,
  options: DownloadOptions,
  log: DeliveryLog,
  store: Store,
  opened: DownloadRequest,
): Promise<void> {
  const { download, link, request, reply } = opened
  const { headers } = request
  const version = versionOf(download)
  const verdict = evaluateConditions(headers, version)
  if (verdict === 'failed') throw fail('precondition_failed')
  if (verdict === 'not_modified') {
    reply
      .code(304)
      .removeHeader('content-type')
      .headers({ ...cacheHeaders(version), ...FILE_HEADERS })
      .send()
    return
  }
  // Set on the response only when the file is sent: an error must not carry the file's headers.
  const head = {
    ...cacheHeaders(version),
    ...contentHeaderFields(contentHeadersOf(download, link)),
    ...digestHeader(download),
    'accept-ranges': 'bytes',
  }
  if (request.method === 'HEAD') {
    reply.headers({ ...head, 'content-length': download.size }).send()
    return
  }
  const spans = mayResume(headers, version, env.clock())
    ? readRange(headers.range, download.size)
    : undefined
  if (spans?.length === 0) {
    reply.header('content-range', `bytes */${download.size}`)
    throw fail('range_not_satisfiable')
  }
  const body = planBody(spans, download.size, withCharset(download.type))
  await deliver({ env, options, log, store }, opened, {
    ...body,
    headers: { ...head, ...body.headers },
  })
}
