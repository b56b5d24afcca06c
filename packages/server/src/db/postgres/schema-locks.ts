import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { OperatorError } from '../../errors.ts'
import type { Trx } from '../database.ts'
import { errorCodeOf } from '../outage.ts'

/** PostgreSQL's errors when others use the tables: a lock timeout, and a deadlock with writers that lock them in another
 * order, as those of an earlier version may. */
const LOCKED = new Set(['55P03', '40P01'])
/** How long a schema change waits for readers of a table (an export, for example) before it gives up. */
const MAX_WAIT_MS = 600_000
const PAUSE_MS = 1_000

/** On PostgreSQL, a schema change that waits for its lock blocks everyone behind it. A short timeout lets them pass;
 * `retryWhileLocked` then tries again. PostgreSQL cancels an automatic vacuum for somebody who has waited longer than its
 * `deadlock_timeout`, a second by default; one of a large table may last longer than all attempts. */
export async function waitBriefly<T>(trx: Trx<T>): Promise<void> {
  await sql`select set_config('lock_timeout', (least(setting::int, 2000) + 500)::text, true)
    from pg_settings where name = 'deadlock_timeout'`.execute(trx)
}

/** Repeats a schema change until it gets its locks. */
export async function retryWhileLocked(place: string, change: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    try {
      return await change()
    } catch (error) {
      if (!LOCKED.has(errorCodeOf(error))) throw error
      if (performance.now() > deadline) {
        throw new OperatorError(`${place} can't be migrated: another program has locked its tables`)
      }
      await sleep(PAUSE_MS)
    }
  }
}
