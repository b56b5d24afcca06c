import { randomBytes } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'
import { ANSWER_HEADERS } from './answers.ts'
import { whenOver } from './connection.ts'
import { hasBody, problemWithFrame } from './headers.ts'
import { createLimiter } from './limits.ts'
import type { Siblings } from './siblings.ts'
import { isCanonical } from './targets.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route itself bounds how many are in it at a time. */
    hasOwnLimit?: true
  }
  interface FastifyRequest {
    /** Whether the service asks itself, to compare: such a request counts for nobody. */
    isOwn: boolean
  }
}

/** Carries a secret of this process by which its own requests are known. */
const OWN_HEADER = 'gatehouse-own-request'

/** Returns the headers for requests of our own. Before anything else that looks at a request. */
export function recognizeOwn(app: FastifyInstance): Record<string, string> {
  const secret = randomBytes(16).toString('hex')
  app.decorateRequest('isOwn', false)
  app.addHook('onRequest', async (request) => {
    request.isOwn = request.headers[OWN_HEADER] === secret
  })
  return { [OWN_HEADER]: secret }
}

/** What the process tells its doors. */
export interface Lifecycle {
  /** Set when the service is about to stop: it is not ready any more. */
  draining: boolean
  /** Set when no new connection is taken: every answer ends its connection. */
  closing?: boolean
}

/** Requests that are being answered just now, by whichever way they came. */
export interface InFlight {
  count: number
}

/** The first thing that happens to every request. */
export function arrival(config: Config, siblings: Siblings, inFlight: InFlight) {
  const perAddress = createLimiter('address', config.limits.perAddress, siblings)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(ANSWER_HEADERS)
    const problem = problemWithFrame(request.raw)
    if (problem !== undefined) throw fail('invalid_request', problem)
    // The body of any other method is never read, and might never end.
    if (request.method !== 'POST' && hasBody(request.raw)) reply.header('connection', 'close')
    if (!isCanonical(request.raw.url as string)) throw fail('path_not_found')
    if (!request.isOwn) perAddress.count(request.ip)
    // Downloads take seconds to hours: they are counted apart.
    const takes = request.isOwn || request.routeOptions.config.hasOwnLimit ? 0 : 1
    if (takes > 0 && inFlight.count >= config.limits.inFlight) throw fail('overloaded')
    inFlight.count += takes
    whenOver(request, reply, () => {
      inFlight.count -= takes
    })
  }
}

/** Node would answer an unknown `Expect` by itself, with a status that is not of this interface. */
export function takeExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  )
}

/** So long an idle connection is kept for sure, also by a process that is going. Told with every answer: a
 * client that heeds it, as Node's do, never sends a request into a connection that is just being closed.
 * Less would not do: fetch lets go two seconds earlier, and at once if none are left. */
export const KEPT_SECONDS = 3

const KEPT = `timeout=${KEPT_SECONDS}`

/** What an answer says of its connection. */
export function connectionHeader({ closing }: Lifecycle): [name: string, value: string] {
  return closing ? ['connection', 'close'] : ['keep-alive', KEPT]
}

export function tellOfConnection(reply: FastifyReply, lifecycle: Lifecycle): void {
  // One that is to be closed for a reason of its own stays so.
  if (!reply.hasHeader('connection')) reply.header(...connectionHeader(lifecycle))
}

/** The last thing that happens to every answer, so that also those under way end their connection. */
export function departure(lifecycle: Lifecycle) {
  return (_: FastifyRequest, reply: FastifyReply, __: unknown, done: () => void): void => {
    tellOfConnection(reply, lifecycle)
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

/** Not by Node's own maxConnections: a worker over that hands the connection back, and it goes in circles
 * between workers that are full. */
function limitAll(app: FastifyInstance, most: number): void {
  let open = 0
  app.server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
    if (open > most) socket.destroy()
  })
}

/** Bounds the connections, of all and of each address; a trusted proxy brings those of many. */
export function limitConnections(app: FastifyInstance, config: Config): void {
  limitAll(app, config.limits.connections)
  const most = config.limits.connectionsPerAddress
  if (most === 0) return
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
    if (count > most) socket.destroy()
  })
}
