import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import type { Limiter } from '../limits.ts'
import { accessRoutes } from './access.ts'
import { clockRoutes } from './clock.ts'
import { downloadRoutes } from './download.ts'
import { paymentRoutes } from './payment.ts'
import { noteRefusals } from './refusals.ts'
import { signatureHook } from './signature.ts'
import { subscriptionRoutes } from './subscription.ts'
import { userRoutes } from './user.ts'

/** Of a head, and of a body: room for the longest message, 10,000 characters of four bytes, escaped. */
export const LARGEST_REQUEST = 160 * 1024

/** The /r2/ interface of one environment. */
export function r2(env: Environment, limiter: Limiter) {
  return async (app: FastifyInstance): Promise<void> => {
    // Any body is taken as bytes: which of them count is for the signature to say.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: unknown) => body)
    // The query is read from the signed bytes by `readParameters`; schemas describe, we check.
    app.setValidatorCompiler(() => () => true)
    app.decorateRequest('signed', null as never)
    app.addHook('preValidation', signatureHook(env, app.prefix, limiter))
    noteRefusals(app, env)
    // The sandbox's clock may have been moved by another process a moment ago.
    if (env.name === 'sandbox') app.addHook('preHandler', env.refreshClock)
    accessRoutes(app, env)
    subscriptionRoutes(app, env)
    paymentRoutes(app, env)
    downloadRoutes(app, env)
    userRoutes(app, env)
    if (env.name === 'sandbox') clockRoutes(app, env)
  }
}
