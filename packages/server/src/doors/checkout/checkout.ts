import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { answerReaders } from '../pages/failure-page.ts'
import { buyRoutes } from './buy.ts'
import { doneRoutes } from './done.ts'
import { eventRoutes } from './events.ts'
import { manageRoutes } from './manage.ts'
import { testCardRoutes } from './test-cards.ts'

/** The pages that buyers and readers meet, and where the payment provider knocks, of one environment. */
export function checkout(env: Environment) {
  return async (app: FastifyInstance): Promise<void> => {
    // Bytes, whatever they say that they are: each route knows what it takes.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: unknown) => body)
    app.addHook('onRoute', (route) => {
      route.schema = { hide: true }
    })
    app.addHook('onRequest', () => env.refreshClock())
    answerReaders(app, env)
    buyRoutes(app, env)
    doneRoutes(app, env)
    testCardRoutes(app, env)
    manageRoutes(app, env)
    eventRoutes(app, env)
  }
}
