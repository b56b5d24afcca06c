import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { requireManagementToken, type TokenRow } from '../../../domain/staff/management-tokens.ts'
import { Failure, fail } from '../../../errors.ts'
import type { Limiter } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { addressOf } from '../origin.ts'
import type { Route } from '../route.ts'
import type { Entry } from '../router.ts'

export interface ManagementLimits {
  /** Requests of each token. */
  perToken: Limiter
  /** Requests with a wrong token from each address. A right token is never refused for the wrong ones of others. */
  wrongTokens: Limiter
}

/** The path of a route in the management API, as Fastify writes it. */
export function managementPath({ kind, management }: Route): string | undefined {
  if (management === undefined) return undefined
  const path = management.slice(management.indexOf('/'))
  const below = kind === 'application' ? '/applications/:aid' : ''
  return `/management/v1/:environment${below}${path}`
}

/** How programs call the routes: they authenticate with a token in a header. No browser sends it by itself, so the rules
 * about cookies and origins don't apply. */
export function tokenEntry({ perToken, wrongTokens }: ManagementLimits): Entry {
  return {
    urlOf: managementPath,

    screen(ctx, _, request) {
      if (addressOf(ctx.config, request).kind === 'plain') throw fail('https_required', PLAIN)
    },

    async authenticate(ctx, request) {
      const row = await requireToken(ctx, request).catch((error: unknown) => {
        if (error instanceof Failure && error.status === 401) wrongTokens.count(request.ip)
        throw error
      })
      perToken.count(`token ${row.id}`)
      return programCaller(row)
    },
  }
}

const PLAIN = 'A token can be read along the way over plain HTTP. Use https, or http://localhost.'

const BEARER = /^Bearer +(\S+) *$/i

async function requireToken({ control, environments }: Context, { headers }: FastifyRequest) {
  const token = BEARER.exec(headers.authorization ?? '')?.[1] ?? ''
  return await requireManagementToken(control, token, environments.production.realTime())
}

const programCaller = ({ id, name, role, aid }: TokenRow): Caller => ({
  staff: { id, name, role, email: '' },
  actor: `token:${id}`,
  isProgram: true,
  confirmedAt: Number.POSITIVE_INFINITY,
  onlyAid: aid,
  sessionId: null,
})
