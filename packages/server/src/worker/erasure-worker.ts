import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import type { ControlDatabase } from '../db/database.ts'
import { finishErasures } from '../domain/people/erasures.ts'
import { startLoop, type Worker } from './loop.ts'

/** Finishes the erasure of people in one environment until it is stopped. */
export function startErasureWorker(
  env: Environment,
  control: ControlDatabase,
  log: Logger,
): Worker {
  const { database, realTime } = env
  return startLoop(env, log, {
    name: 'the erasure worker',
    work: () => finishErasures({ database, control, realTime }),
    idleMs: 1_000,
    retryMs: 10_000,
  })
}
