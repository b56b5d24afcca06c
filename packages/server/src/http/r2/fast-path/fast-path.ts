import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { interceptRequests } from '../../../cluster/node-patches.ts'
import type { Config } from '../../../config/config.ts'
import type { Environment } from '../../../context.ts'
import { createAddressReader } from '../../client-address.ts'
import type { PlainHttpCheck } from '../../plain-http.ts'
import { requestIdOf } from '../../request-id.ts'
import { rewriteUrlByHost } from '../../targets.ts'
import { type AccessCheckOptions, createAccessChecks } from './access-checks.ts'
import { readPlainRequest } from './plain-request.ts'
import type { PendingRequest } from './responses.ts'

interface FastPathOptions extends AccessCheckOptions {
  config: Config
  isPlainHttp: PlainHttpCheck
  /** Whether requests that are part of a trace get spans, which only the route makes. */
  makesSpans: boolean
}

/** A batch of this size does not wait for more: it is looked up while other requests are still being read. */
const MAX_BATCH = 32

/**
 * The fast path for the most frequent request, `GET /r2/access`: the same rules in fewer steps. It takes only plain
 * requests, and responds only with a record or with 404; all others go to the Fastify route, which knows how to refuse
 * them.
 */
export function installFastPath(
  server: Server,
  environments: readonly Environment[],
  options: FastPathOptions,
): void {
  const { config, prefixes, lifecycle, inFlight, limits, fastPathMetrics } = options
  if (!config.fastPath.isOn) return
  const addressOf = config.limits.perAddress > 0 ? createAddressReader(config) : () => ''
  const { pass } = interceptRequests(server, take)
  const batchers = environments.map((env) => createBatcher(env, options, passToRoute))
  fastPathMetrics.switchOn()

  function take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || !fastPathMetrics.isOn()) return false
    const url = rewriteUrlByHost(config, prefixes, request)
    const batcher = batchers.find(({ start }) => url.startsWith(start))
    if (!batcher?.isReady() || lifecycle.state === 'draining') return false
    // A client that sends the next request before it has read the response must wait: the route queues it.
    if (!response.socket || response.socket.writableLength > 0) return false
    if (inFlight.count >= config.limits.inFlight) return false
    if (options.isPlainHttp(request)) return false
    const plain = readPlainRequest(request)
    if (plain === undefined || (plain.isTraced && options.makesSpans)) return false
    inFlight.count++
    batcher.add({
      ...{ request, response, url },
      authorization: plain.authorization,
      requestId: plain.wantsId ? requestIdOf(request) : undefined,
      address: addressOf(request),
      arrived: performance.now(),
      isCounted: false,
    })
    return true
  }

  /** Leaves a request to the route after all. */
  function passToRoute({ request, response, isCounted }: PendingRequest): void {
    if (isCounted) limits.counted.add(request)
    inFlight.count--
    pass(request, response)
  }
}

/** Collects the requests to one environment. */
interface Batcher {
  /** How the URLs of its requests begin. */
  start: string
  /** Whether it can take a request now. */
  isReady(): boolean
  add(pending: PendingRequest): void
}

/**
 * Requests that arrive in one iteration of the event loop are looked up together, after the last of them has arrived.
 * So every response reflects a state after its request arrived, even if the record is cached.
 */
function createBatcher(
  env: Environment,
  options: FastPathOptions,
  passToRoute: (pending: PendingRequest) => void,
): Batcher {
  const { config, prefixes } = options
  const sampleEvery = config.fastPath.sample
  const checks = createAccessChecks(env, { ...options, sampleEvery }, passToRoute)
  let batch: PendingRequest[] = []

  function respondToBatch(): void {
    const all = batch
    batch = []
    if (all.length > 0) checks.respond(all)
  }

  return {
    start: `${prefixes[env.name]}/r2/access?`,
    // While a lookup takes too long, the route decides which requests may still wait.
    isReady: () => !env.keyring.refreshIfStale() && !checks.areStuck(),
    add(pending) {
      const size = batch.push(pending)
      if (size === 1) setImmediate(respondToBatch)
      if (size === MAX_BATCH) respondToBatch()
    },
  }
}
