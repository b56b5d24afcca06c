import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { ignoreExpectations } from './cluster/node-patches.ts'
import { NO_PEERS, type Peers } from './cluster/peers.ts'
import { type Prefixes, prefixesOf } from './config/addresses.ts'
import type { Config } from './config/config.ts'
import type { Context, Environment } from './context.ts'
import { fail } from './errors.ts'
import { createAfterResponse } from './http/after-response.ts'
import {
  type Lifecycle,
  limitConnections,
  onRequestHook,
  onSendHook,
  recognizeSelfRequests,
  takeTurn,
} from './http/arrival.ts'
import { checkout } from './http/checkout/checkout.ts'
import { createCheckoutLimits } from './http/checkout/limits.ts'
import { renderSamplePage } from './http/checkout/sample-page.ts'
import { dashboard } from './http/dashboard/dashboard.ts'
import { managementDocument } from './http/dashboard/management/document.ts'
import { management } from './http/dashboard/management/management.ts'
import { createRefusalTrace } from './http/dashboard/refusals.ts'
import type { RouteContext } from './http/dashboard/route.ts'
import { isMember } from './http/dashboard/staff/is-member.ts'
import { downloads } from './http/downloads/downloads.ts'
import { createSlots } from './http/downloads/slots.ts'
import { limitExposure } from './http/exposure.ts'
import { images } from './http/images/images.ts'
import { createLimiter, createRequestLimits } from './http/limits.ts'
import { createMetrics } from './http/metrics/metrics.ts'
import { operations } from './http/operations/operations.ts'
import { sendUnmatched } from './http/pages/error-page.ts'
import { createPlainHttpCheck } from './http/plain-http.ts'
import { installFastPath } from './http/r2/fast-path/fast-path.ts'
import type { AccessResponse, SampledRequest } from './http/r2/fast-path/sample.ts'
import { MAX_REQUEST, r2 } from './http/r2/r2.ts'
import { reference } from './http/reference/reference.ts'
import { followTrace, requestIdOf } from './http/request-id.ts'
import { commonHeaders } from './http/response-headers.ts'
import { logResponse, respondToUnreadable, sendFailure, toFailure } from './http/responses.ts'
import { buildSerializers } from './http/serializers.ts'
import { rewriteUrlByHost } from './http/targets.ts'
import { traceRequests } from './http/trace-requests.ts'
import { limitUnfinished } from './http/unfinished.ts'
import { createFullDiskLogger } from './logging/full-disk-logger.ts'

/** Wrong management tokens that an address may send in a minute. Nobody can guess one: this keeps a program that was set
 * up wrong from asking the database all the time. */
const MAX_WRONG_TOKENS = 100

/** Builds the HTTP server: the hooks that every request passes, and the list of entry points. */
export async function createApp(
  ctx: Context,
  logger: FastifyBaseLogger,
  lifecycle: Lifecycle = { state: 'serving', isAccepting: true },
  peers: Peers = NO_PEERS,
): Promise<FastifyInstance> {
  const { config } = ctx
  const { production, sandbox } = ctx.environments
  const prefixes = prefixesOf(config)
  const headers = commonHeaders(config)
  const app = createFastify(config, prefixes, headers, logger)
  const metrics = createMetrics(ctx, peers)
  limitConnections(app, config)
  ignoreExpectations(app.server)
  const selfHeaders = recognizeSelfRequests(app)
  const logFullDisk = createFullDiskLogger(logger, config.dataFolder)
  app.decorateRequest('reportFullDisk', (error: unknown) => {
    metrics.disk.refused()
    logFullDisk(error)
  })
  const inFlight = { count: 0 }
  const limits = createRequestLimits(config, peers)
  app.addHook('onRequest', followTrace)
  if (ctx.tracer) traceRequests(app, ctx.tracer)
  app.addHook('onRequest', onRequestHook(config, limits, inFlight))
  app.addHook('onRequest', takeTurn)
  limitExposure(app, ctx, (request) => isMember(ctx, request))
  app.addHook('onSend', onSendHook(lifecycle))
  handleUnmatched(app, [
    { env: sandbox, prefix: prefixes.sandbox },
    { env: production, prefix: prefixes.production },
  ])
  app.addHook('onResponse', metrics.observe)
  app.addHook('onResponse', logResponse)

  const isPlainHttp = createPlainHttpCheck(config)
  const slots = createSlots(config.limits)
  await reference(app, ctx, () => managementDocument(prefixes.production))
  for (const env of [production, sandbox]) {
    const prefix = prefixes[env.name]
    const onDelivered = (bytes: number) => metrics.delivered(env.name, bytes)
    await app.register(r2(env, limits, isPlainHttp), { prefix })
    await app.register(checkout(env, createCheckoutLimits(env, config, peers)), { prefix })
    await app.register(images(config, env), { prefix })
    await app.register(downloads(env, { config, slots, lifecycle, onDelivered }), { prefix })
  }
  const staffContext: RouteContext = {
    ...{ ctx, renderSample: renderSamplePage, afterResponse: createAfterResponse(app) },
    refusals: createRefusalTrace({ secret: ctx.staffSecret, count: metrics.refused }),
  }
  await app.register(dashboard(staffContext), { prefix: prefixes.production })
  const wrongTokens = createLimiter('wrong token', MAX_WRONG_TOKENS, peers)
  const perToken = limits.perApplication
  await app.register(management(staffContext, { perToken, wrongTokens }), {
    prefix: prefixes.production,
  })
  await app.register(operations(ctx, lifecycle, metrics), { prefix: prefixes.production })
  const served = config.exposure.sandbox === 'off' ? [production] : [production, sandbox]
  installFastPath(app.server, served, {
    ...{ config, prefixes, headers, lifecycle, limits, inFlight, isPlainHttp },
    makesSpans: ctx.tracer !== undefined,
    responseMetrics: metrics.responses,
    fastPathMetrics: metrics.fastPath,
    askRoute: askRoute(app, selfHeaders),
    log: logger,
  })
  // After the fast path, which takes over the listeners that it finds.
  limitUnfinished(app.server, {
    maxBytes: config.limits.unfinishedBytes,
    headers,
    onClosed: metrics.closedUnfinished,
  })
  return app
}

function createFastify(
  config: Config,
  prefixes: Prefixes,
  headers: Record<string, string>,
  logger: FastifyBaseLogger,
): FastifyInstance {
  return fastify({
    loggerInstance: logger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    genReqId: requestIdOf,
    bodyLimit: MAX_REQUEST,
    requestTimeout: 30_000,
    // Closes silent connections: a client that doesn't read its response must not keep it in memory forever.
    connectionTimeout: 60_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: MAX_REQUEST,
      // Our own hook refuses a missing Host header, with our own error body.
      requireHostHeader: false,
    },
    // While draining, clients that are already connected are still served.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    schemaController: {
      compilersFactory: {
        buildSerializer: buildSerializers,
        // Every route reads and checks its own input; schemas only describe it. Fastify's validator isn't even loaded.
        buildValidator: (() => () => () => true) as never,
      },
    },
    // A long path parameter must not be refused before the signature is checked.
    routerOptions: { maxParamLength: MAX_REQUEST },
    rewriteUrl: (request) => rewriteUrlByHost(config, prefixes, request),
    // No hook has run yet.
    frameworkErrors: (_, request, reply) =>
      sendFailure(request, reply.headers(headers), fail('path_not_found')),
    clientErrorHandler: respondToUnreadable(headers),
  })
}

/** Returns a function that responds to a request as if the fast path did not exist. */
function askRoute(app: FastifyInstance, selfHeaders: Record<string, string>) {
  return async ({ url, host, authorization }: SampledRequest): Promise<AccessResponse> => {
    const { statusCode, payload } = await app.inject({
      method: 'GET',
      url,
      headers: { host, authorization, ...selfHeaders },
    })
    return { status: statusCode, body: payload }
  }
}

/** Handles everything that no route answers: an unknown path, a wrong method, an error. */
function handleUnmatched(
  app: FastifyInstance,
  environments: readonly { env: Environment; prefix: string }[],
): void {
  const known: RegExp[] = []
  app.addHook('onRoute', ({ url }) => {
    const pattern = url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')
    known.push(new RegExp(`^${pattern}$`))
  })
  app.addHook('onRequest', async (request) => {
    // Before the body is read: an unknown path is reported first, whatever the body is.
    if (!request.is404) return
    const path = (request.raw.url as string).split('?', 1)[0] as string
    throw fail(known.some((route) => route.test(path)) ? 'method_not_allowed' : 'path_not_found')
  })
  app.setErrorHandler((error, request, reply) => {
    sendUnmatched(environments, request, reply, toFailure(error, request))
  })
}
