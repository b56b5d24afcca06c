import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { fail } from '../errors.ts'
import { errorBodyOf, RESPONSE_HEADERS } from '../http/error-body.ts'
import { newId } from '../ids.ts'

/** A connection that sends no request is closed after this. */
const MAX_SILENCE_MS = 5_000

/** It listens nowhere: it gets connections that no worker can take. */
const server = createServer((request, response) => {
  const failure = fail('draining')
  const body = errorBodyOf(failure, newId())
  response.writeHead(failure.status, {
    ...RESPONSE_HEADERS,
    'retry-after': String(failure.retryAfter),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  response.end(body)
  request.resume()
})
server.timeout = MAX_SILENCE_MS

/** Answers 503 to the request on a connection, whatever it asks for. */
export function answerUnavailable(socket: Socket): void {
  server.emit('connection', socket)
}
