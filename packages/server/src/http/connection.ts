import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The client has disconnected. */
export class ClientGone extends Error {
  override name = 'ClientGone'
}

/** Maximum unanswered requests on one connection. A client that sends more without reading would use up the limit of
 * requests in flight for everyone. */
const MAX_PIPELINED = 32

/** Callbacks for the end of each connection. They share one listener: a connection may have many requests. */
const endCallbacks = new WeakMap<Socket, Set<() => void>>()

function endCallbacksOf(socket: Socket): Set<() => void> {
  const known = endCallbacks.get(socket)
  if (known) return known
  const calls = new Set<() => void>()
  endCallbacks.set(socket, calls)
  socket.once('close', () => {
    for (const call of calls) call()
  })
  return calls
}

/** Connections on which a file is being uploaded. */
const uploading = new WeakSet<Socket>()

/** The body of a request, whose rest can still be discarded when not all of it was wanted: a stream destroys itself when a
 * loop over it ends early. */
export const bytesOf = (request: IncomingMessage): AsyncIterable<Uint8Array> =>
  request.iterator({ destroyOnReturn: false })

/** Exempts a file upload from the request timeout; a stalled connection is still closed, until the whole file is here: while
 * it is read or scanned, nothing moves on the connection. Only for authenticated callers: they can keep the connection for
 * as long as they like. */
export async function withoutRequestTimeout<R>(
  request: IncomingMessage,
  work: () => Promise<R>,
): Promise<R> {
  const { socket } = request
  const { timeout = 0 } = socket
  const onEnd = () => socket.setTimeout(0)
  uploading.add(socket)
  request.once('end', onEnd)
  try {
    return await work()
  } finally {
    uploading.delete(socket)
    request.off('end', onEnd)
    socket.setTimeout(timeout)
  }
}

export const isUpload = (socket: Socket): boolean => uploading.has(socket)

/** Connections on which the rest of a refused body arrives. */
const discarding = new WeakSet<Socket>()

/** Whether nothing of the body that arrives is kept in memory. */
export const keepsNothing = (socket: Socket): boolean => isUpload(socket) || discarding.has(socket)

const DISCARD_MS = 3_000

/** Sends the answer to a request whose body was not read, and ends it once the rest has arrived, for a few seconds at most: a
 * proxy that is still sending passes an answer on only if the connection stays open until then. */
export async function* answerAndDiscard(
  request: IncomingMessage,
  answer: string,
): AsyncGenerator<string> {
  yield answer
  discarding.add(request.socket)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DISCARD_MS)
    request.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    request.resume()
  })
}

/**
 * Calls `call` once, when a response is over: sent, or its connection closed. Node emits no `close` on a response that
 * is still queued behind others on its connection, so the socket is watched too.
 */
export function onResponseEnd(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  call: () => void,
): void {
  if (socket.closed || response.closed) {
    call()
    return
  }
  const calls = endCallbacksOf(socket)
  if (calls.size >= MAX_PIPELINED) socket.destroy()
  const over = () => {
    response.off('close', over)
    calls.delete(over)
    call()
  }
  response.once('close', over)
  calls.add(over)
}

/** Waits until a response is the next one on its connection: before that, whatever is sent accumulates in memory. */
export async function waitForTurn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const response = reply.raw
  await new Promise<void>((resolve, reject) => {
    if (response.socket && !response.socket.destroyed) return resolve()
    response.once('socket', () => resolve())
    onResponseEnd(request, reply, () => reject(new ClientGone()))
  })
}
