import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { foldCounts } from '../../access/counting.ts'
import type { Environment } from '../../context.ts'
import { startLoop, type Worker } from './loop.ts'

/** So few are counted as they are: a write would cost more, and make all processes forget what they
 * have remembered of access checks. */
const FEW = 100

/** Between two folds where there is much to do, for whoever else wants to do something. */
const PAUSE_MS = 20

/** Keeps the counts for searches up to date, in one environment, until it is stopped. */
export function startCountWorker(env: Environment, log: Logger): Worker {
  return startLoop(env, log, {
    name: 'the count worker',
    async work() {
      await env.refreshClock()
      const folded = await foldCounts(env.database, env.clock(), FEW)
      if (folded > 0) await sleep(PAUSE_MS)
      return folded
    },
    idleMs: 1_000,
    troubleMs: 2_000,
  })
}
