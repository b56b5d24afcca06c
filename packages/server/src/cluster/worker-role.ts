import type { Server as HttpServer } from 'node:http'
import { createPeers, openChannel } from './channel.ts'
import { closeAfterBacklog, closeAfterDisconnect } from './node-patches.ts'
import { NO_PEERS, type Peers } from './peers.ts'

/** The tasks that one process of a machine does for all. */
export interface SharedTasks {
  printWelcome(): Promise<void>
  startBackgroundJobs(): void
}

/** The role of a serving process among the other processes on its machine. */
export interface WorkerRole {
  peers: Peers
  /** Reports that this process serves requests. */
  reportServing(tasks: SharedTasks): Promise<void>
  /** Reports that this process is about to exit. */
  reportExiting(): void
  /** Resolves when no new connection can arrive. Open connections stay open. */
  stopAccepting(server: HttpServer): Promise<void>
  /** Resolves when the process must exit for a reason other than a signal. */
  stopRequested: Promise<StopReason>
  /** The last call: no message is received or sent after it. */
  close(): void
}

/** `replaced`: another worker already serves in place of this one. */
type StopReason = 'the service stops' | 'replaced' | 'the supervisor is gone'

/** The role of a process that serves alone. */
export const singleProcessRole: WorkerRole = {
  peers: NO_PEERS,
  async reportServing(tasks) {
    await tasks.printWelcome()
    tasks.startBackgroundJobs()
  },
  reportExiting() {},
  stopAccepting: closeAfterBacklog,
  stopRequested: new Promise(() => {}),
  close() {},
}

/** The role of a process that a supervisor has started. */
export function createClusterRole(): WorkerRole {
  const channel = openChannel()
  let tasks: SharedTasks | undefined
  let name: string | undefined
  let hasBackgroundJobs = false
  channel.on('post', (assignment) => {
    name = assignment.name
    if (!assignment.hasDuties || hasBackgroundJobs) return
    hasBackgroundJobs = true
    tasks?.startBackgroundJobs()
  })
  channel.on('greet', () => tasks?.printWelcome())
  return {
    peers: createPeers(channel, () => name),
    async reportServing(given) {
      tasks = given
      channel.send({ kind: 'up' })
    },
    reportExiting: () => channel.send({ kind: 'going' }),
    async stopAccepting(server) {
      const closed = closeAfterDisconnect(server, channel.onLost)
      channel.send({ kind: 'full' })
      await closed
    },
    stopRequested: new Promise((resolve) => {
      channel.on('stop', () => resolve('the service stops'))
      channel.on('leave', () => resolve('replaced'))
      channel.onLost(() => resolve('the supervisor is gone'))
    }),
    close: channel.close,
  }
}
