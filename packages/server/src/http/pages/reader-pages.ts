import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { sendErrorPages } from './error-page.ts'
import type { ErrorTexts } from './texts.ts'

/** Prepares routes that show pages to readers: they are not in the contract, follow the environment's clock and answer
 * failures with a page. Bodies stay raw bytes, whatever their content type: each route parses its own. */
export function prepareReaderPages(
  app: FastifyInstance,
  env: Environment,
  errors: ErrorTexts,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: unknown) => body)
  app.addHook('onRoute', (route) => {
    route.schema = { hide: true }
  })
  app.addHook('onRequest', () => env.refreshClock())
  sendErrorPages(app, env, errors)
}
