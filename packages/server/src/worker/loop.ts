import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import type { Millis, Seconds } from '../db/tables.ts'
import { createOutageLogger } from '../logging/outage-logger.ts'

/** A background job that runs in a loop. Not to be confused with the worker processes of `cluster/`. */
export interface BackgroundLoop {
  /** Starts nothing new and waits for running work to finish. */
  stop(): Promise<void>
}

/** When a job that has found nothing to do looks again. */
interface Pauses {
  /** The shortest pause. */
  idleMs: Millis
  /** Returns the real time at which something becomes due although nothing changes; undefined if nothing will. A time in
   * the past means that the job looks again after `idleMs`. */
  nextDue?(): Promise<Millis | undefined>
  /** How often the version of the databases is read while nothing happens, if not every `LOOK_EVERY_MS`. */
  lookEveryMs?: Millis
}

interface Job extends Pauses {
  /** Names the worker in the log. */
  name: string
  /** Does what is due; returns how many items that was. */
  work(stopping: AbortSignal): Promise<number>
  /** Pause after a failure. */
  retryMs: Millis
}

type LoopEnvironment = Pick<Environment, 'name' | 'changes' | 'realTime'>

/** A job looks at least this often, for what becomes due without a promise to the second, such as old rows to delete. */
export const MAX_QUIET_MS: Millis = 30_000

/** How often the version of the databases is read while nothing happens. */
const LOOK_EVERY_MS: Millis = 500

/** Runs a background job of one environment in a loop until it is stopped. */
export function startLoop(env: LoopEnvironment, log: Logger, job: Job): BackgroundLoop {
  const stopping = new AbortController()
  const running = run(env, job, log.child({ environment: env.name }), stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function run(
  env: LoopEnvironment,
  job: Job,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  const outages = createOutageLogger(log, job.name)
  while (!stopping.aborted) {
    const since = env.changes.version
    try {
      const done = await job.work(stopping)
      outages.fine()
      if (done === 0) await pauseUntilNeeded(env, job, since, stopping)
    } catch (error) {
      outages.trouble(error)
      await pauseFor(job.retryMs, stopping)
    }
  }
}

/**
 * Pauses a job that has found nothing to do. If the databases are still as they were at `since`, which was read before it
 * looked, it goes on pausing until one of them changes, or something is due.
 */
export async function pauseUntilNeeded(
  { changes, realTime }: LoopEnvironment,
  { idleMs, nextDue, lookEveryMs = LOOK_EVERY_MS }: Pauses,
  since: string,
  stopping: AbortSignal,
): Promise<void> {
  await pauseFor(idleMs, stopping)
  const maxMs = MAX_QUIET_MS - idleMs
  if (stopping.aborted || maxMs <= 0) return
  await changes.refresh()
  if (changes.version !== since) return
  const due = await nextDue?.()
  const everyMs = Math.max(idleMs, lookEveryMs)
  await changes.wait({ since, due, realTime, maxMs, everyMs, stopping })
}

/** Pauses until the time is over, or the job is to stop. */
export const pauseFor = (ms: Millis, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => {})

/** Converts a time by the environment's clock into real time. */
export const toRealTime = (
  { clockOffset }: Pick<Environment, 'clockOffset'>,
  time: Seconds | undefined,
): Millis | undefined => (time === undefined ? undefined : (time - clockOffset()) * 1_000)
