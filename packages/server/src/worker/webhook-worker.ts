import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Context, Environment } from '../context.ts'
import { findNextDelivery } from '../domain/webhooks/claim.ts'
import { noticeFailing } from '../domain/webhooks/failing-notices.ts'
import { createWebhookSender } from '../domain/webhooks/sender.ts'
import { sweepDeliveries } from '../domain/webhooks/sweep.ts'
import { createOutageLogger } from '../logging/outage-logger.ts'
import { type BackgroundLoop, pauseUntilNeeded } from './loop.ts'

/** Shortest pause after finding nothing to send. A call that ends interrupts it. */
const IDLE_MS = 250
/** Pause after a failure, such as a database outage. */
const RETRY_MS = 2_000
/** How often endpoints that keep failing are reported, and old deliveries deleted. */
const UPKEEP_MS = 60_000
/** How long a stopping worker waits for running calls; then their events are left for a later retry. */
const STOP_GRACE_MS = 10_000

/**
 * Sends the events of one environment to its webhook endpoints until it is stopped. All times are real: a sandbox whose clock
 * was moved ahead sends what happens there at once, and retries in real minutes. A detached copy sends nothing.
 */
export function startWebhookWorker(
  { masterKey }: Pick<Context, 'masterKey'>,
  env: Environment,
  options: { log: Logger },
): BackgroundLoop {
  const { webhookClient: client, webhookCalls: tally, database, realTime, clock } = env
  if (client === undefined) return { stop: async () => {} }
  const log = options.log.child({ environment: env.name })
  const stopping = new AbortController()
  const abandon = new AbortController()
  const abandonSignal = abandon.signal
  const parts = { database, masterKey, client, clock, realTime, log, abandonSignal, tally }
  const sender = createWebhookSender(parts)
  const outages = createOutageLogger(log, 'the webhook worker')
  let nextUpkeep = 0
  const pauses = { idleMs: IDLE_MS, nextDue: () => findNextDelivery(database.read, realTime()) }

  async function work(): Promise<number> {
    if (await env.isOnHold()) return 0
    if (performance.now() >= nextUpkeep) {
      nextUpkeep = performance.now() + UPKEEP_MS
      await noticeFailing(database, { now: clock(), realTime: realTime() })
      await sweepDeliveries(database, realTime())
    }
    return await sender.startDue()
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const since = env.changes.version
      try {
        const started = await work()
        outages.fine()
        if (started === 0) {
          if (sender.isCalling()) await sender.settled(IDLE_MS, stopping.signal)
          else await pauseUntilNeeded(env, pauses, since, stopping.signal)
        }
      } catch (error) {
        outages.trouble(error)
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    await sender.drain()
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      const timer = setTimeout(() => abandon.abort(), STOP_GRACE_MS)
      await running
      clearTimeout(timer)
    },
  }
}
