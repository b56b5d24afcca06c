import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { sendErrorPages } from '../pages/error-page.ts'
import { prepareReaderPages } from '../pages/reader-pages.ts'
import { buyRoutes } from './buy.ts'
import { doneRoutes } from './done.ts'
import { eventRoutes } from './events.ts'
import type { CheckoutLimits } from './limits.ts'
import { manageRoutes } from './manage/manage.ts'
import { manageTexts } from './manage/texts.ts'
import { testCardRoutes } from './test-cards/test-cards.ts'
import { checkoutTexts } from './texts.ts'

/** Registers the checkout and manage pages and the payment provider's webhook for one environment. */
export function checkout(env: Environment, limits: CheckoutLimits) {
  return async (app: FastifyInstance): Promise<void> => {
    prepareReaderPages(app, env, checkoutTexts().errors)
    buyRoutes(app, env, limits)
    doneRoutes(app, env, limits)
    testCardRoutes(app, env, limits)
    eventRoutes(app, env)
    await app.register(async (manage) => {
      sendErrorPages(manage, env, manageTexts().errors)
      manageRoutes(manage, env, limits)
    })
  }
}
