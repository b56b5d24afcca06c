import type { Millis } from '../../../db/tables.ts'

/** Keeps track of tasks that are already running: counts them by kind, waits for them, and collects their errors. */
export interface TaskGroup {
  /** Adds a task that was started. Its error is kept for `join`. */
  add(kind: string, work: Promise<void>): void
  /** Number of running tasks, of one kind or of all kinds. */
  count(kind?: string): number
  hasFailed(): boolean
  /** Resolves when a task has ended since the last call, or after `atMost`. */
  waitForChange(atMost: Millis): Promise<void>
  /** Resolves when all tasks have ended; throws the first error, if any task failed. */
  join(): Promise<void>
}

export function createTaskGroup(): TaskGroup {
  const running = new Map<Promise<void>, string>()
  const failures: unknown[] = []
  let isChanged = false
  let wake = () => {}

  async function follow(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => failures.push(error))
    running.delete(work)
    isChanged = true
    wake()
  }

  return {
    add(kind, work) {
      running.set(work, kind)
      void follow(work)
    },
    count: (kind) =>
      [...running.values()].filter((one) => kind === undefined || one === kind).length,
    hasFailed: () => failures.length > 0,
    async waitForChange(atMost) {
      if (!isChanged)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, atMost)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isChanged = false
    },
    async join() {
      await Promise.allSettled(running.keys())
      if (failures.length > 0) throw failures[0]
    },
  }
}
