import { randomBytes } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WorkerState } from '../cluster/worker-state.ts'
import type { Config } from '../config/config.ts'
import { fail } from '../errors.ts'
import { requestTurns } from '../event-loop.ts'
import { isCanonical } from '../signing/canonical.ts'
import { ClientGone, onResponseEnd } from './connection.ts'
import { hasBody, problemWithFraming } from './headers.ts'
import type { RequestLimits } from './limits.ts'
import { commonHeaders } from './response-headers.ts'
import { hasEscapedFixedPart } from './targets.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route limits its concurrent requests itself. */
    hasOwnLimit?: true
  }
  interface FastifyRequest {
    /** Whether the service sent this request to itself, to compare responses. It counts toward no limit or metric. */
    isSelfRequest: boolean
  }
}

/** Carries a secret of this process that identifies its own requests. */
const OWN_HEADER = 'gatehouse-own-request'

/** Returns the headers that mark our own requests. Must be registered before any other hook that reads a request. */
export function recognizeSelfRequests(app: FastifyInstance): Record<string, string> {
  const secret = randomBytes(16).toString('hex')
  app.decorateRequest('isSelfRequest', false)
  app.addHook('onRequest', async (request) => {
    request.isSelfRequest = request.headers[OWN_HEADER] === secret
  })
  return { [OWN_HEADER]: secret }
}

/** The state of the process, as the entry points see it. */
export interface Lifecycle {
  readonly state: WorkerState
  /** False once no new connections are accepted: every response then closes its connection. */
  isAccepting: boolean
}

/** Requests currently in progress, on the fast path and on routes. */
export interface InFlight {
  count: number
}

function isRoutable({ raw, routeOptions }: FastifyRequest): boolean {
  const target = raw.url as string
  return isCanonical(target) && !hasEscapedFixedPart(target, routeOptions.url)
}

/** The first hook that every request passes. */
export function onRequestHook(
  config: Config,
  { perAddress, counted }: RequestLimits,
  inFlight: InFlight,
) {
  const headers = commonHeaders(config)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(headers)
    const problem = problemWithFraming(request.raw)
    if (problem !== undefined) throw fail('invalid_request', problem)
    // The body of any other method is never read, and might never end.
    if (request.method !== 'POST' && hasBody(request.raw)) reply.header('connection', 'close')
    if (!isRoutable(request)) throw fail('path_not_found')
    if (!request.isSelfRequest && !counted.has(request.raw)) perAddress.count(request.ip)
    // Downloads take seconds to hours, so they are counted separately.
    const takes = request.isSelfRequest || request.routeOptions.config.hasOwnLimit ? 0 : 1
    if (takes > 0 && inFlight.count >= config.limits.inFlight) throw fail('overloaded')
    inFlight.count += takes
    onResponseEnd(request, reply, () => {
      inFlight.count -= takes
    })
  }
}

/** Waits until the event loop has time for another request. A client that disconnects meanwhile no longer counts as in
 * progress: if its request were served all the same, those who wait could become ever more. */
export async function takeTurn({ raw: { socket } }: FastifyRequest): Promise<void> {
  await requestTurns.take()
  if (socket.destroyed) throw new ClientGone()
}

/** How long an idle connection is kept open at least, even by a draining process. Every response announces it: a client
 * that honors it, as Node's do, never sends a request on a connection that is being closed. It can't be less: fetch
 * stops using a connection two seconds before the announced time, or immediately if that has passed. */
export const KEEP_ALIVE_SECONDS = 3

const KEEP_ALIVE = `timeout=${KEEP_ALIVE_SECONDS}`

/** The header that tells the client how long its connection stays open. */
export function connectionHeader({ isAccepting }: Lifecycle): [name: string, value: string] {
  return isAccepting ? ['keep-alive', KEEP_ALIVE] : ['connection', 'close']
}

export function setConnectionHeader(reply: FastifyReply, lifecycle: Lifecycle): void {
  // A connection that is to be closed for another reason stays so.
  if (!reply.hasHeader('connection')) reply.header(...connectionHeader(lifecycle))
}

/** The last hook that every response passes, so that responses in progress also close their connection. */
export function onSendHook(lifecycle: Lifecycle) {
  return (_: FastifyRequest, reply: FastifyReply, __: unknown, done: () => void): void => {
    setConnectionHeader(reply, lifecycle)
    done()
  }
}

function proxies(config: Config): BlockList {
  const list = new BlockList()
  for (const entry of config.trustedProxies) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Node's own maxConnections is not used: a worker over it hands the connection back, and between full workers the
 * connection goes in circles. */
function limitAll(app: FastifyInstance, max: number): void {
  let open = 0
  app.server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
    if (open > max) socket.destroy()
  })
}

/** Limits connections in total and per address. A trusted proxy is exempt: it carries those of many clients. */
export function limitConnections(app: FastifyInstance, config: Config): void {
  limitAll(app, config.limits.connections)
  const max = config.limits.connectionsPerAddress
  if (max === 0) return
  const trusted = proxies(config)
  const open = new Map<string, number>()
  app.server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
    if (count > max) socket.destroy()
  })
}
