import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { type Settled, settleCalls } from './settle.ts'

const RETRY_MS: Millis = 1_000

/** Records calls that end at about the same time in one transaction: the next one begins when the one before has ended. */
export interface Settler {
  /** Returns false if the lease was lost. */
  settle(call: Settled): Promise<boolean>
  /** Resolves when something was recorded since the last time, or after the given time. */
  next(timeoutMs: Millis, stopping: AbortSignal): Promise<void>
}

interface Waiting {
  call: Settled
  resolve(isRecorded: boolean): void
}

export interface SettlerParts {
  database: EnvironmentDatabase
  clock(): Seconds
  realTime(): Millis
  log: Logger
  /** Aborted when running calls have to be abandoned. */
  abandonSignal: AbortSignal
  random?: () => number
}

export function createSettler(parts: SettlerParts): Settler {
  let waiting: Waiting[] = []
  let isWriting = false
  let hasRecorded = false
  const listeners = new Set<() => void>()

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const lost = await writeBatch(
        parts,
        batch.map(({ call }) => call),
      )
      for (const { call, resolve } of batch) resolve(!lost.has(call))
      hasRecorded = true
      for (const end of listeners) end()
    }
    isWriting = false
  }

  return {
    settle(call) {
      return new Promise((resolve) => {
        waiting.push({ call, resolve })
        if (!isWriting) void writeAll()
      })
    },
    next(timeoutMs, stopping) {
      return new Promise((resolve) => {
        const end = () => {
          hasRecorded = false
          clearTimeout(timer)
          stopping.removeEventListener('abort', end)
          listeners.delete(end)
          resolve()
        }
        const timer = setTimeout(end, timeoutMs)
        stopping.addEventListener('abort', end)
        listeners.add(end)
        if (hasRecorded || stopping.aborted) end()
      })
    },
  }
}

/** Retries while the database is unavailable: an event that was delivered must not be sent again. Returns the calls that are
 * not recorded because their lease is over. */
async function writeBatch(
  { database, clock, realTime, log, abandonSignal, random = Math.random }: SettlerParts,
  calls: readonly Settled[],
): Promise<ReadonlySet<Settled>> {
  for (;;) {
    const clocks = { now: clock(), realTime: realTime() }
    try {
      return new Set(await settleCalls(database, calls, clocks, random))
    } catch (err) {
      const isOver = calls.every(({ delivery }) => (delivery.lease_until ?? 0) <= clocks.realTime)
      if (isOver || abandonSignal.aborted) return new Set(calls)
      log.warn({ err, calls: calls.length }, 'webhook calls could not be recorded yet')
      await sleep(RETRY_MS, undefined, { signal: abandonSignal }).catch(() => {})
    }
  }
}
