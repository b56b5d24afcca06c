import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../../context.ts'
import { workDue } from '../../payments/due.ts'
import type { Worker } from './mail-worker.ts'
import { createTeller } from './teller.ts'

/** How soon it is noticed that something is due. */
const IDLE_MS = 1_000
const TROUBLE_MS = 2_000

/** Renews, retries, refunds and ends what is due, in one environment, until it is stopped. */
export function startMoneyWorker(env: Environment, log: Logger): Worker {
  const stopping = new AbortController()
  const running = run(env, log.child({ environment: env.name }), stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function run(env: Environment, log: Logger, stopping: AbortSignal): Promise<void> {
  const tell = createTeller(log, 'the money worker')
  while (!stopping.aborted) {
    let pause = 0
    try {
      if ((await workDue(env, stopping)) === 0) pause = IDLE_MS
      tell.fine()
    } catch (error) {
      tell.trouble(error)
      pause = TROUBLE_MS
    }
    if (pause > 0) await sleep(pause, undefined, { signal: stopping }).catch(() => {})
  }
}
