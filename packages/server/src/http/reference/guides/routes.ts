import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { fail } from '../../../errors.ts'
import { guidesFolder } from '../../../guides-folder.ts'
import { documentHeaders } from '../shell.ts'
import { type Library, openLibrary, PICTURES } from './library.ts'
import { GUIDE_STYLE, guidePage, searchPage } from './page.ts'

/** The pages send the search to us, and load nothing but pictures from here. */
const PAGE_HEADERS = documentHeaders(
  GUIDE_STYLE,
  "img-src 'self'; base-uri 'none'; form-action 'self'",
)

const PICTURE_HEADERS = { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' }

const hidden = { hide: true } as object

/** Serves the guides below `/docs/guides`, and their search. */
export function guideRoutes(app: FastifyInstance, prefix: string): void {
  const at = {
    reference: `${prefix}/docs`,
    guides: `${prefix}/docs/guides`,
    search: `${prefix}/docs/search`,
  }
  let opened: Library | undefined
  const library = () => {
    opened ??= openLibrary(guidesFolder(), at.guides)
    return opened
  }
  const showGuide = (slug: string) => {
    const guide = library().find(slug)
    if (!guide) throw fail('path_not_found')
    return guidePage(library(), guide, at)
  }
  app.get(at.guides, { schema: hidden }, async (_, reply) => {
    const page = showGuide('')
    return reply.headers(PAGE_HEADERS).send(page)
  })
  for (const path of ['/:folder', '/:folder/:page']) {
    app.get<{ Params: Record<string, string> }>(
      `${at.guides}${path}`,
      { schema: hidden },
      async ({ params }, reply) => {
        const page = showGuide(Object.values(params).join('/'))
        return reply.headers(PAGE_HEADERS).send(page)
      },
    )
  }
  app.get<{ Params: { folder: string; name: string } }>(
    `${at.guides}/${PICTURES}/:folder/:name`,
    { schema: hidden },
    async ({ params: { folder, name } }, reply) => {
      const path = library().findPicture(`${folder}/${name}`)
      if (path === undefined) throw fail('path_not_found')
      return reply.headers(PICTURE_HEADERS).send(await readFile(path))
    },
  )
  const querystring = Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) })
  app.get<{ Querystring: { q?: string } }>(
    at.search,
    { schema: { ...hidden, querystring } },
    async ({ query }, reply) =>
      reply.headers(PAGE_HEADERS).send(searchPage(library(), query.q ?? '', at)),
  )
}
