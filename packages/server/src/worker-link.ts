import cluster from 'node:cluster'
import type { Siblings } from './doors/siblings.ts'

/** What a worker says to its supervisor. */
export type FromWorker =
  | { kind: 'up' }
  /** It ends, for whatever reason. */
  | { kind: 'going' }
  /** It wants no more connections. */
  | { kind: 'full' }
  | { kind: 'tell'; topic: string; content: unknown }
  | { kind: 'ask'; topic: string; question: number }
  | { kind: 'answer'; question: number; content: unknown }

/** What a supervisor says to a worker. */
export type ToWorker =
  /** What the worker is called, and whether it does what time drives. */
  | { kind: 'post'; name: string; hasDuties: boolean }
  | { kind: 'greet' }
  /** The service stops. */
  | { kind: 'stop' }
  /** Another worker has taken this one's place. */
  | { kind: 'leave' }
  | { kind: 'told'; topic: string; content: unknown }
  | { kind: 'asked'; topic: string; question: number }
  | { kind: 'answers'; question: number; contents: unknown[] }

type Heard<K> = Extract<ToWorker, { kind: K }>

/** A worker's way to its supervisor. */
export interface WorkerLink {
  send(message: FromWorker): void
  on<K extends ToWorker['kind']>(kind: K, listen: (message: Heard<K>) => void): void
  /** Calls when there is no supervisor any more. */
  onLost(call: () => void): void
  close(): void
}

export function openLink(): WorkerLink {
  const { worker } = cluster
  const listeners: { kind: string; listen: (message: never) => void }[] = []
  process.on('message', (message: ToWorker) => {
    for (const { kind, listen } of listeners) if (kind === message.kind) listen(message as never)
  })
  // For the supervisor alone; a terminal sends it to everybody.
  process.on('SIGHUP', () => {})
  return {
    send(message) {
      // Whoever can't be reached is gone, and that is told elsewhere.
      if (process.connected) process.send?.(message, undefined, undefined, () => {})
    },
    on: (kind, listen) => listeners.push({ kind, listen }),
    onLost(call) {
      if (!process.connected) return call()
      worker?.once('disconnect', () => {
        // Node would end us at once, in the middle of requests.
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
export function siblingsBy(link: WorkerLink, name: () => string | undefined): Siblings {
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
