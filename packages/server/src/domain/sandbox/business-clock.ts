import type { EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { readClockOffset } from './clock.ts'

/** The business time of an environment. */
export interface BusinessClock {
  now(): Seconds
  /** How far it is ahead of real time, as last read by this process. */
  offset(): Seconds
  /** Whether the offset is known to be the current one, because nothing was committed since it was read. */
  isCurrent(): boolean
  /** Reads the offset again if need be: any process can move the clock. */
  refresh(): Promise<void>
}

export const createBusinessClock = (
  environment: string,
  database: EnvironmentDatabase,
  realTime: () => Millis,
): BusinessClock =>
  environment === 'sandbox' ? createMovableClock(database, realTime) : createRealClock(realTime)

/** A clock that shows real time: that of production. */
const createRealClock = (realTime: () => Millis): BusinessClock => ({
  now: () => Math.floor(realTime() / 1000),
  offset: () => 0,
  isCurrent: () => true,
  async refresh() {},
})

/** A clock that is ahead of real time by the offset in the database: that of the sandbox. */
function createMovableClock(database: EnvironmentDatabase, realTime: () => Millis): BusinessClock {
  let offset: Seconds = 0
  let lastStarted = 0
  let lastUsed = 0
  /** The database's version before the offset was read; undefined where it has none. */
  let version: number | undefined
  const isCurrent = () => version !== undefined && version === database.dataVersion()
  return {
    now: () => Math.floor(realTime() / 1000) + offset,
    offset: () => offset,
    isCurrent,
    async refresh() {
      if (isCurrent()) return
      const turn = ++lastStarted
      const before = database.dataVersion()
      const found = await readClockOffset(database.read)
      // Concurrent reads of the offset may finish in any order. Only a read that began after the one in use replaces it.
      if (turn > lastUsed) [lastUsed, offset, version] = [turn, found, before]
    },
  }
}
