import { type PoolWorker, send, type WorkerPool } from './worker-pool.ts'

/** How long the supervisor waits for the answers of the other workers. */
const PATIENCE_MS = 1_000

interface Question {
  from: PoolWorker
  /** The id that the asking worker uses for this question. */
  question: number
  silent: Set<PoolWorker>
  contents: unknown[]
  tooLate: NodeJS.Timeout
}

/** Relays messages and questions between workers. */
export function relayMessages(pool: WorkerPool): void {
  const open = new Map<number, Question>()
  let asked = 0
  const othersOf = (member: PoolWorker) => pool.standing().filter((other) => other !== member)

  function close(id: number): void {
    const found = open.get(id)
    if (!found) return
    open.delete(id)
    clearTimeout(found.tooLate)
    const { from, question, contents } = found
    send(from, { kind: 'answers', question, contents })
  }

  function ask(from: PoolWorker, topic: string, question: number): void {
    const id = ++asked
    const silent = new Set(othersOf(from))
    const tooLate = setTimeout(() => close(id), PATIENCE_MS)
    open.set(id, { from, question, silent, contents: [], tooLate })
    for (const other of silent) send(other, { kind: 'asked', topic, question: id })
    if (silent.size === 0) close(id)
  }

  function hearAnswer(from: PoolWorker, id: number, content: unknown): void {
    const found = open.get(id)
    if (!found?.silent.delete(from)) return
    found.contents.push(content)
    if (found.silent.size === 0) close(id)
  }

  pool.onMessage((from, message) => {
    if (message.kind === 'tell') {
      const { topic, content } = message
      for (const other of othersOf(from)) send(other, { kind: 'told', topic, content })
    }
    if (message.kind === 'ask') ask(from, message.topic, message.question)
    if (message.kind === 'answer') hearAnswer(from, message.question, message.content)
  })
}
