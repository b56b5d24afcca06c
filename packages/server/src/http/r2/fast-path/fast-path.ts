import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { interceptRequests } from '../../../cluster/node-patches.ts'
import type { Prefixes } from '../../../config/addresses.ts'
import type { Config } from '../../../config/config.ts'
import type { Environment } from '../../../context.ts'
import { dataVersionOf } from '../../../db/data-version.ts'
import { toOutageFailure } from '../../../db/outage.ts'
import type { Seconds } from '../../../db/tables.ts'
import { type Failure, fail } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import { connectionHeader, type InFlight, type Lifecycle } from '../../arrival.ts'
import type { Limiter } from '../../limits.ts'
import type { FastPathMetrics } from '../../metrics/fast-path-metrics.ts'
import type { ResponseMetrics } from '../../metrics/response-metrics.ts'
import { bodyOf, RESPONSE_HEADERS } from '../../responses.ts'
import { toEnvironment } from '../../targets.ts'
import { type AccessJson, accessJsonLookup, parseAccessJson } from './access-lookup.ts'
import { type Answered, createSample, type SampledRequest } from './sample.ts'
import { createVerifiedRequests, type VerifiedRequest } from './verified-requests.ts'

interface FastPathOptions {
  config: Config
  prefixes: Prefixes
  lifecycle: Lifecycle
  perApplication: Limiter
  inFlight: InFlight
  answers: ResponseMetrics
  figures: FastPathMetrics
  /** Responds to a request as if the fast path did not exist. */
  askRoute(request: SampledRequest): Promise<Answered>
  log: FastifyBaseLogger
}

interface PendingRequest {
  request: IncomingMessage
  response: ServerResponse
  url: string
  authorization: string
  arrived: number
}

interface Unknown {
  asked: PendingRequest
  check: VerifiedRequest
  /** The database's version after the request arrived and before the record is looked up. */
  mark: number | undefined
}

const FIXED = Object.entries(RESPONSE_HEADERS).flat()

/** The headers of a response without `Retry-After`, cached by body length: many bodies have the same one. */
function headersOf(body: string, lifecycle: Lifecycle): string[] {
  const length = Buffer.byteLength(body)
  const known = lifecycle.isAccepting ? headersByLength[length] : undefined
  if (known) return known
  const headers = [...FIXED, ...connectionHeader(lifecycle), 'content-length', String(length)]
  if (lifecycle.isAccepting && length < headersByLength.length) headersByLength[length] = headers
  return headers
}
const headersByLength = new Array<string[] | undefined>(1_024).fill(undefined)

/**
 * The fast path for the most frequent request, `GET /r2/access` in production: the same rules in fewer steps. It takes
 * only plain requests, and responds only with a record or with 404; all others go to the Fastify route, which knows how
 * to refuse them.
 *
 * Requests that arrive in one iteration of the event loop are looked up together, after the last of them has arrived.
 * So every response reflects a state after its request arrived, even if the record is cached.
 */
export function openFastPath(server: Server, env: Environment, options: FastPathOptions): void {
  const { config, prefixes, lifecycle, perApplication, inFlight, answers, figures, log } = options
  // A limit per address needs the client's address behind proxies, which only the route determines.
  if (config.limits.perAddress > 0 || !config.fastPath.isOn) return
  const { database, keyring, calls, clock } = env
  const route = `${prefixes.production}/r2/access`
  const start = `${route}?`
  const checks = createVerifiedRequests(keyring, prefixes.production)
  let asked: PendingRequest[] = []
  const unknown: Unknown[] = []
  const lookups = new Set<{ startedAt: number }>()
  figures.switchOn()
  const sample = createSample({
    every: config.fastPath.sample,
    askFastPath: askAgain,
    askRoute: options.askRoute,
    moment: async () => `${clock()} ${await dataVersionOf(database)}`,
    onCompared: figures.compared,
    onDifference(difference) {
      figures.differed()
      log.error(difference, 'the fast path and the route disagree: the fast path is switched off')
    },
    onTrouble: (err) => log.warn({ err }, 'the fast path could not be compared with the route'),
  })

  const { pass } = interceptRequests(server, take)

  function take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || !figures.isOn()) return false
    const url = toEnvironment(config, prefixes, request)
    if (!url.startsWith(start) || lifecycle.state === 'draining' || keyring.refreshIfStale())
      return false
    // A client that sends the next request before it has read the response must wait: the route queues it.
    if (!response.socket || response.socket.writableLength > 0) return false
    if (inFlight.count >= config.limits.inFlight || isStuck()) return false
    const authorization = plainAuthorization(request)
    if (authorization === undefined) return false
    inFlight.count++
    const arrived = performance.now()
    const waiting = asked.push({ request, response, url, authorization, arrived })
    if (waiting === 1) setImmediate(answerAll)
    if (waiting === MAX_TOGETHER) answerAll()
    return true
  }

  function verified({ url, authorization }: PendingRequest): VerifiedRequest | undefined {
    const check = checks.of(url, authorization)
    try {
      if (check) perApplication.count(check.aid)
      return check
    } catch {
      return undefined
    }
  }

  function answerAll(): void {
    const all = asked
    asked = []
    if (all.length === 0) return
    let mark: number | undefined
    try {
      mark = database.dataVersion()
    } catch {
      passAll(all)
      return
    }
    // Each step runs for all requests before the next step: code that stays in the CPU cache takes a third of the time.
    const verifiedOnes = all.map(verified)
    const today = calls.today()
    for (const [i, one] of all.entries()) {
      const check = verifiedOnes[i]
      if (check && check.usedOn !== today) {
        check.usedOn = today
        calls.used(check.keyId)
      }
      if (!check) passAll([one])
      else if (mark !== undefined && check.mark === mark) answer(one, check, check.record)
      else unknown.push({ asked: one, check, mark })
    }
    lookUp()
  }

  /** Requests that arrive during a lookup are part of the next batch. */
  function lookUp(): void {
    if (unknown.length === 0 || lookups.size === MAX_LOOKUPS) return
    const some = unknown.splice(0, MAX_IN_FLIGHT)
    const flight = { startedAt: performance.now() }
    lookups.add(flight)
    database
      .lookUp(
        accessJsonLookup,
        some.map(({ check }) => check.key),
      )
      .then((found) => found.map((text) => (text === null ? undefined : parseAccessJson(text))))
      .then(
        (records) => settle(some, records),
        (error) => giveUp(some, error),
      )
      .finally(() => {
        lookups.delete(flight)
        lookUp()
      })
  }

  /** Whether a lookup takes too long: the route then decides which requests may still wait. */
  function isStuck(): boolean {
    for (const { startedAt } of lookups) {
      if (performance.now() - startedAt > STUCK_AFTER_MS) return true
    }
    return false
  }

  function settle(some: readonly Unknown[], records: readonly (AccessJson | undefined)[]): void {
    for (const [i, { asked, check, mark }] of some.entries()) {
      const record = records[i]
      if (mark !== undefined) {
        check.mark = mark
        check.record = record
      }
      answer(asked, check, record)
    }
  }

  /** An outage fails all waiting requests: none of them would fare better. Any other error may be a bug of the fast
   * path, and the route looks up the record in another way. */
  function giveUp(some: readonly Unknown[], error: unknown): void {
    const outage = toOutageFailure(error)
    if (!outage) {
      passAll(some.map(({ asked }) => asked))
      return
    }
    const all = [...some, ...unknown.splice(0)].map(({ asked }) => asked)
    log.error({ err: error, requests: all.length }, 'the database is not available')
    for (const one of all) refuse(one, outage)
  }

  function passAll(all: readonly PendingRequest[]): void {
    inFlight.count -= all.length
    for (const { request, response } of all) pass(request, response)
  }

  function answer(
    one: PendingRequest,
    check: VerifiedRequest,
    record: AccessJson | undefined,
  ): void {
    const answered = answerOf(check, record, clock())
    send(one, answered.status, headersOf(answered.body, lifecycle), answered.body)
    if (sample.isDue()) sample.compare(sampledOf(one), answered)
  }

  /** Takes the same steps for a request that has already been answered, to compare the responses. */
  async function askAgain({ url, authorization }: SampledRequest): Promise<Answered | undefined> {
    const check = checks.of(url, authorization)
    if (!check) return undefined
    const mark = database.dataVersion()
    if (mark !== undefined && check.mark === mark) return answerOf(check, check.record, clock())
    const [text = null] = await database.lookUp(accessJsonLookup, [check.key])
    return answerOf(check, text === null ? undefined : parseAccessJson(text), clock())
  }

  function refuse(one: PendingRequest, failure: Failure): void {
    const body = bodyOf(failure, newId())
    const { retryAfter } = failure
    const later = retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]
    send(one, failure.status, [...later, ...headersOf(body, lifecycle)], body)
  }

  function send(
    { response, arrived }: PendingRequest,
    status: number,
    headers: string[],
    body: string,
  ): void {
    inFlight.count--
    response.writeHead(status, headers)
    response.end(body)
    const milliseconds = performance.now() - arrived
    answers.of('GET', route, status).count(milliseconds / 1000)
    if (log.level === 'debug' || log.level === 'trace') {
      log.debug({ method: 'GET', route, status, milliseconds })
    }
  }
}

const sampledOf = ({ url, authorization, request }: PendingRequest): SampledRequest => ({
  url,
  authorization,
  host: request.headers.host as string,
})

function answerOf(
  { showExpired }: VerifiedRequest,
  record: AccessJson | undefined,
  now: Seconds,
): Answered {
  const isThere = record !== undefined && (showExpired || record.ends > now)
  if (isThere) return { status: 200, body: record.body }
  const failure = fail('access_not_found')
  return { status: failure.status, body: bodyOf(failure, newId()) }
}

/** A batch of this size does not wait for more: it is looked up while other requests are still being read. */
const MAX_TOGETHER = 32

/** Maximum concurrent lookups. The number of requests in each is limited below. */
const MAX_LOOKUPS = 2
const STUCK_AFTER_MS = 1_000
const MAX_IN_FLIGHT = 64

/** Returns the single `Authorization` of a request without a body and with unobjectionable framing. */
function plainAuthorization({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1') return undefined
  let hosts = 0
  let authorization: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    switch ((rawHeaders[i] as string).toLowerCase()) {
      case 'host':
        hosts++
        break
      case 'authorization':
        if (authorization !== undefined) return undefined
        authorization = rawHeaders[i + 1]
        break
      case 'transfer-encoding':
      case 'content-length':
      case 'expect':
        return undefined
    }
  }
  return hosts === 1 ? authorization : undefined
}
