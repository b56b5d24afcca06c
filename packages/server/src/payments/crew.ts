import type { Millis } from '../db/tables.ts'

/** Work of several kinds that is under way at the same time. */
export interface Crew {
  start(kind: string, work: Promise<void>): void
  /** How much is under way, of one kind or of all. */
  busy(kind?: string): number
  hasFailed(): boolean
  /** When something has ended since the last time, or so much later. */
  change(atMost: Millis): Promise<void>
  /** When all has ended; throws what the first to fail has thrown. */
  home(): Promise<void>
}

export function createCrew(): Crew {
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
