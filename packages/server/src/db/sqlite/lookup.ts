import { Worker } from 'node:worker_threads'

/**
 * A query that runs so often that it is written by hand for each engine. A key is a list of texts; the result for
 * a key is one text, or nothing.
 */
export interface Lookup {
  /** Queries for one key each; the next one runs if those before it find nothing. */
  sqlite: readonly string[]
  /** Queries for all keys: each parameter is an array with one text of every key. They return rows of `n` (counted
   * from 1) and `found`: a text, an empty one for "none", or null to leave the key to the next query. A key without
   * a row is not found. */
  postgres: readonly string[]
}

export type LookupKey = readonly string[]

interface Answer {
  turn: number
  found?: (string | null)[]
  failure?: { message: string; errcode?: number }
}

interface Waiting {
  resolve(found: (string | null)[]): void
  reject(error: Error): void
}

/** Runs SQLite lookups in a separate thread, so that the main thread can serve clients meanwhile. */
export interface LookupThread {
  lookUp(question: Lookup, keys: readonly LookupKey[]): Promise<(string | null)[]>
  close(): Promise<void>
}

/** Small limits are enough: the thread holds only the batch it is working on. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/** How long to wait before starting a new thread after one has crashed. */
const PAUSE_MS = 1_000
const THREAD_ENDED = 'the thread that looks rows up has ended'

/** The thread starts with the first lookup; CLI commands never need it. */
export function createLookupThread(path: string): LookupThread {
  const waiting = new Map<number, Waiting>()
  let lastTurn = 0
  let thread: Worker | undefined
  let endedAt = Number.NEGATIVE_INFINITY
  /** The lookups whose queries the thread already has. The queries are long, so they are sent only once. */
  let sentLookups: Lookup[] = []

  function startThread(): Worker {
    sentLookups = []
    const started = new Worker(new URL('./lookup-thread.js', import.meta.url), {
      workerData: { path },
      resourceLimits: LIMITS,
    })
    started.unref()
    started.on('message', ({ turn, found, failure }: Answer) => {
      const asked = waiting.get(turn)
      waiting.delete(turn)
      if (found) asked?.resolve(found)
      else asked?.reject(Object.assign(new Error(failure?.message), failure))
    })
    // The next lookup starts a new thread; lookups that are still open fail.
    const end = (error: Error) => {
      if (thread === started) {
        thread = undefined
        endedAt = performance.now()
      }
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('error', end)
    started.on('exit', () => end(new Error(THREAD_ENDED)))
    return started
  }

  return {
    async lookUp(question, keys) {
      if (!thread && performance.now() - endedAt < PAUSE_MS) throw new Error(THREAD_ENDED)
      thread ??= startThread()
      const turn = ++lastTurn
      const answered = new Promise<(string | null)[]>((resolve, reject) => {
        waiting.set(turn, { resolve, reject })
      })
      const number = sentLookups.indexOf(question)
      thread.postMessage(
        number === -1
          ? { turn, question: sentLookups.push(question) - 1, queries: question.sqlite, keys }
          : { turn, question: number, keys },
      )
      return await answered
    },
    async close() {
      await thread?.terminate()
    },
  }
}
