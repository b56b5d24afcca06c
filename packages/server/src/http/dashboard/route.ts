import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Context, Environment } from '../../context.ts'
import type { Role, StaffMember } from '../../domain/staff/staff.ts'
import type { AfterResponse } from '../after-response.ts'
import type { RenderSample } from '../pages/sample.ts'
import type { Caller } from './caller.ts'
import type { RefusalTrace } from './refusals.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The callers that may use a route. `anybody` needs no session; `signed in` means any role. */
export type AllowedCallers = 'anybody' | 'signed in' | readonly Role[]

/** Every role, for routes that only view data. */
export const STAFF: readonly Role[] = ['owner', 'developer', 'support', 'reader']
/** May help readers: grant, extend, revoke, refund, resend mails. */
export const SUPPORT: readonly Role[] = ['owner', 'support']
/** May manage keys and settings, and create applications. */
export const DEVELOPERS: readonly Role[] = ['owner', 'developer']
/** May manage resources, prices and files. */
export const EDITORS: readonly Role[] = ['owner', 'developer', 'support']
/** May manage the team, read the audit log and archive applications. */
export const OWNERS: readonly Role[] = ['owner']

/** The dependencies that every route gets with a request. */
export interface RouteContext {
  ctx: Context
  /** Renders a page of readers with sample data. */
  renderSample: RenderSample
  refusals: RefusalTrace
  afterResponse: AfterResponse
}

/** A request to the dashboard's API, already validated. */
export interface ApiRequest<Q = unknown, B = unknown> extends RouteContext {
  params: Readonly<Record<string, string>>
  query: Q
  body: B
  request: FastifyRequest
  reply: FastifyReply
}

/** A request by a staff member, or by a program with a management token. */
export interface StaffRequest<Q = unknown, B = unknown> extends ApiRequest<Q, B> {
  caller: Caller
  /** The caller as a member; a program is one only to routes of the management API. */
  staff: StaffMember
  /** Identifies the caller in histories, as `staff:ID` or `token:ID`. */
  actor: string
  /** Throws if the caller may no longer do this. For long requests, during which the member may be disabled or the
   * token revoked. */
  reauthorize(): Promise<void>
  /** Adds details to the audit entry of this request. No secrets, and uids instead of readers' emails. */
  note(details: Readonly<Record<string, string | number | boolean>>): void
}

/** A request about an application in one environment; both exist. */
export interface AppRequest<Q = unknown, B = unknown> extends StaffRequest<Q, B> {
  env: Environment
  aid: string
}

/** A method and a path, such as `GET /payments/:id`. */
export type Target = `${Method} /${string}`

/** The declaration of a route, without its target and its handler. */
export interface RouteDeclaration<Q extends TSchema, B extends TSchema> {
  /** The action's name in the audit log, such as `access.grant`. Required for every change, and for every
   * export of readers' data. */
  action?: string
  /** `recent`: somebody else may be using the session, so a member must have proved within the last minutes who they are.
   * For what gives lasting access, and for what hands out readers' data. A function says whether this body asks for that. */
  confirmation?: 'recent' | ((body: Static<B>) => boolean)
  /** Query parameters; texts are converted to the schema's types. */
  query?: Q
  /** The JSON body. Without a schema, the body is not parsed. */
  body?: B
  /** Where the management API has this route, below its environment or its application. Without one, the route is for
   * people only. A path is a promise to programs: it stays as it is while the dashboard's own may change. */
  management?: Target
}

/** A route below `/dashboard/api`. */
export interface Route {
  method: Method
  path: string
  allowed: AllowedCallers
  action?: string
  confirmation?: 'recent' | ((body: never) => boolean)
  query?: TSchema
  body?: TSchema
  management?: Target
  kind: 'public' | 'staff' | 'application'
  handle(call: never): Promise<unknown>
}

/** Defines a route that needs no session. */
export function publicRoute<Q extends TSchema, B extends TSchema>(
  target: Target,
  route: Omit<RouteDeclaration<Q, B>, 'management'> & {
    handle(call: ApiRequest<Static<Q>, Static<B>>): Promise<unknown>
  },
): Route {
  return { ...parse(target), ...route, allowed: 'anybody', kind: 'public' }
}

/** Defines a route that concerns the whole installation. */
export function staffRoute<Q extends TSchema, B extends TSchema>(
  target: Target,
  route: RouteDeclaration<Q, B> & {
    allowed: Exclude<AllowedCallers, 'anybody'>
    handle(call: StaffRequest<Static<Q>, Static<B>>): Promise<unknown>
  },
): Route {
  return { ...parse(target), ...route, kind: 'staff' }
}

/** Defines a route of one application; the path follows `/:environment/:aid`. */
export function appRoute<Q extends TSchema, B extends TSchema>(
  target: Target,
  route: RouteDeclaration<Q, B> & {
    allowed: readonly Role[]
    handle(call: AppRequest<Static<Q>, Static<B>>): Promise<unknown>
  },
): Route {
  const { method, path } = parse(target)
  return { ...route, method, path: `/:environment/:aid${path}`, kind: 'application' }
}

function parse(target: Target): Pick<Route, 'method' | 'path'> {
  const [method, path] = target.split(' ') as [Method, string]
  return { method, path }
}
