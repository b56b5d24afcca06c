import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'

/** A change of payments or mail must take effect in every process within 5 s. This leaves time for a slow query. */
const REFRESH_MS = 2_000

/** Follows the settings of payments and mail, which staff may change in another process. */
export function startConnectionsWorker(env: Environment, log: Logger): BackgroundLoop {
  return startLoop(env, log, {
    name: 'the worker that follows the connections',
    async work() {
      await env.connections.refresh()
      return 0
    },
    idleMs: REFRESH_MS,
    retryMs: REFRESH_MS,
  })
}
