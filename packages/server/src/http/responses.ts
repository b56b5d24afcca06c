import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCodeOf, toOutageFailure } from '../db/outage.ts'
import { MissingFile, StoreUnavailable } from '../domain/downloads/storage/storage.ts'
import { OnHold, onHoldFailure } from '../domain/hold/on-hold.ts'
import { ProviderError } from '../domain/payments/provider-error.ts'
import { Failure, fail } from '../errors.ts'
import { newId } from '../ids.ts'
import { answerAndDiscard, ClientGone, isUpload } from './connection.ts'
import { errorBodyOf } from './error-body.ts'
import { hasBody } from './headers.ts'
import { headersFor, RESPONSE_HEADERS } from './response-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Logs that a write was refused because a disk is full, unless that was logged just before. */
    reportFullDisk(error: unknown): void
  }
}

/** Maps anything thrown to a failure. Unknown errors are logged, and nothing of them is sent to the caller. */
export function toFailure(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Failure) {
    // Only the file storage gives a cause; a failure without one was logged when it was made here.
    if (error.code === 'storage_full' && error.cause) request.reportFullDisk(error.cause)
    return error
  }
  // A client that disconnects in the middle of a request is not an outage of ours.
  if (request.raw.destroyed && !request.raw.complete) return unreadable(400)
  if (error instanceof ClientGone || isCutOff(error, request)) return unreadable(400)
  const outage = toOutageFailure(error)
  if (outage) {
    if (outage.code === 'storage_full') request.reportFullDisk(error)
    else request.log.error({ err: error }, 'the database is not available')
    return outage
  }
  if (error instanceof OnHold) return onHoldFailure()
  if (error instanceof ProviderError) {
    request.log.warn({ err: error }, 'the payment provider does not answer')
    return fail('provider_unavailable')
  }
  if (error instanceof StoreUnavailable || error instanceof MissingFile) {
    request.log.error({ err: error }, "the file storage can't be reached")
    return fail('files_unavailable')
  }
  const status = (error as { statusCode?: unknown }).statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) return unreadable(status)
  request.log.error({ err: error }, 'request failed')
  return fail('internal_error')
}

/** Whether a client left before its body was read, although all of it had arrived, or before the first part of its response
 * was sent, for example to stop an import. */
const isCutOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  (error === raw.errored && errorCodeOf(error) === 'ECONNRESET') ||
  (errorCodeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed)

/** Fastify's own 4xx errors are all about requests that can't be read. */
function unreadable(status: number): Failure {
  if (status === 413) return fail('invalid_request', 'The body is too large.')
  return fail('invalid_request', "The request, its body or its content type can't be read.")
}

export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
  body = errorBodyOf(failure, request.id),
): void {
  reply.headers(failureHeaders(request, failure))
  reply.code(failure.status).headers(RESPONSE_HEADERS)
  if (!hasUnreadBody(request) || !isFile(request)) return void reply.send(body)
  reply.header('content-length', Buffer.byteLength(body))
  reply.send(Readable.from(answerAndDiscard(request.raw, body)))
}

/** Forms and JSON are too small to be worth reading on. */
const isFile = ({ headers }: FastifyRequest): boolean =>
  headers['content-type'] === 'application/octet-stream'

const hasUnreadBody = ({ raw }: FastifyRequest): boolean => hasBody(raw) && !raw.complete

/** The headers that a failure needs, whatever the body looks like. */
export function failureHeaders(request: FastifyRequest, failure: Failure): Record<string, string> {
  return {
    ...headersFor(failure),
    // The rest of the body is not kept, and might never end.
    ...(hasUnreadBody(request) ? { connection: 'close' } : {}),
  }
}

type UnreadableError = Error & { code?: string }

/** Returns a function that responds to bytes that are not HTTP, or to headers that are too large or too slow. */
export const respondToUnreadable =
  (headers: Headers) =>
  (error: UnreadableError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    // Node reports the timeout and leaves closing the connection to us. A file upload may continue.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUpload(socket)) return
    const message =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? 'The request line and headers are too large.'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? 'The request took too long to arrive.'
          : 'This is not a valid HTTP request.'
    respondAndClose(socket, fail('invalid_request', message), headers)
  }

/** The headers that every response of the service has. */
type Headers = Readonly<Record<string, string>>

/** Responds on a socket whose request could not be read or completed, and closes it. */
export function respondAndClose(socket: Socket, failure: Failure, common: Headers): void {
  const body = errorBodyOf(failure, newId())
  if (socket.writable) {
    const { status } = failure
    const headers = Object.entries({
      ...common,
      ...headersFor(failure),
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`)
  }
  socket.destroySoon()
}

/** Logs the pattern of the route, never the target, which may contain email addresses. */
export async function logResponse(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.log.debug({
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 10) / 10,
  })
}
