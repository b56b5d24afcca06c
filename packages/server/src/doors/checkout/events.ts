import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { fail } from '../../errors.ts'
import { onHoldFailure } from '../../hold/on-hold.ts'
import { applyEvent } from '../../payments/events.ts'
import { ProviderTrouble } from '../../payments/provider.ts'

const LARGEST_EVENT = 1024 * 1024

/** Where the payment provider tells us what has happened. It sends again what we don't take. */
export function eventRoutes(app: FastifyInstance, env: Environment): void {
  app.post<{ Params: { provider: string } }>(
    '/events/:provider',
    { bodyLimit: LARGEST_EVENT },
    async ({ params, headers, body }) => {
      const { provider } = env
      if (provider?.name !== params.provider) throw fail('path_not_found')
      // It comes again: what it is about may be unknown here until the provider's records were compared.
      if (await env.isOnHold()) throw onHoldFailure()
      const bytes = body instanceof Buffer ? body : Buffer.alloc(0)
      const subjects = await provider.readEvent({ headers, body: bytes, wall: env.wall() })
      if (!subjects)
        throw fail('invalid_request', 'This is no event of the provider, or an old one.')
      try {
        for (const subject of subjects) await applyEvent(env, subject)
      } catch (error) {
        if (error instanceof ProviderTrouble) throw fail('provider_unavailable')
        throw error
      }
      return { received: true }
    },
  )
}
