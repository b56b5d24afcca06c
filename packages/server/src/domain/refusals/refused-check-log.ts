import type { EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { type Refusal, recordRefusedChecks } from './refused-checks.ts'

/** How long refused checks are collected before they are written. On SQLite, writing them empties the cache of the fast
 * path, so it must be rare. */
const PAUSE_MS: Millis = 10_000

/** Maximum different checks held in memory, while the database is down or a site asks for many strangers. */
const MAX_QUEUED = 2_000

/** Maximum checks written in one transaction. */
const MAX_WRITTEN = 100

/** Collects refused access checks in memory, so that a check costs no write, and stores them a few seconds later. */
export interface RefusedCheckLog {
  /** Adds a check that found no live access. `ends` is the end of the record that had expired, if there was one. */
  add(aid: string, rid: string, userRef: string, ends: Seconds | undefined): void
  /** Stores what was collected. */
  flush(): Promise<void>
}

export function createRefusedCheckLog(
  database: EnvironmentDatabase,
  clock: () => Seconds,
  pauseMs: Millis = PAUSE_MS,
): RefusedCheckLog {
  let queued = new Map<string, Refusal & { aid: string }>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    const all = [...queued.values()]
    queued = new Map()
    for (const aid of new Set(all.map((one) => one.aid))) {
      const own = all.filter((one) => one.aid === aid)
      for (let at = 0; at < own.length; at += MAX_WRITTEN) {
        await recordRefusedChecks(database, aid, own.slice(at, at + MAX_WRITTEN))
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // The outage is reported by code that needs the database. Nothing depends on these entries, so they are dropped.
    writing = writing.then(writeAll).catch(() => {})
    return writing
  }

  return {
    add(aid, rid, userRef, ends) {
      const now = clock()
      const key = `${aid} ${ends ?? ''} ${rid} ${userRef}`
      const known = queued.get(key)
      if (known) {
        known.last = now
        known.times++
        return
      }
      if (queued.size >= MAX_QUEUED) return
      queued.set(key, { aid, rid, userRef, ends, first: now, last: now, times: 1 })
      timer ??= setTimeout(flush, pauseMs).unref()
    },
    flush,
  }
}
