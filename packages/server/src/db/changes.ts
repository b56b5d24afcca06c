import { dataVersionOf, type VersionedDatabase } from './data-version.ts'
import type { Millis } from './tables.ts'

/** A version that was read less than this long ago is not read again. */
const MAX_AGE_MS: Millis = 100

/** A real clock that runs ahead of or behind the monotonic one by more than this was set, or the machine was suspended. */
const CLOCK_JUMP_MS: Millis = 1_000

/** Tells background jobs that the databases may have changed, so that they run no queries while nothing happens. */
export interface ChangeWatcher {
  /** The last version that was read. It may be out of date, so a job that finds nothing and started from it can only miss
   * changes that lead to another version. */
  readonly version: string
  /** Reads the version, unless that was done a moment ago. */
  refresh(): Promise<void>
  /** Counts as a change: for state that a process keeps in memory. */
  notify(): void
  /** Resolves when the version is no longer `since`, when `due` has come, or when the real clock was set. */
  wait(wait: ChangeWait): Promise<void>
}

export interface ChangeWait {
  since: string
  /** In real time; undefined if nothing becomes due without a change. */
  due: Millis | undefined
  realTime(): Millis
  maxMs: Millis
  /** How often to look. The shortest of all who wait applies. */
  everyMs: Millis
  stopping: AbortSignal
}

interface Waiter {
  everyMs: Millis
  isOver(): boolean
  end(): void
}

/**
 * Watches databases on one server, or in one folder, for commits by any process. Reading the version costs a hundredth of
 * what the queries of all jobs do. It is polled: a notification by PostgreSQL would need a connection of its own, which a
 * pooler in transaction mode doesn't give.
 */
export function createChangeWatcher(databases: readonly VersionedDatabase[]): ChangeWatcher {
  const waiting = new Set<Waiter>()
  let version = 'unread'
  let readAt = Number.NEGATIVE_INFINITY
  let notified = 0
  let failures = 0
  let reading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    readAt = performance.now()
    // An unavailable database counts as changed: the job finds out what is wrong, and reports it.
    const found = await readVersion(databases).catch(() => `unavailable ${++failures}`)
    version = `${notified} ${found}`
  }

  function refresh(maxAgeMs = MAX_AGE_MS): Promise<void> {
    if (reading === undefined && performance.now() - readAt < maxAgeMs) return Promise.resolve()
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function look(): Promise<void> {
    await refresh(0)
    for (const waiter of [...waiting].filter((one) => one.isOver())) waiter.end()
    timer = undefined
    schedule()
  }

  function schedule(): void {
    if (waiting.size === 0 || timer !== undefined) return
    const pause = Math.min(...[...waiting].map(({ everyMs }) => everyMs))
    timer = setTimeout(() => void look(), pause).unref()
  }

  return {
    get version() {
      return version
    },
    refresh: () => refresh(),
    notify() {
      notified++
      readAt = Number.NEGATIVE_INFINITY
    },
    wait({ since, due, realTime, maxMs, everyMs, stopping }) {
      const latest = performance.now() + maxMs
      const drift = () => realTime() - performance.now()
      const driftBefore = drift()
      const isOver = () =>
        version !== since ||
        performance.now() >= latest ||
        (due !== undefined && realTime() >= due) ||
        Math.abs(drift() - driftBefore) > CLOCK_JUMP_MS
      if (stopping.aborted || isOver()) return Promise.resolve()
      return new Promise((resolve) => {
        const end = () => {
          waiting.delete(waiter)
          stopping.removeEventListener('abort', end)
          resolve()
        }
        const waiter = { everyMs, isOver, end }
        stopping.addEventListener('abort', end)
        waiting.add(waiter)
        schedule()
      })
    },
  }
}

/** All databases on a PostgreSQL server share their transaction numbers. */
async function readVersion(databases: readonly VersionedDatabase[]): Promise<string> {
  const read = databases[0]?.engine === 'postgres' ? databases.slice(0, 1) : databases
  return (await Promise.all(read.map((database) => dataVersionOf(database)))).join(' ')
}
