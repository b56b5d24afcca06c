import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { onHoldFailure } from '../../domain/hold/on-hold.ts'
import { recordEvent } from '../../domain/payments/event-arrival.ts'
import { applyEvent } from '../../domain/payments/events.ts'
import { ProviderError } from '../../domain/payments/provider-error.ts'
import { fail } from '../../errors.ts'

const MAX_EVENT = 1024 * 1024

/** The payment provider's webhook. The provider retries every event that is not accepted. */
export function eventRoutes(app: FastifyInstance, env: Environment): void {
  app.post<{ Params: { provider: string } }>(
    '/events/:provider',
    { bodyLimit: MAX_EVENT },
    async ({ params, headers, body }) => {
      const { provider } = env
      if (provider?.name !== params.provider) throw fail('path_not_found')
      // The provider will retry. Until we have reconciled with it, the event's subject may be unknown here.
      if (await env.isOnHold()) throw onHoldFailure()
      const bytes = body instanceof Buffer ? body : Buffer.alloc(0)
      const subjects = await provider.readEvent({ headers, body: bytes, realTime: env.realTime() })
      if (!subjects)
        throw fail(
          'invalid_request',
          'This is not a valid event of the payment provider, or it is too old.',
        )
      await recordEvent(env)
      try {
        for (const subject of subjects) await applyEvent(env, subject)
      } catch (error) {
        if (error instanceof ProviderError) throw fail('provider_unavailable')
        throw error
      }
      return { received: true }
    },
  )
}
