import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whoever asked is not there any more. */
export class ReaderGone extends Error {
  override name = 'ReaderGone'
}

/** So many requests may wait for their answers on one connection. Whoever sends more without reading
 * would take the place of everybody else. */
const MOST_WAITING = 32

/** What waits for the end of each connection. One listener for all: there may be many requests on it. */
const waiting = new WeakMap<Socket, Set<() => void>>()

function waitingFor(socket: Socket): Set<() => void> {
  const known = waiting.get(socket)
  if (known) return known
  const calls = new Set<() => void>()
  waiting.set(socket, calls)
  socket.once('close', () => {
    for (const call of calls) call()
  })
  return calls
}

/** On these, a file is on its way to us. */
const patient = new WeakSet<Socket>()

/** Lets a request that takes in a file last longer than any other may; one that stands still is cut off
 * as ever. Only for whom we know: it keeps a connection for as long as its sender likes. */
export async function takingItsTime<R>(socket: Socket, work: () => Promise<R>): Promise<R> {
  patient.add(socket)
  try {
    return await work()
  } finally {
    patient.delete(socket)
  }
}

export const isPatient = (socket: Socket): boolean => patient.has(socket)

/**
 * Calls once, when an answer is over: sent, or its connection gone. Node tells an answer of neither that
 * still waits for its turn behind others on the same connection.
 */
export function whenOver(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  call: () => void,
): void {
  if (socket.closed || response.closed) {
    call()
    return
  }
  const calls = waitingFor(socket)
  if (calls.size >= MOST_WAITING) socket.destroy()
  const over = () => {
    response.off('close', over)
    calls.delete(over)
    call()
  }
  response.once('close', over)
  calls.add(over)
}

/** Waits until an answer is the next on its connection: until then, what is sent piles up in memory. */
export async function turnOf(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const response = reply.raw
  await new Promise<void>((resolve, reject) => {
    if (response.socket && !response.socket.destroyed) return resolve()
    response.once('socket', () => resolve())
    whenOver(request, reply, () => reject(new ReaderGone()))
  })
}
