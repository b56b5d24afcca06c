import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { brandOf } from '../../domain/brand/brand.ts'
import {
  type AccessFiles,
  getAccessFiles,
  planReaderLink,
  type ReaderFile,
} from '../../domain/downloads/reader-files.ts'
import { listOffers } from '../../domain/resources/prices.ts'
import { requireLinkNotEnded } from '../../domain/users/reader-links.ts'
import { fail } from '../../errors.ts'
import { refuseReaderLink, rememberBrand } from '../pages/error-brand.ts'
import { requireOwnForm } from '../pages/form.ts'
import { formatsFor } from '../pages/locale.ts'
import { sendPage } from '../pages/page.ts'
import { prepareReaderPages } from '../pages/reader-pages.ts'
import { endedPage, type FilesPageLink, filePage, filesPage } from './files-page.ts'
import { filesTexts } from './texts.ts'

interface TokenRoute {
  Params: { token: string }
}

interface FileRoute {
  Params: { token: string; id: string }
}

/** Registers the pages on which a reader downloads what an access record covers, reached by a link from a mail or from
 * another page. */
export function filesRoutes(env: Environment) {
  return async (app: FastifyInstance): Promise<void> => {
    prepareReaderPages(app, env, filesTexts().errors)

    app.get<TokenRoute>('/files/:token', async (request, reply) => {
      const { accessFiles, link } = await openFilesLink(env, request)
      if (!accessFiles.isLive) return sendPage(env, reply, 403, await ended(env, accessFiles))
      return sendPage(
        env,
        reply,
        200,
        filesPage(env, accessFiles, link, formatsOf(request, accessFiles)),
      )
    })

    app.get<FileRoute>('/files/:token/:id', async (request, reply) => {
      const { id } = request.params
      const { accessFiles, link } = await openFilesLink(env, request)
      if (!accessFiles.isLive) return sendPage(env, reply, 403, await ended(env, accessFiles))
      const page = filePage(
        env,
        accessFiles,
        getFile(accessFiles, id),
        link,
        formatsOf(request, accessFiles),
      )
      return sendPage(env, reply, 200, page)
    })

    /** Makes a new link for each click, so that no page or mail has one that lives long. */
    app.post<FileRoute>(
      '/files/:token/:id',
      { onRequest: requireOwnForm(env) },
      async (request, reply) => {
        const { id } = request.params
        const { accessFiles, link } = await openFilesLink(env, request)
        if (!accessFiles.isLive) return sendPage(env, reply, 403, await ended(env, accessFiles))
        const limits = { until: link.until, maxLinkLifetime: env.maxLinkLifetime }
        const download = planReaderLink(accessFiles, id, limits, link.now)
        return reply.redirect(await env.downloadLink(download), 303)
      },
    )
  }
}

const formatsOf = (request: FastifyRequest, { app }: AccessFiles) =>
  formatsFor(request, brandOf(app))

/** Verifies the token before it looks up anything that the token names. */
async function openFilesLink(
  env: Environment,
  request: FastifyRequest<TokenRoute>,
): Promise<{ accessFiles: AccessFiles; link: FilesPageLink }> {
  const now = env.clock()
  const { token } = request.params
  const check = await env.readFilesToken(token)
  if (!check.ok) return await refuseReaderLink(env, request, check)
  const { aid, accessId: id, linkNumber, expires: until } = check
  const accessFiles = await getAccessFiles(env.database.read, { aid, id }, now)
  rememberBrand(request, brandOf(accessFiles.app))
  requireLinkNotEnded(linkNumber, accessFiles.linkNumber)
  return { accessFiles, link: { token, until, now } }
}

function getFile({ files }: AccessFiles, id: string): ReaderFile {
  const file = files.find((one) => one.id === id)
  if (!file) throw fail('download_not_found')
  return file
}

async function ended({ database, address }: Environment, accessFiles: AccessFiles) {
  const { aid, rid } = accessFiles.resource
  const isOnSale = (await listOffers(database.read, aid, rid)).length > 0
  return endedPage(
    accessFiles,
    isOnSale ? `${address()}/checkout/${aid}/${encodeURIComponent(rid)}` : undefined,
  )
}
