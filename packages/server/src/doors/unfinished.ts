import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { fail } from '../errors.ts'
import { endWith } from './answers.ts'
import { isPatient } from './connection.ts'
import { hasBody } from './headers.ts'

/*
 * Bounds the memory that requests take before they are complete, over all connections together. One request
 * may be large, and nobody knows who sends it before it is complete: many that never end would take
 * everything.
 */

/** Node reads from a socket in pieces of this size. */
const PIECE_BYTES = 64 * 1024

/** The size of a head is computed from what the parser tells of it, which leaves out some white space. */
const TOLERANCE_BYTES = 1_024

interface Connection {
  socket: Socket
  /** What the socket had read when the last request, or its body, was complete. */
  readBefore: number
  /** Of that, what belongs to the next request. */
  early: number
  /** The head of a request whose body is on its way. */
  headBytes: number
  /** What is counted for it now. */
  unfinished: number
  /** Since when that is more than nothing. */
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

/** Request line and headers as they were sent, but for white space that nobody needs. */
function headBytesOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let bytes = method.length + url.length + ' HTTP/1.1 \r\n\r\n'.length
  for (const text of rawHeaders) bytes += text.length + 2
  return bytes
}

function unfinishedOf({ socket, readBefore, early, headBytes }: Connection): number {
  // A file that a member of the staff uploads goes to its place as it comes.
  return isPatient(socket) ? 0 : early + headBytes + socket.bytesRead - readBefore
}

/** A request is complete up to its body. */
function onHead(connection: Connection, request: IncomingMessage): void {
  const { socket } = connection
  const head = headBytesOf(request)
  const read = socket.bytesRead
  connection.early = withoutTolerance(connection.early + read - connection.readBefore - head)
  connection.readBefore = read
  connection.headBytes = hasBody(request) ? head : 0
}

/** The end of a body in chunks can't be told from what follows it: then all of the last piece counts. */
function onBody(connection: Connection, { headers }: IncomingMessage): void {
  const read = connection.socket.bytesRead
  const after = connection.early + read - connection.readBefore
  const length = headers['content-length']
  const early = length === undefined ? Math.min(after, PIECE_BYTES) : after - Number(length)
  connection.early = withoutTolerance(early)
  connection.readBefore = read
  connection.headBytes = 0
}

/** Size and age together: a good client's request is complete after a moment, whatever its size. */
const weightOf = ({ unfinished, since }: Connection, now: number) => unfinished * (now - since + 1)

/** Heaviest first, until the others have no more than so many bytes. */
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

/**
 * Calls after each piece that was read. Node's parser reads from the socket by itself, and listening for `data`
 * would make that slower for every request. But it keeps the socket's time-out going after each piece by
 * calling this method, which is not documented; the tests of this file fail if a version of Node does not.
 */
function onRead(socket: Socket & { _unrefTimer?(): void }, call: () => void): void {
  const refresh = socket._unrefTimer
  socket._unrefTimer = () => {
    refresh?.call(socket)
    call()
  }
}

/** What is closed at a time, so that it is not sorted out anew for every piece. */
const SHED_SHARE = 1 / 4

export interface UnfinishedLimit {
  maxBytes: number
  /** Hears how many connections were closed. */
  onClosed(count: number): void
}

/** Beyond the limit, the connections that have held the most for the longest are closed, and nothing is read
 * until their memory is free again. */
export function limitUnfinished(server: Server, { maxBytes, onClosed }: UnfinishedLimit): void {
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
    // Not in the middle of the parser's work.
    process.nextTick(shed)
  }

  function shed(): void {
    isFull = false
    const heaviest = heaviestOf(connections.values(), total, maxBytes * (1 - SHED_SHARE))
    for (const connection of heaviest) {
      connection.isClosing = true
      update(connection)
      endWith(connection.socket, fail('overloaded'))
    }
    onClosed(heaviest.length)
    void pauseAll()
  }

  /** Node frees what a closed connection holds at the end of a turn of the event loop. Until then, a turn
   * could read from thousands of others. */
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
    onRead(socket, () => update(connection))
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
