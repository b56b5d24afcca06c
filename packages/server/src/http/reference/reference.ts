import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { type Prefixes, prefixesOf } from '../../config/addresses.ts'
import type { Context } from '../../context.ts'
import { listRecordSchemas } from '../../records/declare.ts'
import { isAtSandboxHost } from '../targets.ts'
import { guideRoutes } from './guides/routes.ts'
import { managementPage } from './management-page.ts'
import { contractOptions } from './openapi.ts'
import { referencePage } from './page.ts'
import { REFERENCE_HEADERS } from './shell.ts'

/** Serves the API contract, and pages to read it and the contract of the management API. Must be registered before the
 * routes that it describes. */
export async function reference(
  app: FastifyInstance,
  ctx: Context,
  managementContract: () => object,
): Promise<void> {
  const prefixes = prefixesOf(ctx.config)
  for (const schema of listRecordSchemas()) app.addSchema(schema)
  await app.register(swagger, contractOptions(prefixes))
  guideRoutes(app, prefixes.production)
  let page: string | undefined
  app.get(`${prefixes.production}/openapi.json`, { schema: { hide: true } }, async () =>
    app.swagger(),
  )
  app.get(`${prefixes.production}/docs`, { schema: { hide: true } }, async (_, reply) => {
    page ??= referencePage(app.swagger())
    reply.headers(REFERENCE_HEADERS)
    return page
  })
  let ofManagement: string | undefined
  app.get(
    `${prefixes.production}/docs/management`,
    { schema: { hide: true } },
    async (_, reply) => {
      ofManagement ??= managementPage(managementContract())
      reply.headers(REFERENCE_HEADERS)
      return ofManagement
    },
  )
  leadFromSandbox(app, ctx, prefixes)
}

/** Both environments have one contract. The address of the sandbox is where a developer looks for it. */
function leadFromSandbox(
  app: FastifyInstance,
  { config, environments }: Context,
  prefixes: Prefixes,
) {
  for (const path of ['/docs', '/openapi.json']) {
    app.get(`${prefixes.sandbox}${path}`, { schema: { hide: true } }, async ({ raw }, reply) => {
      // At the host name of the sandbox, the path alone would lead here again.
      const base = isAtSandboxHost(config, raw)
        ? environments.production.address()
        : prefixes.production
      return reply.redirect(`${base}${path}`)
    })
  }
}
