import cluster from 'node:cluster'
import { onSupervisorDisconnect } from './node-patches.ts'
import type { Peers } from './peers.ts'

/*
 * The messages keep their form from release to release: after an update, SIGHUP starts workers with the new code under a
 * supervisor that still runs the old one.
 */

/** Messages from a worker to its supervisor. */
export type FromWorker =
  /** The worker serves requests. */
  | { kind: 'up' }
  /** The worker is about to exit, for any reason. */
  | { kind: 'going' }
  /** The worker wants no more connections. */
  | { kind: 'full' }
  | { kind: 'tell'; topic: string; content: unknown }
  | { kind: 'ask'; topic: string; question: number }
  | { kind: 'answer'; question: number; content: unknown }

/** Messages from the supervisor to a worker. */
export type ToWorker =
  /** The worker's name, and whether it runs the background jobs. */
  | { kind: 'post'; name: string; hasDuties: boolean }
  /** Print the welcome message. */
  | { kind: 'greet' }
  /** The service is stopping. */
  | { kind: 'stop' }
  /** Another worker has replaced this one. */
  | { kind: 'leave' }
  | { kind: 'told'; topic: string; content: unknown }
  | { kind: 'asked'; topic: string; question: number }
  | { kind: 'answers'; question: number; contents: unknown[] }

type MessageOf<K> = Extract<ToWorker, { kind: K }>

/** A worker's message channel to its supervisor. */
export interface WorkerChannel {
  send(message: FromWorker): void
  on<K extends ToWorker['kind']>(kind: K, listener: (message: MessageOf<K>) => void): void
  /** Calls `call` when the supervisor is gone. */
  onLost(call: () => void): void
  close(): void
}

export function openChannel(): WorkerChannel {
  const listeners: { kind: string; listener: (message: never) => void }[] = []
  process.on('message', (message: ToWorker) => {
    for (const { kind, listener } of listeners) {
      if (kind === message.kind) listener(message as never)
    }
  })
  // Only the supervisor handles SIGHUP, but a terminal sends it to every process.
  process.on('SIGHUP', () => {})
  return {
    send(message) {
      // A disconnected supervisor is gone, which `onLost` reports.
      if (process.connected) process.send?.(message, undefined, undefined, () => {})
    },
    on: (kind, listener) => listeners.push({ kind, listener }),
    onLost: onSupervisorDisconnect,
    close() {
      if (process.connected) cluster.worker?.disconnect()
    },
  }
}

/** The other workers, reached through the supervisor. */
export function createPeers(channel: WorkerChannel, name: () => string | undefined): Peers {
  const pending = new Map<number, (answers: unknown[]) => void>()
  let lastQuestion = 0
  const resolve = (question: number, contents: unknown[]) => {
    pending.get(question)?.(contents)
    pending.delete(question)
  }
  channel.on('answers', ({ question, contents }) => resolve(question, contents))
  channel.onLost(() => {
    for (const question of pending.keys()) resolve(question, [])
  })
  return {
    name,
    broadcast: (topic, content) => channel.send({ kind: 'tell', topic, content }),
    onBroadcast(topic, listener) {
      channel.on('told', (message) => {
        if (message.topic === topic) listener(message.content)
      })
    },
    async ask(topic) {
      if (!process.connected) return []
      const question = ++lastQuestion
      channel.send({ kind: 'ask', topic, question })
      return await new Promise((done) => pending.set(question, done))
    },
    onQuestion(topic, answer) {
      channel.on('asked', async ({ topic: asked, question }) => {
        if (asked === topic) channel.send({ kind: 'answer', question, content: await answer() })
      })
    },
  }
}
