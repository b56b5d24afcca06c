import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { onSocketRead } from '../cluster/node-patches.ts'
import { fail } from '../errors.ts'
import { keepsNothing } from './connection.ts'
import { hasBody } from './headers.ts'
import { respondAndClose } from './responses.ts'

/*
 * Limits the memory that incomplete requests use, over all connections together. A single request may be large, and its
 * sender is unknown until it is complete: many that never end would use up all memory.
 */

/** Node reads from a socket in chunks of this size. */
const PIECE_BYTES = 64 * 1024

/** The size of a request head is computed from what the parser reports, which leaves out some white space. */
const TOLERANCE_BYTES = 1_024

interface Connection {
  socket: Socket
  /** The bytes read from the socket when the last request, or its body, was complete. */
  readBefore: number
  /** The part of `readBefore` that belongs to the next request. */
  early: number
  /** The size of the head of a request whose body is still arriving. */
  headBytes: number
  /** The bytes currently counted for this connection. */
  unfinished: number
  /** When `unfinished` rose above 0. */
  since: number
  isClosing: boolean
}

const newConnection = (socket: Socket): Connection => ({
  socket,
  readBefore: 0,
  early: 0,
  headBytes: 0,
  unfinished: 0,
  since: 0,
  isClosing: false,
})

const withoutTolerance = (bytes: number) => (bytes < TOLERANCE_BYTES ? 0 : bytes)

/** The size of request line and headers as they were sent, without optional white space. */
function headBytesOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let bytes = method.length + url.length + ' HTTP/1.1 \r\n\r\n'.length
  for (const text of rawHeaders) bytes += text.length + 2
  return bytes
}

function unfinishedOf({ socket, readBefore, early, headBytes }: Connection): number {
  // A file that staff upload is written to storage as it arrives, and what was refused is discarded.
  return keepsNothing(socket) ? 0 : early + headBytes + socket.bytesRead - readBefore
}

/** The head of a request is complete. */
function onHead(connection: Connection, request: IncomingMessage): void {
  const { socket } = connection
  const head = headBytesOf(request)
  const read = socket.bytesRead
  connection.early = withoutTolerance(connection.early + read - connection.readBefore - head)
  connection.readBefore = read
  connection.headBytes = hasBody(request) ? head : 0
}

/** The end of a chunked body can't be distinguished from what follows it, so the whole last chunk counts. */
function onBody(connection: Connection, { headers }: IncomingMessage): void {
  const read = connection.socket.bytesRead
  const after = connection.early + read - connection.readBefore
  const length = headers['content-length']
  const early = length === undefined ? Math.min(after, PIECE_BYTES) : after - Number(length)
  connection.early = withoutTolerance(early)
  connection.readBefore = read
  connection.headBytes = 0
}

/** Size multiplied by age: a well-behaved client's request is complete after a moment, whatever its size. */
const weightOf = ({ unfinished, since }: Connection, now: number) => unfinished * (now - since + 1)

/** Returns the heaviest connections, as many as must be closed so that the others hold at most `bytes`. */
function heaviestOf(connections: Iterable<Connection>, total: number, bytes: number): Connection[] {
  const now = performance.now()
  const candidates = [...connections].filter(({ unfinished }) => unfinished > 0)
  candidates.sort((one, two) => weightOf(two, now) - weightOf(one, now))
  let left = total
  return candidates.filter(({ unfinished }) => {
    const isOver = left > bytes
    left -= unfinished
    return isOver
  })
}

/** The share of the limit that is freed each time, so that connections aren't sorted again for every chunk. */
const SHED_SHARE = 1 / 4

export interface UnfinishedLimit {
  maxBytes: number
  /** The headers that every response of the service has. */
  headers: Readonly<Record<string, string>>
  /** Called with the number of connections that were closed. */
  onClosed(count: number): void
}

/** Over the limit, closes the connections that have held the most for the longest, and reads nothing until their memory
 * is free again. */
export function limitUnfinished(
  server: Server,
  { maxBytes, headers, onClosed }: UnfinishedLimit,
): void {
  const connections = new Map<Socket, Connection>()
  let total = 0
  let isFull = false

  function update(connection: Connection): void {
    const bytes = connection.isClosing ? 0 : unfinishedOf(connection)
    if (connection.unfinished === 0) connection.since = performance.now()
    total += bytes - connection.unfinished
    connection.unfinished = bytes
    if (total <= maxBytes || isFull) return
    isFull = true
    // Deferred, so that no connection is closed while the parser is running.
    process.nextTick(shed)
  }

  function shed(): void {
    isFull = false
    const heaviest = heaviestOf(connections.values(), total, maxBytes * (1 - SHED_SHARE))
    for (const connection of heaviest) {
      connection.isClosing = true
      update(connection)
      respondAndClose(connection.socket, fail('overloaded'), headers)
    }
    onClosed(heaviest.length)
    void pauseAll()
  }

  /** Node frees the memory of a closed connection at the end of an iteration of the event loop. Until then, the same
   * iteration could read from thousands of other connections. */
  async function pauseAll(): Promise<void> {
    const paused = [...connections.values()].filter(({ isClosing }) => !isClosing)
    for (const { socket } of paused) socket.pause()
    await setImmediate()
    await setImmediate()
    for (const { socket } of paused) socket.resume()
  }

  server.on('connection', (socket) => {
    const connection = newConnection(socket)
    connections.set(socket, connection)
    onSocketRead(socket, () => update(connection))
    socket.once('close', () => {
      connection.isClosing = true
      update(connection)
      connections.delete(socket)
    })
  })
  server.on('request', (request) => {
    const connection = connections.get(request.socket)
    if (!connection) return
    onHead(connection, request)
    if (!hasBody(request)) return
    request.once('close', () => {
      onBody(connection, request)
      update(connection)
    })
  })
}
