import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { cleanAgent } from '../../domain/staff/audit-trail.ts'
import type { Refusal } from '../../domain/staff/refusals.ts'
import { Failure, type FailureCode } from '../../errors.ts'
import { isOutOfScope } from './caller.ts'
import type { Route } from './route.ts'

/** What a handler knows of a request before it is refused. */
interface Suspicion {
  /** What was typed, or sent as proof. It is never logged, only its digest. */
  typed?: string
  reason?: Refusal
}

const suspicions = new WeakMap<FastifyRequest, Suspicion>()

/** Says what was typed, or why a request is about to be refused, in case that it is. */
export function suspect(request: FastifyRequest, more: Suspicion): void {
  suspicions.set(request, { ...suspicions.get(request), ...more })
}

const BY_CODE: Partial<Record<FailureCode, Refusal>> = {
  not_allowed: 'role',
  foreign_origin: 'foreign_origin',
  invalid_token: 'wrong_token',
  too_many_requests: 'throttled',
  link_invalid: 'wrong_link',
  link_used: 'wrong_link',
  link_expired: 'wrong_link',
  passkey_refused: 'wrong_passkey',
  passkey_required: 'passkey_missing',
}

/** The actions that ask for the password, by the field in which it is typed. */
const PASSWORD_FIELDS: Readonly<Record<string, string>> = {
  'session.confirm': 'password',
  'password.change': 'current',
}

function reasonOf(failure: Failure, action: string | undefined): Refusal | undefined {
  if (isOutOfScope(failure)) return 'token_scope'
  const field = PASSWORD_FIELDS[action ?? '']
  if (field !== undefined && failure.parameter === field) return 'wrong_password'
  return BY_CODE[failure.code]
}

interface RefusalParts {
  /** The key of the digests. */
  secret(): Promise<Buffer>
  count(reason: Refusal): void
}

/** Leaves a trace of refusals: a line in the log, and a count. */
export interface RefusalTrace {
  /** Runs the work of a request. What it throws is traced, if it is a refusal, and thrown again. `actor` names who is
   * refused, once that is known. */
  watch<R>(
    request: FastifyRequest,
    route: Pick<Route, 'method' | 'path' | 'action'>,
    actor: () => string | undefined,
    work: () => Promise<R>,
  ): Promise<R>
}

export function createRefusalTrace({ secret, count }: RefusalParts): RefusalTrace {
  const digest = async (typed: string) =>
    createHmac('sha256', await secret())
      .update(`typed ${typed.trim().toLowerCase()}`)
      .digest('hex')
      .slice(0, 16)

  return {
    async watch(request, { method, path, action }, actor, work) {
      try {
        return await work()
      } catch (error) {
        const known = suspicions.get(request)
        const reason =
          error instanceof Failure ? (known?.reason ?? reasonOf(error, action)) : undefined
        if (reason === undefined) throw error
        count(reason)
        const typed = typedIn(request, reason, known)
        request.log.warn(
          {
            ...{ event: `refused.${reason}`, address: request.ip },
            agent: cleanAgent(request.headers['user-agent'] ?? ''),
            // An outage of the database must not hide the refusal.
            ...(typed && { digest: await digest(typed).catch(() => undefined) }),
            ...{ actor: actor(), route: `${method} ${path}`, status: (error as Failure).status },
          },
          'refused',
        )
        throw error
      }
    },
  }
}

/** Handlers say what was typed; the rest is in headers. */
function typedIn(
  { headers }: FastifyRequest,
  reason: Refusal,
  known: Suspicion | undefined,
): string | undefined {
  if (reason === 'foreign_origin') return headers.origin
  if (reason === 'wrong_token') return headers.authorization
  return known?.typed
}
