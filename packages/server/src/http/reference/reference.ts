import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Prefixes } from '../../config/addresses.ts'
import { listRecordSchemas } from '../../records/declare.ts'
import { guideRoutes } from './guides/routes.ts'
import { referencePage } from './page.ts'
import { STYLE } from './style.ts'
import { LICENSE, listTags, tagsOf } from './tags.ts'

const DESCRIPTION = `Who may see what. Every request is signed: \`Authorization: AID:SIGNATURE\`, where the
signature is the HMAC-SHA-256, in url-safe Base64, of the method, a space, and the request target from
\`/r2/\` on, byte for byte, under the application's private key.`

/** The page may use its own style and nothing else: no script, no image, no font, no frame. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/** Serves the API contract and a page to read it. Must be registered before the routes that it describes. */
export async function reference(app: FastifyInstance, prefixes: Prefixes): Promise<void> {
  for (const schema of listRecordSchemas()) app.addSchema(schema)
  await app.register(swagger, {
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
            description: 'AID:SIGNATURE',
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
  })
  guideRoutes(app, prefixes.production)
  let page: string | undefined
  app.get(`${prefixes.production}/openapi.json`, { schema: { hide: true } }, async () =>
    app.swagger(),
  )
  app.get(`${prefixes.production}/docs`, { schema: { hide: true } }, async (_, reply) => {
    page ??= referencePage(app.swagger())
    reply.headers(PAGE_HEADERS)
    return page
  })
}
