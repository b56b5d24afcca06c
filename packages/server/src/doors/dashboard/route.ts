import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Context, Environment } from '../../context.ts'
import type { Role, StaffMember } from '../../staff/staff.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may do something. `anybody` need not be signed in; `signed in` has any role. */
export type Who = 'anybody' | 'signed in' | readonly Role[]

/** Look at the place. */
export const STAFF: readonly Role[] = ['owner', 'developer', 'support', 'reader']
/** Help readers: grant, extend, revoke, refund, send again. */
export const SUPPORT: readonly Role[] = ['owner', 'support']
/** Wire it up: keys, resources, files, settings of an application. */
export const DEVELOPERS: readonly Role[] = ['owner', 'developer']
/** Offer things: resources, prices and files. */
export const EDITORS: readonly Role[] = ['owner', 'developer', 'support']
/** The team, and what can't be taken back for all. */
export const OWNERS: readonly Role[] = ['owner']

/** A request to the dashboard's API, read and checked. */
export interface Guest<Q = unknown, B = unknown> {
  ctx: Context
  params: Readonly<Record<string, string>>
  query: Q
  body: B
  request: FastifyRequest
  reply: FastifyReply
}

/** One by a member of the staff. */
export interface Visit<Q = unknown, B = unknown> extends Guest<Q, B> {
  staff: StaffMember
  /** Names the member in histories, as `staff:ID`. */
  actor: string
  /** Refuses whoever may not do this any more: for what takes long enough to be disabled meanwhile. */
  requireStill(): Promise<void>
  /** Adds to what the audit log keeps of this request. Nothing secret, and no reader's address: uids. */
  note(details: Readonly<Record<string, string | number | boolean>>): void
}

/** One about an application in one environment; both are there. */
export interface AppVisit<Q = unknown, B = unknown> extends Visit<Q, B> {
  env: Environment
  aid: string
}

interface Shape<Q extends TSchema, B extends TSchema> {
  method: Method
  /** What the audit log calls it: `access.grant`. Whatever changes something has one, and whatever hands
   * out readers' data as a file. */
  action?: string
  /** Parameters of the address; texts are turned into what the schema says. */
  query?: Q
  /** JSON. Without one, a body is not read. */
  body?: B
}

/** A route below `/dashboard/api`, as the list of them holds it. */
export interface Route {
  method: Method
  path: string
  who: Who
  action?: string
  query?: TSchema
  body?: TSchema
  kind: 'guest' | 'staff' | 'application'
  handle(visit: never): Promise<unknown>
}

/** For whoever is not signed in. */
export function guestRoute<Q extends TSchema, B extends TSchema>(
  route: Shape<Q, B> & {
    path: string
    handle(guest: Guest<Static<Q>, Static<B>>): Promise<unknown>
  },
): Route {
  return { ...route, who: 'anybody', kind: 'guest' }
}

/** Of the whole installation. */
export function staffRoute<Q extends TSchema, B extends TSchema>(
  route: Shape<Q, B> & {
    path: string
    who: Exclude<Who, 'anybody'>
    handle(visit: Visit<Static<Q>, Static<B>>): Promise<unknown>
  },
): Route {
  return { ...route, kind: 'staff' }
}

/** Of one application; `path` is what comes after `/:environment/:aid`. */
export function appRoute<Q extends TSchema, B extends TSchema>(
  route: Shape<Q, B> & {
    path: string
    who: readonly Role[]
    handle(visit: AppVisit<Static<Q>, Static<B>>): Promise<unknown>
  },
): Route {
  return { ...route, path: `/:environment/:aid${route.path}`, kind: 'application' }
}
