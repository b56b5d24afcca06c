import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../../context.ts'
import { Failure } from '../../../errors.ts'

/** Statuses that an application can fix. A check that finds no access, and our own errors, are not among them. */
const NOTED = [400, 402, 429]

/** Records requests that were refused after their signature was accepted; the signature hook records the others. */
export function recordRefusals(app: FastifyInstance, env: Environment): void {
  app.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof Failure) || !NOTED.includes(error.status) || !request.signed) return
    const { aid, keyId } = request.signed
    env.calls.refused({
      aid,
      ...callOf(request, app.prefix),
      status: error.status,
      reason: error.code,
      parameter: parameterIn(request, error),
      key_id: keyId,
    })
  })
  app.addHook('onClose', async () => {
    await env.calls.flush()
    await env.refusals.flush()
  })
}

/** Returns the method and the pattern of the route: the target as sent may contain email addresses. */
export const callOf = (request: FastifyRequest, prefix: string) => ({
  method: request.method,
  route: (request.routeOptions.url ?? '').slice(prefix.length),
})

/** Returns the parameter's name if the route declares it: the client may have sent any other name. */
function parameterIn(request: FastifyRequest, { parameter }: Failure): string | null {
  if (parameter === undefined) return null
  const { querystring } = (request.routeOptions.schema ?? {}) as {
    querystring?: { properties?: object }
  }
  return Object.hasOwn(querystring?.properties ?? {}, parameter) ? parameter : null
}
