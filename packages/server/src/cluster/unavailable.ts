import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { fail } from '../errors.ts'
import { errorBodyOf } from '../http/error-body.ts'
import { headersFor } from '../http/response-headers.ts'
import { newId } from '../ids.ts'

/** A connection that sends no request is closed after this. */
const MAX_SILENCE_MS = 5_000

/** Answers 503 to the request on a connection, whatever it asks for. */
export type AnswerUnavailable = (socket: Socket) => void

/** `headers`: those that every response of the service has. */
export function createUnavailableAnswer(
  headers: Readonly<Record<string, string>>,
): AnswerUnavailable {
  // It listens nowhere: it gets connections that no worker can take.
  const server = createServer((request, response) => {
    const failure = fail('draining')
    const body = errorBodyOf(failure, newId())
    response.writeHead(failure.status, {
      ...headers,
      ...headersFor(failure),
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    response.end(body)
    request.resume()
  })
  server.timeout = MAX_SILENCE_MS
  return (socket) => server.emit('connection', socket)
}
