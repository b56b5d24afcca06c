import cluster from 'node:cluster'
import type { Peers } from './peers.ts'

/** Messages from a worker to its supervisor. */
export type FromWorker =
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
  | { kind: 'greet' }
  /** The service is stopping. */
  | { kind: 'stop' }
  /** Another worker has replaced this one. */
  | { kind: 'leave' }
  | { kind: 'told'; topic: string; content: unknown }
  | { kind: 'asked'; topic: string; question: number }
  | { kind: 'answers'; question: number; contents: unknown[] }

type Heard<K> = Extract<ToWorker, { kind: K }>

/** A worker's message channel to its supervisor. */
export interface WorkerChannel {
  send(message: FromWorker): void
  on<K extends ToWorker['kind']>(kind: K, listen: (message: Heard<K>) => void): void
  /** Calls `call` when the supervisor is gone. */
  onLost(call: () => void): void
  close(): void
}

export function openChannel(): WorkerChannel {
  const { worker } = cluster
  const listeners: { kind: string; listen: (message: never) => void }[] = []
  process.on('message', (message: ToWorker) => {
    for (const { kind, listen } of listeners) if (kind === message.kind) listen(message as never)
  })
  // Only the supervisor handles SIGHUP, but a terminal sends it to every process.
  process.on('SIGHUP', () => {})
  return {
    send(message) {
      // A disconnected supervisor is gone, which is handled elsewhere.
      if (process.connected) process.send?.(message, undefined, undefined, () => {})
    },
    on: (kind, listen) => listeners.push({ kind, listen }),
    onLost(call) {
      if (!process.connected) return call()
      worker?.once('disconnect', () => {
        // Node would otherwise exit immediately, in the middle of requests.
        worker.exitedAfterDisconnect = true
        call()
      })
    },
    close() {
      if (process.connected) worker?.disconnect()
    },
  }
}

/** The other workers, reached through the supervisor. */
export function peersOver(link: WorkerChannel, name: () => string | undefined): Peers {
  const waiting = new Map<number, (answers: unknown[]) => void>()
  let asked = 0
  const resolve = (question: number, contents: unknown[]) => {
    waiting.get(question)?.(contents)
    waiting.delete(question)
  }
  link.on('answers', ({ question, contents }) => resolve(question, contents))
  link.onLost(() => {
    for (const question of waiting.keys()) resolve(question, [])
  })
  return {
    name,
    tell: (topic, content) => link.send({ kind: 'tell', topic, content }),
    onTold(topic, listen) {
      link.on('told', (message) => {
        if (message.topic === topic) listen(message.content)
      })
    },
    async ask(topic) {
      if (!process.connected) return []
      const question = ++asked
      link.send({ kind: 'ask', topic, question })
      return await new Promise((done) => waiting.set(question, done))
    },
    onAsked(topic, answer) {
      link.on('asked', async (message) => {
        if (message.topic !== topic) return
        link.send({ kind: 'answer', question: message.question, content: await answer() })
      })
    },
  }
}
