import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { openChannel, peersOver } from './channel.ts'
import { NO_PEERS, type Peers } from './peers.ts'

/** The tasks that one process of a machine does for all. */
export interface Tasks {
  /** Prints the welcome message. */
  greet(): Promise<void>
  /** Starts the background jobs. */
  takeDuties(): void
}

/** The role of a serving process among the other processes on its machine. */
export interface WorkerRole {
  siblings: Peers
  /** Reports that this process serves requests. */
  isUp(tasks: Tasks): Promise<void>
  /** Reports that this process is about to exit. */
  isGoing(): void
  /** Resolves when no new connection can arrive. Open connections stay open. */
  endListening(server: HttpServer): Promise<void>
  /** Resolves when the process must exit for a reason other than a signal. */
  dismissed: Promise<Dismissal>
  /** The last call: no message is received or sent after it. */
  close(): void
}

/** `leave`: another worker has already replaced this one. */
type Dismissal = 'stop' | 'leave' | 'the supervisor is gone'

/** Maximum time to drain the accept backlog. */
const MAX_KNOCKING_MS = 1_000

/** `close` of an HTTP server would also close idle connections immediately. */
function closeListening(server: HttpServer, callback?: (error?: Error) => void): HttpServer {
  Server.prototype.close.call(server, callback)
  return server
}

/** Accepts all connections in the backlog before closing, so that requests already sent are not lost. The event loop
 * accepts one per iteration; to keep this short, sockets are queued and served only when all are accepted. */
async function closeBehindAll(server: HttpServer): Promise<void> {
  const servants = server.rawListeners('connection') as ((socket: Socket) => void)[]
  const seated: Socket[] = []
  // A client that disconnects while it is queued must not crash the process.
  const seat = (socket: Socket) => seated.push(socket.on('error', () => {}))
  server.removeAllListeners('connection').on('connection', seat)
  const enough = performance.now() + MAX_KNOCKING_MS
  // Finishes the current iteration of the event loop.
  await setImmediate()
  for (let known = -1; seated.length > known && performance.now() < enough; ) {
    known = seated.length
    await setImmediate()
  }
  closeListening(server)
  server.off('connection', seat)
  for (const servant of servants) server.on('connection', servant)
  for (const socket of seated) server.emit('connection', socket)
}

export const singleProcess: WorkerRole = {
  siblings: NO_PEERS,
  async isUp(tasks) {
    await tasks.greet()
    tasks.takeDuties()
  },
  isGoing() {},
  endListening: closeBehindAll,
  dismissed: new Promise(() => {}),
  close() {},
}

/** The role of a process that a supervisor has started. */
export function clusterWorker(): WorkerRole {
  const link = openChannel()
  let tasks: Tasks | undefined
  let name: string | undefined
  let hasDuties = false
  link.on('post', (post) => {
    name = post.name
    if (!post.hasDuties || hasDuties) return
    hasDuties = true
    tasks?.takeDuties()
  })
  link.on('greet', () => tasks?.greet())
  return {
    siblings: peersOver(link, () => name),
    async isUp(given) {
      tasks = given
      link.send({ kind: 'up' })
    },
    isGoing: () => link.send({ kind: 'going' }),
    endListening: (server) =>
      new Promise((resolve) => {
        // Node calls this when the supervisor has stopped sending connections and all it sent have arrived.
        server.close = (callback) => {
          resolve()
          return closeListening(server, callback)
        }
        link.onLost(() => server.close())
        link.send({ kind: 'full' })
      }),
    dismissed: new Promise((resolve) => {
      link.on('stop', () => resolve('stop'))
      link.on('leave', () => resolve('leave'))
      link.onLost(() => resolve('the supervisor is gone'))
    }),
    close: link.close,
  }
}
