import { type PoolWorker, send, type WorkerPool } from './worker-pool.ts'

/** How long the supervisor waits for the answers of the other workers. */
const ANSWER_TIMEOUT_MS = 1_000

interface OpenQuestion {
  from: PoolWorker
  /** The id that the asking worker uses for this question. */
  question: number
  unanswered: Set<PoolWorker>
  contents: unknown[]
  timeout: NodeJS.Timeout
}

/** Relays messages and questions between workers. */
export function relayMessages(pool: WorkerPool): void {
  const open = new Map<number, OpenQuestion>()
  let lastId = 0
  const othersOf = (worker: PoolWorker) => pool.active().filter((other) => other !== worker)

  function close(id: number): void {
    const found = open.get(id)
    if (!found) return
    open.delete(id)
    clearTimeout(found.timeout)
    const { from, question, contents } = found
    send(from, { kind: 'answers', question, contents })
  }

  function ask(from: PoolWorker, topic: string, question: number): void {
    const id = ++lastId
    const unanswered = new Set(othersOf(from))
    const timeout = setTimeout(() => close(id), ANSWER_TIMEOUT_MS)
    open.set(id, { from, question, unanswered, contents: [], timeout })
    for (const other of unanswered) send(other, { kind: 'asked', topic, question: id })
    if (unanswered.size === 0) close(id)
  }

  function addAnswer(from: PoolWorker, id: number, content: unknown): void {
    const found = open.get(id)
    if (!found?.unanswered.delete(from)) return
    found.contents.push(content)
    if (found.unanswered.size === 0) close(id)
  }

  pool.onMessage((from, message) => {
    if (message.kind === 'tell') {
      const { topic, content } = message
      for (const other of othersOf(from)) send(other, { kind: 'told', topic, content })
    }
    if (message.kind === 'ask') ask(from, message.topic, message.question)
    if (message.kind === 'answer') addAnswer(from, message.question, message.content)
  })
}
