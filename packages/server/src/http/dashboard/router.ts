import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Context,
  ENVIRONMENTS,
  type Environment,
  type EnvironmentName,
} from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { beginAudit, type Details, endAudit } from '../../domain/staff/audit.ts'
import type { SignedInStaff } from '../../domain/staff/sessions.ts'
import { Failure, fail } from '../../errors.ts'
import { hasBody } from '../headers.ts'
import { errorFieldsOf, sendFailure, toFailure } from '../responses.ts'
import { addressOf, requireOwnOrigin } from './origin.ts'
import { type Reader, readerOf, readJsonBody, readQuery, requireSoundParams } from './parameters.ts'
import type { ApiRequest, AppRequest, Route, Shared, StaffRequest, Who } from './route.ts'
import { identify } from './staff/session.ts'

const MAX_BODY = 64 * 1024

const signedIn = new WeakMap<FastifyRequest, SignedInStaff>()

/** Returns who makes the request. Only for routes that require a session. */
export function staffOf(request: FastifyRequest): SignedInStaff {
  const member = signedIn.get(request)
  if (!member) throw fail('not_signed_in')
  return member
}

/** Registers all routes with the server, each with its access checks. */
export function registerRoutes(
  app: FastifyInstance,
  shared: Shared,
  routes: readonly Route[],
): void {
  takeBodies(app)
  answerWithProblem(app)
  for (const route of routes) {
    const handle = handlerOf(shared, route)
    app.route({
      method: route.method,
      url: `/dashboard/api${route.path}`,
      schema: { hide: true },
      bodyLimit: MAX_BODY,
      onRequest: (request) => authorize(shared.ctx, route, request),
      handler: handle,
    })
  }
}

/** The web app shows the problem next to its field, so it gets it without the parameter's name. */
function answerWithProblem(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error, request)
    const { problem } = failure
    const about = problem === undefined ? {} : { problem }
    const body = { error: { ...errorFieldsOf(failure), ...about, request_id: request.id } }
    sendFailure(request, reply, failure, JSON.stringify(body))
  })
}

/** Keeps JSON as bytes for the handler; a file is left unread, to be streamed. */
function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const kept = async (_: unknown, body: unknown) => body
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, kept)
  app.addContentTypeParser('application/octet-stream', async () => undefined)
}

const JSON_TYPE = /^application\/json *(?:; *charset=utf-8 *)?$/i

/** Runs before any part of a body is read. */
async function authorize(ctx: Context, route: Route, request: FastifyRequest): Promise<void> {
  const address = addressOf(ctx.config, request)
  if (address.kind === 'plain') throw fail('https_required')
  if (route.method !== 'GET') requireOwnOrigin(request, address)
  requireExpectedBody(route, request)
  if (route.who === 'anybody') return
  signedIn.set(request, await authenticate(ctx, route.who, request))
}

async function authenticate(
  ctx: Context,
  who: Exclude<Who, 'anybody'>,
  request: FastifyRequest,
): Promise<SignedInStaff> {
  const member = await identify(ctx, request, addressOf(ctx.config, request))
  if (!member) throw fail('not_signed_in')
  if (who !== 'signed in' && !who.includes(member.staff.role)) throw fail('not_allowed')
  return member
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

function handlerOf(shared: Shared, route: Route): Handler {
  const readQuery = route.query && readerOf(route.query)
  const readBody = route.body && readerOf(route.body)
  return async (request, reply) => {
    const apiRequest = readRequest(shared, route, { readQuery, readBody }, request, reply)
    const answer = await (route.kind === 'public'
      ? route.handle(apiRequest as never)
      : dispatch(shared.ctx, route, apiRequest))
    // `Connection: close` was set in case the body stays unread.
    if (request.raw.complete) reply.removeHeader('connection')
    if (answer !== undefined || reply.sent) return answer
    return reply.code(204).removeHeader('content-type').send()
  }
}

function readRequest(
  shared: Shared,
  route: Route,
  read: { readQuery: Reader | undefined; readBody: Reader | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): ApiRequest {
  const params = request.params as Record<string, string>
  requireSoundParams(params)
  const query = route.query && read.readQuery?.(readQuery(request, route.query))
  const body = read.readBody?.(readJsonBody(request))
  return { ...shared, params, query, body, request, reply }
}

/** Handles a request of an authorized member. A route with an audit name is logged before and after the work,
 * except for a preview. */
async function dispatch(ctx: Context, route: Route, apiRequest: ApiRequest): Promise<unknown> {
  const { staff } = staffOf(apiRequest.request)
  tellTime(apiRequest, ctx.environments.production)
  const details: Record<string, string | number | boolean> = {}
  const staffRequest: StaffRequest = {
    ...apiRequest,
    staff,
    actor: `staff:${staff.id}`,
    reauthorize: async () => {
      if (route.who !== 'anybody') await authenticate(ctx, route.who, apiRequest.request)
    },
    note: (more) => {
      Object.assign(details, more)
    },
  }
  const application =
    route.kind === 'application' ? await resolveApplication(ctx, route, apiRequest) : {}
  const work = () => route.handle({ ...staffRequest, ...application } as never)
  if (route.action === undefined || isPreview(apiRequest)) return await work()
  return await audited(route.action, staffRequest, details, work)
}

/** The app shows times relative to the environment's clock, not the browser's, which may be wrong. */
function tellTime({ reply }: ApiRequest, env: Environment): void {
  reply.header('gatehouse-time', `${env.name} ${env.realTime() + env.clockOffset() * 1000}`)
}

/** Routes that support a preview have this parameter. */
const isPreview = ({ query, body }: ApiRequest) =>
  [query, body].some((given) => (given as { dry_run?: boolean } | undefined)?.dry_run === true)

const isEnvironment = (name: string | undefined): name is EnvironmentName =>
  ENVIRONMENTS.some((one) => one === name)

/** An archived application can be viewed but not changed. */
async function resolveApplication(
  ctx: Context,
  route: Route,
  apiRequest: ApiRequest,
): Promise<Pick<AppRequest, 'env' | 'aid'>> {
  const { environment, aid = '' } = apiRequest.params
  if (!isEnvironment(environment)) throw fail('path_not_found')
  const env = ctx.environments[environment]
  await env.refreshClock()
  tellTime(apiRequest, env)
  const { archived } = await getApplication(env.database.read, aid)
  const isChange = route.action !== undefined && route.method !== 'GET'
  if (archived !== null && isChange) throw fail('application_not_found')
  return { env, aid }
}

/** No id or name of ours is longer. */
const MAX_NAME = 255

async function audited(
  action: string,
  { ctx, staff, params, request }: StaffRequest,
  details: Details,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const cut = Object.entries(params).map(([name, text]) => [name, text.slice(0, MAX_NAME)])
  const { environment, aid, ...named } = Object.fromEntries(cut) as Record<string, string>
  const entry = { staff, action, environment, aid, params: named }
  const seq = await beginAudit(ctx.control, entry, ctx.environments.production.realTime())
  // The action is already done, so its response is sent even if the end can't be recorded.
  const end = (outcome: string) =>
    endAudit(ctx.control, seq, outcome, details).catch((error: unknown) =>
      request.log.error({ err: error }, 'the end of an audited action could not be kept'),
    )
  try {
    const answer = await work()
    if (answer instanceof Readable) return auditedStream(answer, request, end)
    await end('done')
    return answer
  } catch (error) {
    const failure = error instanceof Failure ? error : toFailure(error, request)
    await end(failure.code)
    throw failure
  }
}

/** A file is done when its last chunk has been read; that is recorded before the client sees the end. A
 * client that stops earlier is recorded as `cut_off`. */
function auditedStream(
  file: Readable,
  request: FastifyRequest,
  end: (outcome: string) => Promise<void>,
): Readable {
  const taken = new Transform({
    transform: (part, _, done) => done(null, part),
    flush: (done) => void end('done').then(() => done()),
  })
  pipeline(file, taken, (error) => {
    if (!error) return
    const isCutOff = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    void end(isCutOff ? 'cut_off' : toFailure(error, request).code)
  })
  return taken
}
