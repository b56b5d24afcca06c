import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../../context.ts'
import { createTeller } from '../teller.ts'

export interface Worker {
  /** Begins nothing new and finishes what is under way. */
  stop(): Promise<void>
}

interface Shift {
  /** For the log. */
  name: string
  /** Does what is due; tells how much that was. */
  work(stopping: AbortSignal): Promise<number>
  /** How soon it is noticed that something is due. */
  idleMs: number
  /** How soon to try again after a failure. */
  troubleMs: number
}

/** Works in one environment until it is stopped. */
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
  const tell = createTeller(log, shift.name)
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
