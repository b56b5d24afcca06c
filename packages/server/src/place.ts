import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { ALONE, type Siblings } from './doors/siblings.ts'
import { openLink, siblingsBy } from './worker-link.ts'

/** What a process does once, when it is its turn. */
export interface Tasks {
  /** Tells the user that all is well. */
  greet(): Promise<void>
  /** Begins what time drives. */
  takeDuties(): void
}

/** Where a process that serves stands among the others of its machine. */
export interface Place {
  siblings: Siblings
  /** Says that requests are being served. */
  isUp(tasks: Tasks): Promise<void>
  /** Says that we are about to end. */
  isGoing(): void
  /** Resolves when no new connection comes; those that are open stay. */
  endListening(server: HttpServer): Promise<void>
  /** Why we have to go, beside the signals that everybody gets. */
  dismissed: Promise<Dismissal>
  /** The very last: nothing is heard or said any more. */
  close(): void
}

/** `leave`: another worker has taken our place already. */
type Dismissal = 'stop' | 'leave' | 'the supervisor is gone'

/** Whoever knocks after that has come too late. */
const LONGEST_KNOCKING_MS = 1_000

/** The close() of an HTTP server would cut idle connections at once. */
function closeListening(server: HttpServer, callback?: (error?: Error) => void): HttpServer {
  Server.prototype.close.call(server, callback)
  return server
}

/** Whoever is knocking is let in before the door is closed, and not turned away with what he has sent. A look of
 * the event loop lets in one; so that it does not take long, those who come are served after all have. */
async function closeBehindAll(server: HttpServer): Promise<void> {
  const servants = server.rawListeners('connection') as ((socket: Socket) => void)[]
  const seated: Socket[] = []
  // Who goes away again while he waits does us no harm.
  const seat = (socket: Socket) => seated.push(socket.on('error', () => {}))
  server.removeAllListeners('connection').on('connection', seat)
  const enough = performance.now() + LONGEST_KNOCKING_MS
  // To the end of the look that has brought us here.
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

export const alone: Place = {
  siblings: ALONE,
  async isUp(tasks) {
    await tasks.greet()
    tasks.takeDuties()
  },
  isGoing() {},
  endListening: closeBehindAll,
  dismissed: new Promise(() => {}),
  close() {},
}

/** For a process that a supervisor has started. */
export function workerPlace(): Place {
  const link = openLink()
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
    siblings: siblingsBy(link, () => name),
    async isUp(given) {
      tasks = given
      link.send({ kind: 'up' })
    },
    isGoing: () => link.send({ kind: 'going' }),
    endListening: (server) =>
      new Promise((resolve) => {
        // Called when the supervisor has stopped giving us connections, and all it gave are here.
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
