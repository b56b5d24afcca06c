import type { Millis } from '../../../db/tables.ts'

/** Runs tasks of several kinds concurrently. */
export interface TaskGroup {
  start(kind: string, work: Promise<void>): void
  /** Number of running tasks, of one kind or of all kinds. */
  busy(kind?: string): number
  hasFailed(): boolean
  /** Resolves when a task has ended since the last call, or after `atMost`. */
  change(atMost: Millis): Promise<void>
  /** Resolves when all tasks have ended; throws the first error, if any task failed. */
  home(): Promise<void>
}

export function createTaskGroup(): TaskGroup {
  const underWay = new Map<Promise<void>, string>()
  const failures: unknown[] = []
  let isChanged = false
  let wake = () => {}

  async function follow(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => failures.push(error))
    underWay.delete(work)
    isChanged = true
    wake()
  }

  return {
    start(kind, work) {
      underWay.set(work, kind)
      void follow(work)
    },
    busy: (kind) =>
      [...underWay.values()].filter((one) => kind === undefined || one === kind).length,
    hasFailed: () => failures.length > 0,
    async change(atMost) {
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
    async home() {
      await Promise.allSettled(underWay.keys())
      if (failures.length > 0) throw failures[0]
    },
  }
}
