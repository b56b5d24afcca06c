import type { Logger } from 'pino'
import { foldCounts } from '../../access/counting.ts'
import type { Environment } from '../../context.ts'
import { startLoop, type Worker } from './loop.ts'

/** Keeps the counts for searches up to date, in one environment, until it is stopped. */
export function startCountWorker(env: Environment, log: Logger): Worker {
  return startLoop(env, log, {
    name: 'the count worker',
    async work() {
      await env.refreshClock()
      return await foldCounts(env.database, env.clock())
    },
    idleMs: 1_000,
    troubleMs: 2_000,
  })
}
