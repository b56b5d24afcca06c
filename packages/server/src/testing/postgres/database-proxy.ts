import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { overTcp } from './postgres.ts'

/** A proxy between a service and its database that can be slowed, silenced and cut. */
export interface DatabaseProxy {
  /** The database URL that leads through this proxy. */
  url: string
  /** How many times the service has sent something. */
  readonly messages: number
  /** Delays everything that the service sends from now on, by this many milliseconds. */
  slow(delay: number): void
  /** Stops passing data in both directions without closing connections, as if a cable had been pulled. */
  silence(): void
  /** Cuts the connection that sends this text next, before the text arrives or after it has been processed. */
  cutAt(text: string, when: 'before' | 'after'): void
  /** Leads new connections to another server; those that are open stay where they are. */
  leadTo(to: string): void
  /** Passes data on again, without delay, also for connections that were opened in the meantime. */
  restore(): void
  close(): Promise<void>
}

/** How the proxy treats its connections at the moment. */
interface Behavior {
  target: { hostname: string; port: string }
  messages: number
  delay: number
  isSilent: boolean
  cut: { text: string; when: 'before' | 'after' } | undefined
  sockets: Set<Socket>
}

/** Joins the service's connection with one to the database: each end is closed with the other. */
function join(near: Socket, far: Socket, { sockets, isSilent }: Behavior): void {
  for (const [from, other] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(from)
    if (isSilent) from.pause()
    from.setNoDelay(true)
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      other.destroy()
    })
  }
}

function relay(near: Socket, behavior: Behavior): void {
  const far = connect(Number(behavior.target.port), behavior.target.hostname)
  join(near, far, behavior)
  far.on('data', (chunk) => near.write(chunk))
  near.on('data', (chunk) => {
    behavior.messages++
    const { cut, delay } = behavior
    if (cut && chunk.includes(cut.text)) {
      behavior.cut = undefined
      if (cut.when === 'before') {
        near.destroy()
        return
      }
      far.removeAllListeners('data').once('data', () => near.destroy())
    }
    if (delay === 0) far.write(chunk)
    else setTimeout(() => far.write(chunk), delay)
  })
}

export async function startDatabaseProxy(to: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const behavior: Behavior = {
    target: new URL(to),
    messages: 0,
    delay: 0,
    isSilent: false,
    cut: undefined,
    sockets,
  }
  const server = createServer((near) => relay(near, behavior)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = overTcp(to)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get messages() {
      return behavior.messages
    },
    slow(milliseconds) {
      behavior.delay = milliseconds
    },
    silence() {
      behavior.isSilent = true
      for (const socket of sockets) socket.pause()
    },
    cutAt(text, when) {
      behavior.cut = { text, when }
    },
    leadTo(other) {
      behavior.target = new URL(other)
    },
    restore() {
      behavior.isSilent = false
      behavior.delay = 0
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
