import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { RequestLimits } from '../limits.ts'
import type { PlainHttpCheck } from '../plain-http.ts'
import { accessRoutes } from './access.ts'
import { checkRoutes } from './check.ts'
import { clockRoutes } from './clock.ts'
import { downloadRoutes } from './download.ts'
import { eventRoutes } from './events/events.ts'
import { eventReplayRoute } from './events/replay.ts'
import { paymentRoutes } from './payment.ts'
import { recordRefusals } from './request/refused-calls.ts'
import { signatureHook } from './request/signature.ts'
import { writeRequestHook } from './request/write-request.ts'
import { subscriptionRoutes } from './subscription.ts'
import { userRoutes } from './user.ts'

/** Maximum size of a head, and of a body: enough for the longest message, 10,000 four-byte characters, escaped. */
export const MAX_REQUEST = 160 * 1024

/** The /r2/ API of one environment. */
export function r2(env: Environment, limits: RequestLimits, isPlainHttp: PlainHttpCheck) {
  return async (app: FastifyInstance): Promise<void> => {
    // Any body is taken as raw bytes: the signature determines which of them count.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: unknown) => body)
    app.decorateRequest('signed', null as never)
    app.decorateRequest('write', null as never)
    app.addHook('onRequest', refusePlainHttp(isPlainHttp, env))
    app.addHook('preValidation', signatureHook(env, app.prefix, limits))
    app.addHook('preHandler', writeRequestHook(env, app.prefix))
    recordRefusals(app, env)
    // Another process may have just moved the sandbox clock.
    if (env.name === 'sandbox') app.addHook('preHandler', env.refreshClock)
    accessRoutes(app, env)
    checkRoutes(app, env)
    subscriptionRoutes(app, env)
    paymentRoutes(app, env)
    downloadRoutes(app, env)
    userRoutes(app, env)
    eventRoutes(app, env)
    eventReplayRoute(app, env)
    if (env.name === 'sandbox') clockRoutes(app, env)
  }
}

/** Refuses before anything is read or verified, so that a client which was set up wrong learns it from its first request. */
function refusePlainHttp(isPlainHttp: PlainHttpCheck, env: Environment) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!isPlainHttp(request.raw)) return
    request.log.info({ reason: 'plain http', environment: env.name }, 'request refused')
    throw fail('https_required')
  }
}
