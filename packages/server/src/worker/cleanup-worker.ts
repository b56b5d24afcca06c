import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { sweepDownloads } from '../domain/downloads/sweep.ts'
import { deleteOldRequests } from '../domain/idempotency/sweep.ts'
import { sweepImages } from '../domain/images/sweep.ts'
import { deleteOldRefusedChecks } from '../domain/refusals/refused-checks.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'

/** Deletes images that nothing shows, files that no record has referred to for a day, the recorded uses of expired
 * links, refused access checks of more than 30 days ago, and stored responses whose idempotency keys have expired.
 * Runs in one environment until it is stopped. */
export function startCleanupWorker(env: Environment, log: Logger): BackgroundLoop {
  return startLoop(env, log, {
    name: 'the cleanup worker',
    async work(stopping) {
      await env.refreshClock()
      await deleteOldRefusedChecks(env.database, env.clock())
      await deleteOldRequests(env.database, env.realTime())
      await sweepImages(env)
      return await sweepDownloads(env, stopping)
    },
    idleMs: 3600_000,
    retryMs: 60_000,
  })
}
