import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import type { ControlDatabase } from '../db/database.ts'
import { findNextErasure, finishErasures } from '../domain/people/erasures.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'

/** The person is erased at once; this removes what is left: rows that concurrent transactions wrote meanwhile, data
 * that a pending payment still needed, and deleted values in the database files. Runs in one environment until it is
 * stopped. */
export function startErasureWorker(
  env: Environment,
  control: ControlDatabase,
  log: Logger,
): BackgroundLoop {
  const { database, realTime } = env
  return startLoop(env, log, {
    name: 'the erasure worker',
    work: () => finishErasures({ database, control, realTime }),
    idleMs: 1_000,
    nextDue: () => findNextErasure(database.read),
    retryMs: 10_000,
  })
}
