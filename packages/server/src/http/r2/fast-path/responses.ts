import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Seconds } from '../../../db/tables.ts'
import { type Failure, fail } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import { connectionHeader, type InFlight, type Lifecycle } from '../../arrival.ts'
import type { ResponseMetrics } from '../../metrics/response-metrics.ts'
import { errorBodyOf, RESPONSE_HEADERS } from '../../responses.ts'
import type { AccessJson } from './access-lookup.ts'
import type { VerifiedAccessRequest } from './request-verifier.ts'
import type { AccessResponse, SampledRequest } from './sample.ts'

/** A request that the fast path has taken and not yet answered. */
export interface PendingRequest {
  request: IncomingMessage
  response: ServerResponse
  url: string
  authorization: string
  arrived: number
}

export const sampledOf = ({ url, authorization, request }: PendingRequest): SampledRequest => ({
  url,
  authorization,
  host: request.headers.host as string,
})

/** Returns the response to an access check: the record, or 404. */
export function accessResponseOf(
  { showExpired }: VerifiedAccessRequest,
  record: AccessJson | undefined,
  now: Seconds,
): AccessResponse {
  const isThere = record !== undefined && (showExpired || record.ends > now)
  if (isThere) return { status: 200, body: record.body }
  const failure = fail('access_not_found')
  return { status: failure.status, body: errorBodyOf(failure, newId()) }
}

const FIXED = Object.entries(RESPONSE_HEADERS).flat()

/** Returns all headers of a response except `Retry-After`. They are cached by body length, because few lengths occur. */
function headersOf(body: string, lifecycle: Lifecycle): string[] {
  const length = Buffer.byteLength(body)
  const known = lifecycle.isAccepting ? headersByLength[length] : undefined
  if (known) return known
  const headers = [...FIXED, ...connectionHeader(lifecycle), 'content-length', String(length)]
  if (lifecycle.isAccepting && length < headersByLength.length) headersByLength[length] = headers
  return headers
}
const headersByLength = new Array<string[] | undefined>(1_024).fill(undefined)

interface ResponderOptions {
  /** The route's path, for metrics and the log. */
  route: string
  lifecycle: Lifecycle
  inFlight: InFlight
  responseMetrics: ResponseMetrics
  log: FastifyBaseLogger
}

export interface Responder {
  send(pending: PendingRequest, accessResponse: AccessResponse): void
  refuse(pending: PendingRequest, failure: Failure): void
}

/** Sends responses, and counts and logs them like those of the routes. */
export function createResponder(options: ResponderOptions): Responder {
  const { route, lifecycle, inFlight, responseMetrics, log } = options

  function write(
    { response, arrived }: PendingRequest,
    { status, body }: AccessResponse,
    headers: string[],
  ): void {
    inFlight.count--
    response.writeHead(status, headers)
    response.end(body)
    const milliseconds = performance.now() - arrived
    responseMetrics.of('GET', route, status).count(milliseconds / 1000)
    if (log.level === 'debug' || log.level === 'trace') {
      log.debug({ method: 'GET', route, status, milliseconds })
    }
  }

  return {
    send: (pending, accessResponse) =>
      write(pending, accessResponse, headersOf(accessResponse.body, lifecycle)),
    refuse(pending, failure) {
      const { status, retryAfter } = failure
      const body = errorBodyOf(failure, newId())
      const later = retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]
      write(pending, { status, body }, [...later, ...headersOf(body, lifecycle)])
    },
  }
}
