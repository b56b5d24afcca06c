import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { SignedInStaff } from '../../../domain/staff/sessions.ts'
import type { WhereChanged } from '../../../domain/staff/weaker-sessions.ts'
import { fail } from '../../../errors.ts'
import { memberCaller } from '../caller.ts'
import { addressOf, passkeyHostsAt, requireOwnOrigin } from '../origin.ts'
import type { Entry } from '../router.ts'
import { identify } from './session.ts'

const PLAIN = 'The dashboard requires https, or http://localhost. See docs/run/dashboard.md.'

const signedIn = new WeakMap<FastifyRequest, SignedInStaff>()

/** Returns who makes the request. Only for routes that require a session. */
export function staffOf(request: FastifyRequest): SignedInStaff {
  const member = signedIn.get(request)
  if (!member) throw fail('not_signed_in')
  return member
}

/** Where the sessions end that began with less than a change asks for: all but the one of the request. */
export const whereChanged = ({ config }: Context, request: FastifyRequest): WhereChanged => ({
  hosts: passkeyHostsAt(config, request),
  spared: staffOf(request).sessionId,
})

/** The way of the web app: a cookie names the session of a member. */
export const SESSIONS: Entry = {
  urlOf: ({ path }) => `/dashboard/api${path}`,

  screen(ctx, route, request) {
    const address = addressOf(ctx.config, request)
    if (address.kind === 'plain') throw fail('https_required', PLAIN)
    if (route.method !== 'GET') requireOwnOrigin(request, address)
  },

  async authenticate(ctx, request) {
    const member = await identify(ctx, request, addressOf(ctx.config, request))
    if (!member) throw fail('not_signed_in')
    signedIn.set(request, member)
    return memberCaller(member)
  },
}
