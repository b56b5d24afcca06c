import { DatabaseUnavailable } from '../outage.ts'

interface Limits {
  /** The maximum number of concurrent holders. */
  concurrency: number
  /** A caller that has waited this long is rejected. */
  maxWaitMs: number
  /** If the first in the queue has waited this long, the queue is stuck and new callers are rejected immediately. */
  stuckAfterMs: number
}

/** Limits concurrency. Further callers queue for a bounded time, and only while the queue moves. */
export interface ConnectionLimiter {
  enter(): Promise<void>
  leave(): void
}

interface Waiting {
  since: number
  letIn(): void
}

export function createConnectionLimiter({
  concurrency,
  maxWaitMs,
  stuckAfterMs,
}: Limits): ConnectionLimiter {
  let inside = 0
  const row = new Set<Waiting>()

  const isStuck = (first: Waiting | undefined) =>
    first !== undefined && performance.now() - first.since > stuckAfterMs

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        row.delete(one)
        reject(new DatabaseUnavailable('all connections to the database are busy'))
      }, maxWaitMs)
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
      if (inside < concurrency) {
        inside++
        return
      }
      if (isStuck(first(row))) {
        throw new DatabaseUnavailable(
          'all connections to the database are busy, and the queue is stuck',
        )
      }
      await wait()
    },
    leave() {
      const next = first(row)
      if (!next) inside--
      else {
        // Hands the slot over directly, so that no new caller can take it in between.
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
