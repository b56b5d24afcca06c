import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Seconds } from '../../../db/tables.ts'
import { type Failure, fail } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import { parseTraceparent } from '../../../tracing/trace-context.ts'
import { connectionHeader, type InFlight, type Lifecycle } from '../../arrival.ts'
import { errorBodyOf } from '../../error-body.ts'
import type { ResponseMetrics } from '../../metrics/response-metrics.ts'
import { headersFor } from '../../response-headers.ts'
import type { AccessJson } from './access-lookup.ts'
import type { VerifiedAccessRequest } from './request-verifier.ts'
import type { AccessResponse, SampledRequest } from './sample.ts'

/** A request that the fast path has taken and not yet answered. */
export interface PendingRequest {
  request: IncomingMessage
  response: ServerResponse
  /** The request target, as it is routed. */
  url: string
  authorization: string
  /** The ID that the response must have as a header; undefined if none. */
  requestId: string | undefined
  /** The client's address; empty if requests are not limited by address. */
  address: string
  arrived: number
  /** Whether it was counted toward the limits. */
  isCounted: boolean
}

export const sampledOf = ({ url, authorization, request }: PendingRequest): SampledRequest => ({
  url: request.url as string,
  routedUrl: url,
  authorization,
  host: request.headers.host as string,
})

/** Returns the response to an access check: the record, or 404. */
export function accessResponseOf(
  { showExpired }: VerifiedAccessRequest,
  record: AccessJson | undefined,
  now: Seconds,
  requestId = newId(),
): AccessResponse {
  const isThere = record !== undefined && (showExpired || record.ends > now)
  if (isThere) return { status: 200, body: record.body }
  const failure = fail('access_not_found')
  return { status: failure.status, body: errorBodyOf(failure, requestId) }
}

/** Returns a function that finds the headers of a response. They are cached by body length, because few lengths occur. */
function createHeaderCache(common: ResponderOptions['headers'], lifecycle: Lifecycle) {
  const fixed = Object.entries(common).flat()
  const headersByLength = new Array<string[] | undefined>(1_024).fill(undefined)
  return (body: string): string[] => {
    const length = Buffer.byteLength(body)
    const known = lifecycle.isAccepting ? headersByLength[length] : undefined
    if (known) return known
    const headers = [...fixed, ...connectionHeader(lifecycle), 'content-length', String(length)]
    if (lifecycle.isAccepting && length < headersByLength.length) headersByLength[length] = headers
    return headers
  }
}

interface ResponderOptions {
  /** The headers that every response of the service has. */
  headers: Readonly<Record<string, string>>
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
  const headersOf = createHeaderCache(options.headers, lifecycle)

  function write(
    { request, response, requestId, arrived }: PendingRequest,
    { status, body }: AccessResponse,
    headers: string[],
  ): void {
    inFlight.count--
    const own = requestId === undefined ? headers : ['x-request-id', requestId, ...headers]
    response.writeHead(status, own)
    response.end(body)
    const milliseconds = performance.now() - arrived
    responseMetrics.of('GET', route, status).count(milliseconds / 1000)
    if (log.level === 'debug' || log.level === 'trace') {
      const traceId = parseTraceparent(request.headers.traceparent)?.traceId
      const ids = requestId ? { request_id: requestId, trace_id: traceId } : {}
      log.debug({ ...ids, method: 'GET', route, status, milliseconds })
    }
  }

  return {
    send: (pending, accessResponse) =>
      write(pending, accessResponse, headersOf(accessResponse.body)),
    refuse(pending, failure) {
      const body = errorBodyOf(failure, pending.requestId ?? newId())
      const own = Object.entries(headersFor(failure)).flat()
      write(pending, { status: failure.status, body }, [...own, ...headersOf(body)])
    },
  }
}
