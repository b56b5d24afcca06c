import type { FastifyInstance } from 'fastify'
import { unsubscribe } from '../../../domain/notifications/unsubscribe.ts'
import { fail } from '../../../errors.ts'
import { suspect } from '../refusals.ts'
import type { RouteContext } from '../route.ts'
import { realTimeOf } from './sign-in.ts'

export const MAX_BODY = 4 * 1024

/** The body of a one-click request, as a mail program sends it: a form, or a multipart form (RFC 8058). White space is
 * removed before, because a pattern would try each part of a long run of it. */
const ONE_CLICK = /\bList-Unsubscribe(?:=|"?)One-Click\b/i

const nobody = () => undefined

export const isOneClick = (body: string) => ONE_CLICK.test(body.replace(/\s+/g, ''))

/**
 * The address in the header of each notification. A mail program posts to it, without a cookie, and that switches off
 * this one kind of email and nothing else. A person who opens it is sent to the page with her choices, and has to sign
 * in: programs that look at every link of an email must not unsubscribe anybody.
 */
export function unsubscribeRoutes({ ctx, refusals }: RouteContext, home: string) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, async (_: unknown, body: unknown) => body)
    const schema = { hide: true }
    const path = '/dashboard/unsubscribe/:token'
    app.get(path, { schema }, async (_, reply) => {
      return reply.redirect(`${home}account/notifications`, 302)
    })
    app.post(path, { schema, bodyLimit: MAX_BODY }, async (request, reply) => {
      if (!isOneClick(String(request.body ?? ''))) throw fail('invalid_request')
      const { token } = request.params as { token: string }
      suspect(request, { typed: token })
      await refusals.watch(request, { method: 'POST', path }, nobody, async () =>
        unsubscribe(ctx.control, await ctx.staffSecret(), token, realTimeOf(ctx)),
      )
      return reply.code(204).send()
    })
  }
}
