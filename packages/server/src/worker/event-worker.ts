import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import type { Millis } from '../db/tables.ts'
import { findNextEnd, reportEndedAccess } from '../domain/events/ended.ts'
import { continueResync } from '../domain/events/resync.ts'
import { sweepEvents } from '../domain/events/retention.ts'
import { listUnstamped, stampPositions } from '../domain/events/stamp.ts'
import { type BackgroundLoop, startLoop, toRealTime } from './loop.ts'

/** How often it looks for events that are too old to be kept. */
const SWEEP_EVERY_MS: Millis = 60_000

/** Reports access whose time is over, tells sites everything again after a restore, gives new events their place in the order, and deletes old ones, in one
 * environment, until it is stopped. */
export function startEventWorker(env: Environment, keptDays: number, log: Logger): BackgroundLoop {
  const { database } = env
  let nextSweep: Millis = 0
  return startLoop(env, log, {
    name: 'the event worker',
    async work() {
      await env.refreshClock()
      const reported = await reportEndedAccess(database, env.clock())
      // On hold, the right databases may yet be put back.
      const resynced = (await env.isOnHold()) ? 0 : await continueResync(database, env.clock())
      let stamped = 0
      for (const aid of await listUnstamped(database.read)) {
        stamped += await stampPositions(database, aid)
      }
      let swept = 0
      if (env.realTime() >= nextSweep) {
        swept = await sweepEvents(database, keptDays, env.realTime())
        if (swept === 0) nextSweep = env.realTime() + SWEEP_EVERY_MS
      }
      return reported + resynced + stamped + swept
    },
    idleMs: 1_000,
    nextDue: async () => toRealTime(env, await findNextEnd(database.read)),
    retryMs: 5_000,
  })
}
