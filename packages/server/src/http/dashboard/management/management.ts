import type { FastifyInstance } from 'fastify'
import { prefixesOf } from '../../../config/addresses.ts'
import { sendFailure, toFailure } from '../../responses.ts'
import type { RouteContext } from '../route.ts'
import { registerRoutes } from '../router.ts'
import { routes } from '../routes.ts'
import { managementDocument } from './document.ts'
import { type ManagementLimits, tokenEntry } from './entry.ts'

/** Serves the staff API to programs: the same routes, roles, schemas and audit log, by tokens instead of sessions. */
export function management(shared: RouteContext, limits: ManagementLimits) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler((error, request, reply) => {
      const failure = toFailure(error, request)
      if (failure.status === 401) reply.header('www-authenticate', 'Bearer')
      sendFailure(request, reply, failure)
    })
    let document: object | undefined
    app.get('/management/v1/openapi.json', { schema: { hide: true } }, async () => {
      document ??= managementDocument(prefixesOf(shared.ctx.config).production)
      return document
    })
    registerRoutes(app, shared, routes, tokenEntry(limits))
  }
}
