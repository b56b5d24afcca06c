import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { Failure } from '../../errors.ts'

/** What an application can mend: a check that finds nothing, and what is our own fault, are not among it. */
const NOTED = [400, 402, 429]

/** Notes what was refused after its signature proved to be good; the signature's own hook notes the rest. */
export function noteRefusals(app: FastifyInstance, env: Environment): void {
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
  app.addHook('onClose', () => env.calls.flush())
}

/** The method, and the pattern of the route: what was sent has people's addresses in it. */
export const callOf = (request: FastifyRequest, prefix: string) => ({
  method: request.method,
  route: (request.routeOptions.url ?? '').slice(prefix.length),
})

/** Its name, if it is one of the route's own: a message can begin with whatever was sent. */
function parameterIn(request: FastifyRequest, { code, message }: Failure): string | null {
  if (code !== 'invalid_parameter') return null
  const name = message.split(':', 1)[0] as string
  const { querystring } = (request.routeOptions.schema ?? {}) as {
    querystring?: { properties?: object }
  }
  return Object.hasOwn(querystring?.properties ?? {}, name) ? name : null
}
