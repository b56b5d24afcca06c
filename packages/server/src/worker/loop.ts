import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { createOutageLogger } from '../outage-logger.ts'

export interface Worker {
  /** Starts nothing new and waits for running work to finish. */
  stop(): Promise<void>
}

interface Shift {
  /** Names the worker in the log. */
  name: string
  /** Does what is due; returns how many items that was. */
  work(stopping: AbortSignal): Promise<number>
  /** Pause after finding nothing to do. */
  idleMs: number
  /** Pause after a failure. */
  troubleMs: number
}

/** Runs a background job of one environment in a loop until it is stopped. */
export function startLoop(env: Environment, log: Logger, shift: Shift): Worker {
  const stopping = new AbortController()
  const running = run(shift, log.child({ environment: env.name }), stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function run(shift: Shift, log: Logger, stopping: AbortSignal): Promise<void> {
  const tell = createOutageLogger(log, shift.name)
  while (!stopping.aborted) {
    let pause = 0
    try {
      if ((await shift.work(stopping)) === 0) pause = shift.idleMs
      tell.fine()
    } catch (error) {
      tell.trouble(error)
      pause = shift.troubleMs
    }
    if (pause > 0) await sleep(pause, undefined, { signal: stopping }).catch(() => {})
  }
}
