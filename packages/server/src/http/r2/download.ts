import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { getPublishedDownload } from '../../domain/downloads/downloads.ts'
import { MAX_USES } from '../../domain/downloads/limits.ts'
import { planLink } from '../../domain/downloads/links.ts'
import { fileNameField } from '../../domain/downloads/names.ts'
import { findLowestOffer } from '../../domain/resources/prices.ts'
import * as fields from '../../fields.ts'
import {
  optional,
  optionalNonEmpty,
  readParameters,
  required,
  valueOfAlias,
} from '../../parameters.ts'
import { Download, DownloadUrl, downloadRecord } from '../../records/download.ts'
import { contract, type Endpoint, hidden } from './contract.ts'

const get = { rid: required(fields.rid) }

const link = {
  rid: required(fields.rid),
  lifetime: optionalNonEmpty(
    fields.described(
      'Lifetime of the link in seconds. This or `expiration` is required; if both are given, the earlier end counts.',
      fields.lifetime,
    ),
  ),
  expiration: optionalNonEmpty(
    fields.described(
      'When the link expires, in seconds since 1970. This or `lifetime` is required; if both are given, the ' +
        'earlier end counts.',
      fields.seconds,
    ),
  ),
  expires: optionalNonEmpty(
    fields.described(
      'Another name for `expiration`, as in the response. Give one of the two.',
      fields.seconds,
    ),
  ),
  user_ref: optionalNonEmpty(
    fields.described(
      'Ties the link to this reader, named by `user_ref` or `uid`: it works only while they have access, ' +
        'directly or through a pass, which is checked on every use.',
      fields.userRef,
    ),
  ),
  limit: optionalNonEmpty(
    fields.integer(
      1,
      MAX_USES,
      'The number of times that the file may be fetched. Fetches within 24 hours of the first count as one.',
    ),
  ),
  filename: optional(
    fields.described(
      'The file name that the reader gets instead of the one that is stored.',
      fileNameField,
    ),
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
  endpoint: Endpoint & { alsoAt: string },
  answer: (request: FastifyRequest) => Promise<unknown>,
): void {
  const options = contract(endpoint)
  app.get(path, options, answer)
  app.get(endpoint.alsoAt, hidden(options), answer)
}

function addGet(app: FastifyInstance, env: Environment): void {
  const endpoint = {
    id: 'getDownload',
    alsoAt: '/r2/download',
    summary: "A resource's download",
    description: 'Returns published downloads only.',
    parameters: get,
    response: Download,
    failures: ['download_not_found'],
  } as const
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
      'Say how long it works, with `lifetime` or `expiration`. ' +
      'Anybody who has the link can fetch the file until the link expires. Making a link changes nothing. ' +
      'If the file is replaced later, the link leads to the new file.',
    parameters: link,
    response: DownloadUrl,
    failures: ['link_end_passed', 'link_life_too_long', 'access_not_found', 'download_not_found'],
  } as const
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
