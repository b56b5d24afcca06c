import type { Logger } from 'pino'
import type { Context, Environment } from '../context.ts'
import { bundleNotices, findNextBundle } from '../domain/notifications/bundles.ts'
import { makeDigests } from '../domain/notifications/digest.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'

/** Notices wait for half a minute anyway. */
const IDLE_MS = 5_000
const RETRY_MS = 10_000

/** Digests are made once a day, so that looking for them each minute is often enough. */
const DIGESTS_MS = 60_000

/** Puts what happened in an environment into emails to staff, until it is stopped. Nothing is made during a hold: what
 * waits then is made, or discarded, when the hold ends. */
export function startNotificationWorker(
  ctx: Context,
  env: Environment,
  log: Logger,
): BackgroundLoop {
  let nextDigests = 0
  return startLoop(env, log, {
    name: 'the worker that writes emails to staff',
    async work() {
      if (await env.isOnHold()) return 0
      await bundleNotices(ctx, env)
      if (performance.now() >= nextDigests) {
        nextDigests = performance.now() + DIGESTS_MS
        await makeDigests(ctx, env)
      }
      return 0
    },
    idleMs: IDLE_MS,
    nextDue: () => findNextBundle(env.database.read),
    retryMs: RETRY_MS,
  })
}
