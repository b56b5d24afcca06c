import { DatabaseTrouble } from './outage.ts'

interface Limits {
  /** So many are inside at a time. */
  atOnce: number
  /** Whoever has waited so long is sent away. */
  longestWaitMs: number
  /** If the first in the row has waited so long, nobody else is let into the row: it does not move. */
  stuckAfterMs: number
}

/** Lets so many in at a time. The others wait in a row, for a bounded time, and only while it moves. */
export interface Turnstile {
  enter(): Promise<void>
  leave(): void
}

interface Waiting {
  since: number
  letIn(): void
}

export function createTurnstile({ atOnce, longestWaitMs, stuckAfterMs }: Limits): Turnstile {
  let inside = 0
  const row = new Set<Waiting>()

  const isStuck = (first: Waiting | undefined) =>
    first !== undefined && performance.now() - first.since > stuckAfterMs

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        row.delete(one)
        reject(new DatabaseTrouble('all connections to the database are busy'))
      }, longestWaitMs)
      const one = {
        since: performance.now(),
        letIn() {
          clearTimeout(giveUp)
          resolve()
        },
      }
      row.add(one)
    })
  }

  return {
    async enter() {
      if (inside < atOnce) {
        inside++
        return
      }
      if (isStuck(first(row))) {
        throw new DatabaseTrouble('all connections to the database are busy, and others wait')
      }
      await wait()
    },
    leave() {
      const next = first(row)
      if (!next) inside--
      else {
        // The place is handed over: nobody who comes meanwhile can take it.
        row.delete(next)
        next.letIn()
      }
    },
  }
}

function first<T>(row: Set<T>): T | undefined {
  for (const one of row) return one
  return undefined
}
