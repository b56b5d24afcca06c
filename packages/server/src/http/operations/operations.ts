import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Lifecycle } from '../arrival.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { homeRoute } from './home.ts'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** Whether the request comes directly from this machine, not through a proxy that runs on it too. */
function isFromThisMachine(config: Config, request: FastifyRequest): boolean {
  const { forwarded, 'x-forwarded-for': forwardedFor, via } = request.headers
  const proxied = forwarded !== undefined || forwardedFor !== undefined || via !== undefined
  return (
    !proxied && config.baseUrl === undefined && LOOPBACK.test(request.socket.remoteAddress ?? '')
  )
}

function hasToken(config: Config, request: FastifyRequest): boolean {
  if (config.metricsToken === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const given = request.headers.authorization ?? ''
  return timingSafeEqual(digest(given), digest(`Bearer ${config.metricsToken}`))
}

/** The page at the service's address, and endpoints for the operator's tools: liveness, readiness and metrics. */
export function operations(ctx: Context, lifecycle: Lifecycle, metrics: Metrics) {
  return async (app: FastifyInstance): Promise<void> => {
    homeRoute(app, ctx)
    const hidden = { schema: { hide: true } }
    app.get('/healthz', hidden, async () => ({ status: 'ok' }))

    app.get('/readyz', hidden, async () => {
      if (lifecycle.state === 'draining') throw fail('draining')
      await ctx.control.ping()
      for (const name of ENVIRONMENTS) await ctx.environments[name].database.ping()
      // A full disk is no reason to send readers elsewhere: access checks go on.
      return { status: 'ready', disk: await metrics.disk.state() }
    })

    app.get('/metrics', hidden, async (request, reply) => {
      if (!isFromThisMachine(ctx.config, request) && !hasToken(ctx.config, request)) {
        throw fail('path_not_found')
      }
      reply.type(metrics.contentType)
      return await metrics.text()
    })
  }
}
