import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Environment } from '../context.ts'
import { FILE_HEADERS } from './response-headers.ts'
import { isAtFilesHost } from './targets.ts'

/** Redirects older links to files and images to the host that they now have, so that what staff and readers upload is never
 * served where people sign in and pay. Not permanently: the setting may be removed again. */
export function leadToFilesHost(config: Config, env: Environment, prefix: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (config.hostNames.files === undefined || isAtFilesHost(config, request.raw)) return
    const path = (request.raw.url as string).slice(prefix.length)
    return reply
      .headers({ ...FILE_HEADERS, 'referrer-policy': 'no-referrer' })
      .redirect(env.fileAddress() + path, 307)
  }
}
