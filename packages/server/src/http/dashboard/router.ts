import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Environment } from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { cleanAgent, withAuditTrail } from '../../domain/staff/audit-trail.ts'
import { isConfirmed } from '../../domain/staff/sessions.ts'
import { fail } from '../../errors.ts'
import { hasBody } from '../headers.ts'
import { audited } from './audited.ts'
import { type Caller, requireInScope } from './caller.ts'
import { handleOnce } from './management/once.ts'
import {
  environmentIn,
  type Params,
  type Reader,
  readerOf,
  readJsonBody,
  readQuery,
  requireSoundParams,
} from './parameters.ts'
import type {
  AllowedCallers,
  ApiRequest,
  AppRequest,
  Route,
  RouteContext,
  StaffRequest,
} from './route.ts'

const MAX_BODY = 64 * 1024

/** A way to the routes: where it has them, and how it finds out who calls. */
export interface Entry {
  /** Undefined if it doesn't have the route. */
  urlOf(route: Route): string | undefined
  /** Refuses what it can without asking the database. */
  screen(ctx: Context, route: Route, request: FastifyRequest): void
  /** Throws unless the request names somebody. */
  authenticate(ctx: Context, request: FastifyRequest): Promise<Caller>
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** Registers the routes of an entry with the server, each with its access checks. */
export function registerRoutes(
  app: FastifyInstance,
  shared: RouteContext,
  routes: readonly Route[],
  entry: Entry,
): void {
  takeBodies(app)
  for (const route of routes) {
    const url = entry.urlOf(route)
    if (url === undefined) continue
    app.route({
      ...{ method: route.method, url },
      schema: { hide: true },
      bodyLimit: MAX_BODY,
      onRequest: (request) =>
        watched(shared, route, request, () => authorize(shared.ctx, entry, route, request)),
      handler: handlerOf(shared, entry, route),
    })
  }
}

const watched = <R>(
  { refusals }: RouteContext,
  route: Route,
  request: FastifyRequest,
  work: () => Promise<R>,
): Promise<R> => refusals.watch(request, route, () => callers.get(request)?.actor, work)

/** Keeps JSON as bytes for the handler; a file is left unread, to be streamed. */
function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const kept = async (_: unknown, body: unknown) => body
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, kept)
  app.addContentTypeParser('application/octet-stream', async () => undefined)
}

const JSON_TYPE = /^application\/json *(?:; *charset=utf-8 *)?$/i

/** Runs before any part of a body is read. */
async function authorize(
  ctx: Context,
  entry: Entry,
  route: Route,
  request: FastifyRequest,
): Promise<void> {
  entry.screen(ctx, route, request)
  requireExpectedBody(route, request)
  if (route.allowed === 'anybody') return
  const caller = await authenticate(ctx, entry, route.allowed, request)
  if (route.confirmation === 'recent') requireConfirmed(ctx, caller)
}

function requireConfirmed(ctx: Context, caller: Caller): void {
  if (!isConfirmed(caller, realTimeOf(ctx))) throw fail('confirmation_required')
}

const realTimeOf = ({ environments }: Context) => environments.production.realTime()

async function authenticate(
  ctx: Context,
  entry: Entry,
  allowed: Exclude<AllowedCallers, 'anybody'>,
  request: FastifyRequest,
): Promise<Caller> {
  const caller = await entry.authenticate(ctx, request)
  callers.set(request, caller)
  if (allowed !== 'signed in' && !allowed.includes(caller.staff.role)) throw fail('not_allowed')
  return caller
}

/** A file is accepted only where no JSON is expected. */
function requireExpectedBody(route: Route, { raw, headers }: FastifyRequest): void {
  const type = headers['content-type'] ?? ''
  if (headers['content-encoding'] !== undefined) {
    throw fail('invalid_request', 'The body must not be compressed.')
  }
  if (route.body ? JSON_TYPE.test(type) : !hasBody(raw) || BODY_TYPES.test(type)) return
  throw fail('invalid_request', 'The body must be of type application/json.')
}

const BODY_TYPES = /^application\/(?:octet-stream|json\b.*)$/i

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function handlerOf(shared: RouteContext, entry: Entry, route: Route): Handler {
  const readQuery = route.query && readerOf(route.query)
  const readBody = route.body && readerOf(route.body)
  return async (request, reply) => {
    const answer = await watched(shared, route, request, async () => {
      const apiRequest = readRequest(shared, route, { readQuery, readBody }, request, reply)
      return await (route.kind === 'public'
        ? route.handle(apiRequest as never)
        : dispatch(shared.ctx, entry, route, apiRequest))
    })
    // `Connection: close` was set in case the body stays unread.
    if (request.raw.complete) reply.removeHeader('connection')
    if (answer !== undefined || reply.sent) return answer
    return reply.code(204).removeHeader('content-type').send()
  }
}

function readRequest(
  shared: RouteContext,
  route: Route,
  read: { readQuery: Reader | undefined; readBody: Reader | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): ApiRequest {
  const params = request.params as Params
  requireSoundParams(params)
  const query = route.query && read.readQuery?.(readQuery(request, route.query))
  const body = read.readBody?.(readJsonBody(request))
  const ctx = withOrigin(shared.ctx, request)
  return { ...shared, ctx, params, query, body, request, reply }
}

/** What is done for the request is recorded with its client and its session. */
function withOrigin(ctx: Context, request: FastifyRequest): Context {
  const origin = {
    address: request.ip,
    agent: cleanAgent(request.headers['user-agent'] ?? ''),
    session_id: callers.get(request)?.sessionId ?? null,
  }
  return { ...ctx, control: withAuditTrail(ctx.control, { origin }) }
}

/** Handles a request of an authorized member. A route with an audit name is logged before and after the work,
 * except for a preview. */
async function dispatch(
  ctx: Context,
  entry: Entry,
  route: Route,
  apiRequest: ApiRequest,
): Promise<unknown> {
  const { request } = apiRequest
  const caller = callers.get(request)
  if (!caller) throw fail('not_signed_in')
  const { confirmation } = route
  if (typeof confirmation === 'function' && confirmation(apiRequest.body as never)) {
    requireConfirmed(ctx, caller)
  }
  tellTime(apiRequest, ctx.environments.production)
  const details: Record<string, string | number | boolean> = {}
  const staffRequest: StaffRequest = {
    ...apiRequest,
    caller,
    staff: caller.staff,
    actor: caller.actor,
    reauthorize: async () => {
      if (route.allowed !== 'anybody') await authenticate(ctx, entry, route.allowed, request)
    },
    note: (more) => {
      Object.assign(details, more)
    },
  }
  const application =
    route.kind === 'application' ? await resolveApplication(ctx, route, staffRequest) : {}
  const whole = { ...staffRequest, ...application }
  const { action } = route
  if (action === undefined || isPreview(apiRequest)) return await route.handle(whole as never)
  const work = (changed: StaffRequest) =>
    audited(action, staffRequest, details, () => route.handle(changed as never))
  if (!caller.isProgram || !('env' in whole)) return await work(whole)
  return await handleOnce(route, whole as AppRequest, work)
}

/** The app shows times relative to the environment's clock, not the browser's, which may be wrong. */
function tellTime({ reply }: ApiRequest, env: Environment): void {
  reply.header('gatehouse-time', `${env.name} ${env.realTime() + env.clockOffset() * 1000}`)
}

/** Routes that support a preview have this parameter. */
const isPreview = ({ query, body }: ApiRequest) =>
  [query, body].some((given) => (given as { dry_run?: boolean } | undefined)?.dry_run === true)

/** An archived application can be viewed but not changed. */
async function resolveApplication(
  ctx: Context,
  route: Route,
  staffRequest: StaffRequest,
): Promise<Pick<AppRequest, 'env' | 'aid'>> {
  const { caller, params } = staffRequest
  const { aid = '' } = params
  const env = environmentIn(ctx, params)
  await env.refreshClock()
  tellTime(staffRequest, env)
  requireInScope(caller, aid)
  const { archived } = await getApplication(env.database.read, aid)
  const isChange = route.action !== undefined && route.method !== 'GET'
  if (archived !== null && isChange) throw fail('application_not_found')
  return { env, aid }
}
