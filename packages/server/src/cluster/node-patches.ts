import cluster, { type Worker } from 'node:cluster'
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { Server, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'

/*
 * Everything that replaces a default of Node or relies on its undocumented behavior, in one place. Each function says why
 * it is needed and names the issue that it works around, where there is one. Tests of each fail if a version of Node
 * changes it.
 */

/**
 * Stops listening and keeps idle connections open. `close` of an HTTP server also closes idle connections since Node 19
 * (nodejs/node#51677 and nodejs/node#53939; the latter says that it is intended): a client that is just sending its next
 * request on one would see a reset. `close` of the underlying TCP server does not.
 */
function closeListener(server: HttpServer, callback?: (error?: Error) => void): HttpServer {
  Server.prototype.close.call(server, callback)
  return server
}

/** Maximum time to drain the accept backlog. */
const MAX_BACKLOG_DRAIN_MS = 1_000

/**
 * Accepts all connections in the kernel's backlog, then stops listening. Closing the listening socket resets those
 * connections, although their clients consider them open and may have sent a request. Node has no way to avoid this;
 * we found no issue about it.
 *
 * libuv accepts one connection per iteration of the event loop (libuv/libuv#3696). To keep the iterations short, sockets
 * are queued, and served only when all are accepted.
 */
export async function closeAfterBacklog(server: HttpServer): Promise<void> {
  const handlers = server.rawListeners('connection') as ((socket: Socket) => void)[]
  const queuedSockets: Socket[] = []
  // A client that disconnects while it is queued must not crash the process.
  const enqueue = (socket: Socket) => queuedSockets.push(socket.on('error', () => {}))
  server.removeAllListeners('connection').on('connection', enqueue)
  const deadline = performance.now() + MAX_BACKLOG_DRAIN_MS
  // Finishes the current iteration of the event loop.
  await setImmediate()
  for (let known = -1; queuedSockets.length > known && performance.now() < deadline; ) {
    known = queuedSockets.length
    await setImmediate()
  }
  closeListener(server)
  server.off('connection', enqueue)
  for (const handler of handlers) server.on('connection', handler)
  for (const socket of queuedSockets) server.emit('connection', socket)
}

/** More iterations than the backlog has connections, unless it is flooded. */
const BACKLOG_ITERATIONS = 64

/** The same for a supervisor, which accepts the connections of its workers: waits until those in its backlog are
 * handed to workers, one per iteration of the event loop (libuv/libuv#3696). */
export async function drainSharedBacklog(): Promise<void> {
  for (let n = 0; n < BACKLOG_ITERATIONS; n++) await setImmediate()
}

/**
 * Stops listening in a worker when the supervisor has stopped sending connections to it and all it sent have arrived.
 * The cluster module sends connections and messages over the same channel. After `disconnect` by the supervisor it calls
 * `close` of each server in the worker, after all connections sent before. No event reports that moment, so this
 * replaces `close`; and `close` must not close idle connections here either. A worker that simply closed its server
 * would lose connections that are on their way to it (similar: nodejs/node#3551).
 */
export function closeAfterDisconnect(server: HttpServer, onLost: (call: () => void) => void) {
  return new Promise<void>((resolve) => {
    server.close = (callback) => {
      resolve()
      return closeListener(server, callback)
    }
    onLost(() => server.close())
  })
}

/** The parts of the cluster module's own messages, in both directions, that are read here. */
interface ClusterMessage {
  cmd: 'NODE_CLUSTER'
  act?: string
  /** The number of a message that is to be acknowledged. */
  seq?: number
  /** The number of the message that is acknowledged. */
  ack?: number
  accepted?: boolean
}

/** What becomes of the connections of a worker that has died. */
export interface WorkerConnections {
  /** Takes the worker off the list, and gives its connections to the others. Waits until its channel has ended. */
  release(): void
  /** Gives its connections to `answer`, those that wait and those that come, until it is released. */
  answerWith(answer: (socket: Socket) => void): void
}

/**
 * Keeps the connections of a worker that has died, and its place on the list, until it is released. In Node 20 to 24
 * (lib/internal/cluster and child_process.js), and without an issue that we found, the cluster module
 * - waits for ever for a dead worker to acknowledge a connection that was sent to it;
 * - leaves that worker on the list if it has exited before its channel has ended, because `disconnect` is not emitted while a
 *   connection is on its way. `sendHelper` sends nothing on an ended channel and reports nothing, so each connection
 *   that the module then chooses this worker for stays open, and nobody reads from it;
 * - closes the listening socket, and all connections that wait, with the last worker on the list.
 *
 * So the module doesn't learn of the end: `disconnect`, which it calls when the channel has ended, does nothing, the worker
 * counts as connected, and what is sent to it stays here. `release` does what the module would have done. All
 * acknowledgements have been read by then: a connection without one was not read from, and is as good as new.
 */
export function keepConnections(worker: Worker): WorkerConnections {
  const child = worker.process
  const onTheirWay = new Map<number, NativeHandle>()
  let hasEnded = false
  let isReleased = false
  let answer: ((socket: Socket) => void) | undefined

  function acknowledge(ack: number, accepted: boolean): void {
    onTheirWay.delete(ack)
    const message: ClusterMessage = { cmd: 'NODE_CLUSTER', ack, accepted }
    child.emit('internalMessage', message)
  }
  function answerAll(): void {
    for (const [seq, handle] of onTheirWay) {
      const socket = takeOver(handle, () => acknowledge(seq, true))
      answer?.(socket)
    }
  }
  function removeWorker(): void {
    Object.assign(child, { connected: false })
    worker.disconnect()
    for (const seq of [...onTheirWay.keys()]) acknowledge(seq, false)
  }
  function settle(): void {
    const isRemoved = !child.connected
    if (!hasEnded || isRemoved) return
    if (isReleased) removeWorker()
    else if (answer) answerAll()
  }

  const { send } = child
  child.send = (message: ClusterMessage, ...rest: unknown[]) => {
    if (message.act === 'newconn' && message.seq !== undefined) {
      onTheirWay.set(message.seq, rest[0] as NativeHandle)
    }
    if (!hasEnded) return Reflect.apply(send, child, [message, ...rest])
    // Later: the module calls this while it handles the acknowledgement of the connection before.
    process.nextTick(settle)
    return true
  }
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) onTheirWay.delete(ack)
  })
  child.disconnect = () => {
    hasEnded = true
    settle()
  }
  return {
    release() {
      isReleased = true
      settle()
    },
    answerWith(given) {
      answer = given
      settle()
    },
  }
}

/** A connection that the supervisor has accepted. */
interface NativeHandle {
  close(): void
}

/** Makes a socket of a connection. `acknowledge` would close it, as the copy of one that a worker has. */
function takeOver(handle: NativeHandle, acknowledge: () => void): Socket {
  handle.close = () => {}
  acknowledge()
  // The method of its class.
  Reflect.deleteProperty(handle, 'close')
  // An undocumented option, with which Node makes the sockets that a server accepts.
  const options = { handle, allowHalfOpen: true, readable: true, writable: true }
  return new Socket(options)
}

/** Calls `call` when the channel to the supervisor is closed. The cluster module would otherwise exit the process at that
 * moment, in the middle of requests (nodejs/node#27679). */
export function onSupervisorDisconnect(call: () => void): void {
  const { worker } = cluster
  if (!process.connected) {
    call()
    return
  }
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true
    call()
  })
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/** Puts `take` before all listeners that the server has for requests; they get what it returns false for. Events have
 * no way to stop a request from reaching the next listener, so this replaces the listeners. */
export function interceptRequests(
  server: HttpServer,
  take: (request: IncomingMessage, response: ServerResponse) => boolean,
): { pass: RequestListener } {
  const listeners = server.listeners('request') as RequestListener[]
  const pass: RequestListener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response)
  }
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!take(request, response)) pass(request, response)
  })
  return { pass }
}

/**
 * Calls `call` after each chunk that was read. Node's HTTP parser reads from the socket by itself, and a `data` listener
 * would slow that down for every request. But after each chunk Node refreshes the socket's timeout with this
 * undocumented method (since nodejs/node#6286).
 */
export function onSocketRead(socket: Socket & { _unrefTimer?(): void }, call: () => void): void {
  const refresh = socket._unrefTimer
  socket._unrefTimer = () => {
    refresh?.call(socket)
    call()
  }
}

/** Treats a request with an unknown `Expect` header like any other. Without a listener for this event, Node responds to
 * it with 417 (since nodejs/node#4501), a status that is not part of this API. */
export function ignoreExpectations(server: HttpServer): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/**
 * Lets the young generation of the heap grow as V8 does by default. bin/gatehouse.mjs forbids it while the program is
 * loaded, because V8 would keep that memory for good; but requests are slow with a small one (nodejs/node#42511). V8 has
 * only a flag for this, and does not promise that changing a flag at run time has an effect. The other half is in
 * bin/gatehouse.mjs because it must run before any module is loaded.
 */
export function letYoungGenerationGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
