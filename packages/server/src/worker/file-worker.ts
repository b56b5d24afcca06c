import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { sweepDownloads } from '../domain/downloads/sweep.ts'
import { startLoop, type Worker } from './loop.ts'

/** Deletes files that no record refers to, in one environment, until it is stopped. */
export function startFileWorker(env: Environment, log: Logger): Worker {
  return startLoop(env, log, {
    name: 'the file worker',
    async work(stopping) {
      await env.refreshClock()
      return await sweepDownloads(env, stopping)
    },
    idleMs: 3600_000,
    retryMs: 60_000,
  })
}
