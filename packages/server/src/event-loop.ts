import { setImmediate } from 'node:timers/promises'

/** How long work of one kind may keep the event loop to itself. Within a turn of the loop a request advances by one step,
 * and an access check on a new connection takes three. */
const MAX_TURN_MS = 3

/** Node accepts one new connection in each turn. With a single turn between pieces of work, those who connect would wait
 * in a queue that grows; turns without work are short. */
const TURNS = 4

/** Lets work of one kind leave turns of the event loop to others. */
export interface Turns {
  /** Whether this kind of work has kept the present turn long enough. */
  isOver(): boolean
  /** Resolves when a turn begins; undefined if the current turn is not over and no other caller waits. Callers get a
   * turn in the order of their calls. */
  take(): Promise<void> | undefined
}

function createTurns(): Turns {
  let began: number | undefined
  const waiting: (() => void)[] = []
  let isServing = false

  function isOver(): boolean {
    const now = performance.now()
    if (began !== undefined) return now - began > MAX_TURN_MS
    began = now
    void setImmediate().then(() => {
      began = undefined
    })
    return false
  }

  /** Gives turns to those who wait. If each of them looked for a turn by itself, others who have just arrived could use
   * up every turn before. */
  async function serve(): Promise<void> {
    isServing = true
    while (waiting.length > 0) {
      for (let n = 0; n < TURNS; n++) await setImmediate()
      while (waiting.length > 0 && !isOver()) {
        waiting.shift()?.()
        // The caller continues before the rest of the turn is given to the next one.
        await new Promise((resolve) => process.nextTick(resolve))
      }
    }
    isServing = false
  }

  function wait(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve)
      if (!isServing) void serve()
    })
  }

  return { isOver, take: () => (isServing || isOver() ? wait() : undefined) }
}

/** Statements of SQLite, whose driver is synchronous: a long transaction would make every access check wait for its end,
 * and so would reads that arrive together. Those of transactions don't wait for the reads of others: everybody else who
 * writes waits for them. */
export const transactionTurns = createTurns()
export const readTurns = createTurns()

/** Requests that may arrive together, and their responses. The turns of statements are not theirs: a long transaction would
 * keep them waiting. */
export const requestTurns = createTurns()
export const responseTurns = createTurns()

/** Rows of a file that somebody imports: one may have millions of them. */
export const sheetTurns = createTurns()
