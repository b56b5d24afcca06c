import type { EnvironmentDatabase } from '../../db/database.ts'
import type { FakeStripe, Fault } from '../stripe/fake-stripe.ts'

/** How a point fails: before anything has happened, or after it has happened but without a confirmation. */
export type FaultTiming = 'before' | 'after' | 'after_500'
export const FAULT_TIMINGS: readonly FaultTiming[] = ['before', 'after', 'after_500']

const FAULTS: Readonly<Record<FaultTiming, Fault>> = {
  before: 'reset_before',
  after: 'reset_after',
  after_500: 'error_after',
}

/** Every point at which a call to the database or the provider can fail, numbered in order. */
export interface FaultPoints {
  /** Starts counting at 1 again, and makes the points of the plan fail. */
  arm(plan: ReadonlyMap<number, FaultTiming>): void
  /** Lets nothing fail any more; returns how many points have failed. */
  disarm(): FiredPoints
}

export interface FiredPoints {
  count: number
  /** Whether a call to the provider was among them. */
  atProvider: boolean
}

/** Makes every write to a database and every call to a provider a point that can fail. */
export function createFaultPoints(database: EnvironmentDatabase, fake: FakeStripe): FaultPoints {
  let plan: ReadonlyMap<number, FaultTiming> = new Map()
  let count = 0
  let fired: FiredPoints = { count: 0, atProvider: false }

  function next(atProvider: boolean): FaultTiming | undefined {
    const way = plan.get(++count)
    if (way) fired = { count: fired.count + 1, atProvider: fired.atProvider || atProvider }
    return way
  }

  const { write } = database
  database.write = async (fn, options) => {
    const way = next(false)
    if (way === 'before') throw lostConnection()
    const result = await write(fn, options)
    if (way) throw lostConnection()
    return result
  }
  fake.fault = () => {
    const way = next(true)
    return way && FAULTS[way]
  }
  return {
    arm(wanted) {
      plan = wanted
      count = 0
      fired = { count: 0, atProvider: false }
    },
    disarm() {
      plan = new Map()
      return fired
    },
  }
}

const lostConnection = () => Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
