import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Prefixes } from '../../config/addresses.ts'
import { listRecordSchemas } from '../../records/declare.ts'
import { guideRoutes } from './guides/routes.ts'
import { managementPage } from './management-page.ts'
import { referencePage } from './page.ts'
import { REFERENCE_HEADERS } from './shell.ts'
import { LICENSE, listTags, tagsOf } from './tags.ts'

const DESCRIPTION = `Decides who may see what on your site. Every request is signed: \`Authorization: AID:SIGNATURE\`, where the
signature is the HMAC-SHA-256, in url-safe Base64, of the method, a space, and the request target from
\`/r2/\` on, byte for byte, under the application's private key.`

/** Serves the API contract, and pages to read it and the contract of the management API. Must be registered before the
 * routes that it describes. */
export async function reference(
  app: FastifyInstance,
  prefixes: Prefixes,
  managementContract: () => object,
): Promise<void> {
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
}

/** How the contract is made from the schemas of the routes. */
function contractOptions(prefixes: Prefixes): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse access API',
        version: '2',
        description: DESCRIPTION,
        license: LICENSE,
      },
      tags: listTags(),
      servers: [
        { url: prefixes.production || '/', description: 'Production.' },
        { url: prefixes.sandbox, description: 'Sandbox.' },
      ],
      components: {
        securitySchemes: {
          signature: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`AID:SIGNATURE`: the application ID and the signature of the request.',
          },
        },
      },
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    // The contract lists each endpoint once; the environments are its servers.
    transform: ({ schema, url }) => {
      const inSandbox = url.startsWith(`${prefixes.sandbox}/`)
      const prefix = inSandbox ? prefixes.sandbox : prefixes.production
      const path = url.slice(prefix.length)
      const hide = inSandbox ? { hide: !(schema && 'x-sandbox-only' in schema) } : {}
      return { schema: { ...schema, ...hide, tags: tagsOf(path) }, url: path }
    },
  }
}
