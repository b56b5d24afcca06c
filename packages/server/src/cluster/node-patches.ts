import cluster, { type Worker } from 'node:cluster'
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
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
  cmd?: string
  act?: string
  /** The number of a message that is to be acknowledged. */
  seq?: number
  /** The number of the message that is acknowledged. */
  ack?: number
  accepted?: boolean
}

/**
 * Hands connections that were on their way to a worker when it was killed to another one. The cluster module waits for the
 * worker to acknowledge each connection, and would keep those open for ever, without anybody who reads from them. We found
 * no issue about it. When the worker has exited and its acknowledgements have been read, this acknowledges the rest in its
 * place, as not accepted: the module then chooses another worker. (`disconnect` is not emitted while a connection is on its
 * way. Until it is, the module may choose the same worker again.)
 */
export function passOnLostConnections({ process: child }: Worker): void {
  const onTheirWay = new Set<number>()
  let hasExited = false
  async function refuseAll() {
    await setImmediate()
    for (const ack of [...onTheirWay]) {
      const refusal: ClusterMessage = { cmd: 'NODE_CLUSTER', ack, accepted: false }
      child.emit('internalMessage', refusal)
    }
  }
  const { send } = child
  child.send = (message: ClusterMessage, ...rest: unknown[]) => {
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && message.seq !== undefined) {
      onTheirWay.add(message.seq)
      if (hasExited) {
        void refuseAll()
        return true
      }
    }
    return Reflect.apply(send, child, [message, ...rest])
  }
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) onTheirWay.delete(ack)
  })
  child.once('exit', () => {
    hasExited = true
    void refuseAll()
  })
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
