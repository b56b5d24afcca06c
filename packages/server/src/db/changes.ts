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
 * what the queries of all jobs do. It is polled: notifications by PostgreSQL would need one more connection in each
 * process, and a statement in every write.
 */
export function createChangeWatcher(databases: readonly VersionedDatabase[]): ChangeWatcher {
  const readVersion = createVersionReader(databases)
  const waiting = new Set<Waiter>()
  let version = 'unread'
  let readAt = Number.NEGATIVE_INFINITY
  let notified = 0
  let reading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    readAt = performance.now()
    version = [await readVersion(), notified].join(' ')
    reading = undefined
  }

  function refresh(maxAgeMs = MAX_AGE_MS): Promise<void> {
    if (reading === undefined && performance.now() - readAt < maxAgeMs) return Promise.resolve()
    reading ??= read()
    return reading
  }

  async function look(): Promise<void> {
    await refresh(0)
    for (const { isOver, end } of [...waiting]) if (isOver()) end()
    timer = undefined
    schedule()
  }

  function schedule(): void {
    if (waiting.size === 0 || timer !== undefined) return
    timer = setTimeout(look, Math.min(...[...waiting].map(({ everyMs }) => everyMs))).unref()
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
    wait({ since, everyMs, stopping, ...limits }) {
      const isTimeOver = watchTime(limits)
      const isOver = () => version !== since || isTimeOver()
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

/** Returns a function that says whether a wait has taken as long as it may, or the real clock was set meanwhile. */
function watchTime({
  due,
  realTime,
  maxMs,
}: Pick<ChangeWait, 'due' | 'realTime' | 'maxMs'>): () => boolean {
  const latest = performance.now() + maxMs
  const drift = () => realTime() - performance.now()
  const driftBefore = drift()
  return () =>
    performance.now() >= latest ||
    (due !== undefined && realTime() >= due) ||
    Math.abs(drift() - driftBefore) > CLOCK_JUMP_MS
}

/** All databases on a PostgreSQL server share their transaction numbers. An unavailable database counts as changed: the
 * job finds out what is wrong, and reports it. */
function createVersionReader(databases: readonly VersionedDatabase[]): () => Promise<string> {
  const read = databases[0]?.engine === 'postgres' ? databases.slice(0, 1) : databases
  let failures = 0
  return async () => {
    try {
      return (await Promise.all(read.map((database) => dataVersionOf(database)))).join(' ')
    } catch {
      return `unavailable ${++failures}`
    }
  }
}
