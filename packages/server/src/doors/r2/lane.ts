import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { accessLookup, readFound } from '../../access/check.ts'
import type { AccessRow } from '../../access/details.ts'
import type { Config } from '../../config.ts'
import type { Environment } from '../../context.ts'
import { outageOf } from '../../db/outage.ts'
import { type Failure, fail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { checkSignature } from '../../signing/check.ts'
import { ANSWER_HEADERS, bodyOf } from '../answers.ts'
import type { InFlight, Lifecycle } from '../arrival.ts'
import type { Limiter } from '../limits.ts'
import type { AnswerFigures } from '../operations/answer-figures.ts'
import { isCanonical, type Prefixes, toEnvironment } from '../targets.ts'
import { getAccessParameters } from './access.ts'
import { createMemory, createSightings } from './memory.ts'
import { readParameters } from './parameters.ts'
import { showAccess } from './records.ts'

interface LaneOptions {
  config: Config
  prefixes: Prefixes
  lifecycle: Lifecycle
  perApplication: Limiter
  inFlight: InFlight
  answers: AnswerFigures
  log: FastifyBaseLogger
}

/** A request that was verified, and what was found for it. */
interface Check {
  url: string
  aid: string
  key: readonly string[]
  showExpired: boolean
  /** The application's keys that it was verified with. */
  keys: object
  /** The database's mark when `record` was looked up; undefined if it was not. */
  mark: number | undefined
  record: Shown | undefined
}

/** A record, ready to be sent. */
interface Shown {
  ends: number
  body: string
  headers: string[]
}

interface Asked {
  request: IncomingMessage
  response: ServerResponse
  check: Check
  arrived: number
}

interface Unknown extends Asked {
  /** The database's mark after the request had arrived, and before the record is looked up. */
  mark: number | undefined
}

const FIXED = Object.entries(ANSWER_HEADERS).flat()
const headersOf = (body: string) => [...FIXED, 'content-length', String(Buffer.byteLength(body))]

function shown(row: AccessRow): Shown {
  const body = JSON.stringify(showAccess(row))
  return { ends: row.ends, body, headers: headersOf(body) }
}

/**
 * A lane beside the house for its most frequent request, `GET /r2/access` of production: the same rules
 * in fewer steps. It takes only what is plain, and answers only what is found or is not there; all else
 * goes through the house, which knows how to refuse.
 *
 * Requests that arrive in one turn of the event loop are looked up together, after the last of them has
 * arrived: so every answer is of a moment after its question, also where what was found before is
 * remembered.
 */
export function openLane(server: Server, env: Environment, options: LaneOptions): void {
  const { config, prefixes, lifecycle, perApplication, inFlight, answers, log } = options
  // An address has to be told from its proxy first: that is for the house.
  if (config.limits.perAddress > 0) return
  const { database, keyring, clock } = env
  const route = `${prefixes.production}/r2/access`
  const start = `${route}?`
  const memory = createMemory<Check>(MOST_REMEMBERED)
  const sightings = createSightings()
  const house = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]
  let asked: Asked[] = []
  const unknown: Unknown[] = []
  const flights = new Set<{ startedAt: number }>()

  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!take(request, response)) pass(request, response)
  })

  function pass(request: IncomingMessage, response: ServerResponse): void {
    for (const listener of house) listener.call(server, request, response)
  }

  function take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET') return false
    const url = toEnvironment(config, prefixes, request)
    if (!url.startsWith(start) || lifecycle.draining || keyring.refreshIfStale()) return false
    // Whoever asks again before reading has to wait for a turn, which the house gives.
    if (!response.socket || response.socket.writableLength > 0) return false
    if (inFlight.count >= config.limits.inFlight || isStuck()) return false
    const authorization = plainAuthorization(request)
    if (authorization === undefined) return false
    const check = verified(url, authorization)
    if (!check || !isLetIn(check.aid)) return false
    inFlight.count++
    const waiting = asked.push({ request, response, check, arrived: performance.now() })
    if (waiting === 1) setImmediate(answerAll)
    if (waiting === MOST_TOGETHER) answerAll()
    return true
  }

  function verified(url: string, authorization: string): Check | undefined {
    const known = memory.get(authorization)
    if (known?.url === url && known.keys === keyring.lasting(known.aid)) return known
    const check = verify(url, authorization)
    // Most of those that are asked once are never asked again.
    if (check && url.length <= LONGEST_REMEMBERED && sightings.isSecond(authorization)) {
      memory.set(authorization, check)
    }
    return check
  }

  function verify(url: string, authorization: string): Check | undefined {
    if (!isCanonical(url)) return undefined
    const target = url.slice(prefixes.production.length)
    const received = { method: 'GET', target, authorization: [authorization], body: '' }
    const keys = keyring.lasting(authorization.slice(0, authorization.indexOf(':')))
    if (!keys) return undefined
    const result = checkSignature(keyring.keysOf, received)
    if (!result.ok) return undefined
    try {
      const wish = readParameters(getAccessParameters, result.parameters)
      const key = [result.aid, wish.rid, wish.user_ref]
      const { aid } = result
      const nothing = { mark: undefined, record: undefined }
      return { url, aid, key, showExpired: wish.show_expired, keys, ...nothing }
    } catch {
      return undefined
    }
  }

  function isLetIn(aid: string): boolean {
    try {
      perApplication.count(aid)
      return true
    } catch {
      return false
    }
  }

  function answerAll(): void {
    const all = asked
    asked = []
    if (all.length === 0) return
    let mark: number | undefined
    try {
      mark = database.changeMark()
    } catch {
      passAll(all)
      return
    }
    for (const one of all) {
      if (mark !== undefined && one.check.mark === mark) answer(one, one.check.record)
      else unknown.push({ ...one, mark })
    }
    lookUp()
  }

  /** What comes while others are looked up goes together with the next. */
  function lookUp(): void {
    if (unknown.length === 0 || flights.size === MOST_FLIGHTS) return
    const some = unknown.splice(0, MOST_IN_FLIGHT)
    const flight = { startedAt: performance.now() }
    flights.add(flight)
    database
      .lookUp(
        accessLookup,
        some.map(({ check }) => check.key),
      )
      .then((found) => found.map((text) => (text === null ? undefined : shown(readFound(text)))))
      .then(
        (records) => settle(some, records),
        (error) => giveUp(some, error),
      )
      .finally(() => {
        flights.delete(flight)
        lookUp()
      })
  }

  /** Then it is for the house to say who may still wait. */
  function isStuck(): boolean {
    for (const { startedAt } of flights) {
      if (performance.now() - startedAt > STUCK_AFTER_MS) return true
    }
    return false
  }

  function settle(some: readonly Unknown[], records: readonly (Shown | undefined)[]): void {
    for (const [i, one] of some.entries()) {
      const record = records[i]
      if (one.mark !== undefined) {
        one.check.mark = one.mark
        one.check.record = record
      }
      answer(one, record)
    }
  }

  /** An outage is told to all who wait: none of them would fare better. Anything else may be our own
   * fault, and the house has another way to look up. */
  function giveUp(some: readonly Unknown[], error: unknown): void {
    const outage = outageOf(error)
    if (!outage) {
      passAll(some)
      return
    }
    const all = [...some, ...unknown.splice(0)]
    log.error({ err: error, requests: all.length }, 'the database is not available')
    for (const one of all) refuse(one, outage)
  }

  function passAll(all: readonly Asked[]): void {
    inFlight.count -= all.length
    for (const { request, response } of all) pass(request, response)
  }

  function answer(one: Asked, record: Shown | undefined): void {
    const isThere = record !== undefined && (one.check.showExpired || record.ends > clock())
    if (isThere) send(one, 200, record.headers, record.body)
    else refuse(one, fail('access_not_found'))
  }

  function refuse(one: Asked, failure: Failure): void {
    const body = bodyOf(failure, newId())
    const { retryAfter } = failure
    const later = retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]
    send(one, failure.status, [...later, ...headersOf(body)], body)
  }

  function send(
    { response, arrived }: Asked,
    status: number,
    headers: string[],
    body: string,
  ): void {
    inFlight.count--
    response.writeHead(status, lifecycle.closing ? [...headers, 'connection', 'close'] : headers)
    response.end(body)
    const milliseconds = performance.now() - arrived
    answers.of('GET', route, status).count(milliseconds / 1000)
    if (log.level === 'debug' || log.level === 'trace') {
      log.debug({ method: 'GET', route, status, milliseconds })
    }
  }
}

/** So many are not made to wait for more: they are looked up while others are still being read. */
const MOST_TOGETHER = 16

/** So many look-ups are on their way at a time, of so many requests each. */
const MOST_FLIGHTS = 2
const STUCK_AFTER_MS = 1_000
const MOST_IN_FLIGHT = 64

/** So many requests are remembered, and as many more for a while: some 40 MB at most. */
const MOST_REMEMBERED = 20_000
const LONGEST_REMEMBERED = 1_024

/** The one `Authorization` of a request without a body whose frame nobody could object to. */
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
