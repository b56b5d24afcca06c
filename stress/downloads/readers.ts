import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { requestBytes } from '../../packages/server/src/testing/http/raw-http.ts'

/** Reads a file at a limited speed, from a socket with a very small buffer. */
export interface SlowReader {
  readonly bytes: number
  /** Whether the connection is closed. */
  readonly isOver: boolean
  close(): void
}

const TURNS_A_SECOND = 10

export async function startSlowReader(url: string, bytesPerSecond: number): Promise<SlowReader> {
  const share = Math.ceil(bytesPerSecond / TURNS_A_SECOND)
  let bytes = 0
  let inTurn = 0
  let isOver = false
  const socket = ask(url, [], share, (count) => {
    bytes += count
    inTurn += count
    return inTurn < share
  })
  const timer = setInterval(() => {
    inTurn = 0
    socket.resume()
  }, 1000 / TURNS_A_SECOND)
  socket.once('close', () => {
    isOver = true
    clearInterval(timer)
  })
  await once(socket, 'connect')
  return {
    get bytes() {
      return bytes
    },
    get isOver() {
      return isOver
    },
    close: () => socket.destroy(),
  }
}

/** Sends a request, reads this many bytes of the response, and disconnects: normally, or with a reset. */
export async function hangUpAfter(
  url: string,
  most: number,
  { headers, reset }: { headers: readonly string[]; reset: boolean },
): Promise<number> {
  let bytes = 0
  const leave = () => (reset ? socket.resetAndDestroy() : socket.destroy())
  const socket = ask(url, headers, 64 * 1024, (count) => {
    bytes += count
    if (bytes >= most) leave()
    return bytes < most
  })
  if (most === 0) socket.once('connect', () => setImmediate(leave))
  await once(socket, 'close')
  return bytes
}

/** `onBytes` gets the number of received bytes, and returns whether it can take more now. */
function ask(
  url: string,
  headers: readonly string[],
  buffer: number,
  onBytes: (count: number) => boolean,
): Socket {
  const { hostname, port, pathname } = new URL(url)
  const onread = { buffer: Buffer.alloc(buffer), callback: onBytes }
  const socket = connect({ host: hostname, port: Number(port), onread })
  // A reset counts as a normal end of the connection.
  socket.on('error', () => {})
  socket.write(requestBytes({ target: pathname, headers: ['Connection: close', ...headers] }))
  return socket
}
