import { Worker } from 'node:worker_threads'

/**
 * A question that is asked so often that it is written by hand, in the words of each engine. A key is a
 * list of texts; the answer to it is one text, or none.
 */
export interface Lookup {
  /** Each for one key; the second is asked where the first finds nothing. */
  sqlite: readonly string[]
  /** For all keys at once: the parameters are arrays, one for each text of a key. Answers with rows of
   * `n`, counted from 1, and `found`. */
  postgres: string
}

export type Key = readonly string[]

interface Answer {
  turn: number
  found?: (string | null)[]
  failure?: { message: string; errcode?: number }
}

interface Waiting {
  resolve(found: (string | null)[]): void
  reject(error: Error): void
}

/** Looks up in a thread of its own: SQLite's work is done there, while here others are answered. */
export interface LookupThread {
  lookUp(question: Lookup, keys: readonly Key[]): Promise<(string | null)[]>
  close(): Promise<void>
}

/** It holds no more than what is being asked. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/** After one has broken, before there is another. */
const PAUSE_MS = 1_000
const BROKEN = 'the thread that looks rows up has ended'

/** The thread begins with the first question: a command has none. */
export function createLookupThread(path: string): LookupThread {
  const waiting = new Map<number, Waiting>()
  let turns = 0
  let thread: Worker | undefined
  let brokenAt = Number.NEGATIVE_INFINITY
  /** What the thread has been told to ask, which is long to say. */
  let told: Lookup[] = []

  function begin(): Worker {
    told = []
    const begun = new Worker(new URL('./lookup-thread.js', import.meta.url), {
      workerData: { path },
      resourceLimits: LIMITS,
    })
    begun.unref()
    begun.on('message', ({ turn, found, failure }: Answer) => {
      const asked = waiting.get(turn)
      waiting.delete(turn)
      if (found) asked?.resolve(found)
      else asked?.reject(Object.assign(new Error(failure?.message), failure))
    })
    // One that broke is replaced with the next question; what it was asked is told as failed.
    const end = (error: Error) => {
      if (thread === begun) {
        thread = undefined
        brokenAt = performance.now()
      }
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    begun.on('error', end)
    begun.on('exit', () => end(new Error(BROKEN)))
    return begun
  }

  return {
    async lookUp(question, keys) {
      if (!thread && performance.now() - brokenAt < PAUSE_MS) throw new Error(BROKEN)
      thread ??= begin()
      const turn = ++turns
      const answered = new Promise<(string | null)[]>((resolve, reject) => {
        waiting.set(turn, { resolve, reject })
      })
      const number = told.indexOf(question)
      thread.postMessage(
        number === -1
          ? { turn, question: told.push(question) - 1, queries: question.sqlite, keys }
          : { turn, question: number, keys },
      )
      return await answered
    },
    async close() {
      await thread?.terminate()
    },
  }
}
