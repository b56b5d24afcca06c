import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { createOutageLogger } from '../outage-logger.ts'

/** A background job that runs in a loop. Not to be confused with the worker processes of `cluster/`. */
export interface BackgroundLoop {
  /** Starts nothing new and waits for running work to finish. */
  stop(): Promise<void>
}

interface Job {
  /** Names the worker in the log. */
  name: string
  /** Does what is due; returns how many items that was. */
  work(stopping: AbortSignal): Promise<number>
  /** Pause after finding nothing to do. */
  idleMs: number
  /** Pause after a failure. */
  retryMs: number
}

/** Runs a background job of one environment in a loop until it is stopped. */
export function startLoop(env: Environment, log: Logger, job: Job): BackgroundLoop {
  const stopping = new AbortController()
  const running = run(job, log.child({ environment: env.name }), stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function run(job: Job, log: Logger, stopping: AbortSignal): Promise<void> {
  const outages = createOutageLogger(log, job.name)
  while (!stopping.aborted) {
    let pause = 0
    try {
      if ((await job.work(stopping)) === 0) pause = job.idleMs
      outages.fine()
    } catch (error) {
      outages.trouble(error)
      pause = job.retryMs
    }
    if (pause > 0) await sleep(pause, undefined, { signal: stopping }).catch(() => {})
  }
}
