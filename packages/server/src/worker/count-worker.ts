import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { foldCounts } from '../domain/access/counts/counting.ts'
import { foldRevenue } from '../domain/figures/sums.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'

/** Fewer changes than this stay pending and are counted by each search, or by each look at the figures: a write would cost more and, on SQLite,
 * invalidate the cached access checks of all processes. */
const MIN_BATCH = 100

/** Pause between two batches, so that other writers get their turn. */
const PAUSE_MS = 20

/** Keeps the counts for searches and the sums for figures up to date, in one environment, until it is stopped. */
export function startCountWorker(env: Environment, log: Logger): BackgroundLoop {
  return startLoop(env, log, {
    name: 'the count worker',
    async work() {
      await env.refreshClock()
      const folded =
        (await foldCounts(env.database, env.clock(), MIN_BATCH)) +
        (await foldRevenue(env.database, MIN_BATCH))
      if (folded > 0) await sleep(PAUSE_MS)
      return folded
    },
    idleMs: 1_000,
    retryMs: 2_000,
  })
}
