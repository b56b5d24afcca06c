import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { getPublishedDownload } from '../../domain/downloads/downloads.ts'
import { MAX_USES } from '../../domain/downloads/limits.ts'
import { planLink } from '../../domain/downloads/links.ts'
import { fileNameField } from '../../domain/downloads/names.ts'
import { findLowestOffer } from '../../domain/resources/prices.ts'
import * as fields from '../../fields.ts'
import { optional, readParameters, required, valueOfAlias } from '../../parameters.ts'
import { Download, DownloadUrl, downloadRecord } from '../../records/download.ts'
import { contract, type Endpoint, hidden } from './contract.ts'

const get = { rid: required(fields.rid) }

const link = {
  rid: required(fields.rid),
  lifetime: optional(
    fields.described(
      'Lifetime of the link in seconds. It or `expiration` must be given.',
      fields.lifetime,
    ),
  ),
  expiration: optional(
    fields.described(
      'When the link ends, in seconds since 1970. Of both, the earlier counts.',
      fields.seconds,
    ),
  ),
  expires: optional(
    fields.described(
      'The same as `expiration`, as the answer calls it. Give one of them.',
      fields.seconds,
    ),
  ),
  user_ref: optional(
    fields.described(
      'Ties the link to this reader: it works only while they have access, which is checked on every use.',
      fields.userRef,
    ),
  ),
  limit: optional(
    fields.integer(
      1,
      MAX_USES,
      'How often the file may be fetched. Fetches within 24 hours of the first count as one.',
    ),
  ),
  filename: optional(
    fields.described('What the file is called, in place of its own name.', fileNameField),
  ),
}

export function downloadRoutes(app: FastifyInstance, env: Environment): void {
  addGet(app, env)
  addUrl(app, env)
}

/** Registers a path and its other spelling. Clients use either, and a signature covers the path as it was sent, so
 * neither can redirect to the other. */
function addAtBoth(
  app: FastifyInstance,
  path: string,
  endpoint: Omit<Endpoint, 'failures'> & { alsoAt: string },
  answer: (request: FastifyRequest) => Promise<unknown>,
): void {
  const options = contract({ ...endpoint, failures: [404] })
  app.get(path, options, answer)
  app.get(endpoint.alsoAt, hidden(options), answer)
}

function addGet(app: FastifyInstance, env: Environment): void {
  const endpoint = {
    id: 'getDownload',
    alsoAt: '/r2/download',
    summary: "A resource's download",
    description: 'Published downloads only.',
    parameters: get,
    response: Download,
  }
  addAtBoth(app, '/r2/download/', endpoint, async (request) => {
    const { aid, parameters } = request.signed
    const { rid } = readParameters(get, parameters)
    const { read } = env.database
    const download = await getPublishedDownload(read, { aid, rid })
    return downloadRecord(env, download, await findLowestOffer(read, aid, rid))
  })
}

function addUrl(app: FastifyInstance, env: Environment): void {
  const endpoint = {
    id: 'getDownloadUrl',
    alsoAt: '/r2/download/url',
    summary: 'A link to the file',
    description:
      'Whoever has the link can fetch the file until its end. Making one changes nothing. A file ' +
      'that is replaced later is what the link then leads to.',
    parameters: link,
    response: DownloadUrl,
  }
  addAtBoth(app, '/r2/downloads/url', endpoint, async (request) => {
    const { aid, parameters } = request.signed
    const input = readParameters(link, parameters)
    const planned = await planLink(
      env.database.read,
      {
        aid,
        rid: input.rid,
        lifetime: input.lifetime,
        expiration: valueOfAlias(['expiration', input.expiration], ['expires', input.expires]),
        userRef: input.user_ref,
        limit: input.limit,
        fileName: input.filename,
      },
      env.maxLinkLifetime,
      env.clock(),
    )
    return { url: await env.downloadLink(planned), expires: planned.expires }
  })
}
