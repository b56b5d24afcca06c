import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { interceptRequests } from '../../../cluster/node-patches.ts'
import type { Config } from '../../../config/config.ts'
import type { Environment } from '../../../context.ts'
import { rewriteUrlByHost } from '../../targets.ts'
import { type AccessCheckOptions, createAccessChecks } from './access-checks.ts'
import { plainAuthorization } from './plain-request.ts'
import type { PendingRequest } from './responses.ts'

interface FastPathOptions extends AccessCheckOptions {
  config: Config
}

/** A batch of this size does not wait for more: it is looked up while other requests are still being read. */
const MAX_BATCH = 32

/**
 * The fast path for the most frequent request, `GET /r2/access` in production: the same rules in fewer steps. It takes
 * only plain requests, and responds only with a record or with 404; all others go to the Fastify route, which knows how
 * to refuse them.
 *
 * Requests that arrive in one iteration of the event loop are looked up together, after the last of them has arrived.
 * So every response reflects a state after its request arrived, even if the record is cached.
 */
export function installFastPath(server: Server, env: Environment, options: FastPathOptions): void {
  const { config, prefixes, lifecycle, inFlight, fastPathMetrics } = options
  // A limit per address needs the client's address behind proxies, which only the route determines.
  if (config.limits.perAddress > 0 || !config.fastPath.isOn) return
  const start = `${prefixes.production}/r2/access?`
  const { pass } = interceptRequests(server, take)
  const checks = createAccessChecks(
    env,
    { ...options, sampleEvery: config.fastPath.sample },
    passToRoute,
  )
  let batch: PendingRequest[] = []
  fastPathMetrics.switchOn()

  function take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || !fastPathMetrics.isOn()) return false
    const url = rewriteUrlByHost(config, prefixes, request)
    if (!url.startsWith(start) || lifecycle.state === 'draining' || env.keyring.refreshIfStale())
      return false
    // A client that sends the next request before it has read the response must wait: the route queues it.
    if (!response.socket || response.socket.writableLength > 0) return false
    // While a lookup takes too long, the route decides which requests may still wait.
    if (inFlight.count >= config.limits.inFlight || checks.areStuck()) return false
    const authorization = plainAuthorization(request)
    if (authorization === undefined) return false
    inFlight.count++
    const arrived = performance.now()
    const size = batch.push({ request, response, url, authorization, arrived })
    if (size === 1) setImmediate(respondToBatch)
    if (size === MAX_BATCH) respondToBatch()
    return true
  }

  function respondToBatch(): void {
    const all = batch
    batch = []
    if (all.length > 0) checks.respond(all)
  }

  /** Leaves a request to the route after all. */
  function passToRoute({ request, response }: PendingRequest): void {
    inFlight.count--
    pass(request, response)
  }
}
