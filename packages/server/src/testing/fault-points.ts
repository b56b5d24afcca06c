import type { EnvironmentDatabase } from '../db/database.ts'
import type { FakeStripe, Fault } from './fake-stripe.ts'

/** How a point goes wrong: nothing has happened, or it has and nobody is told. */
export type Way = 'before' | 'after' | 'after_500'
export const WAYS: readonly Way[] = ['before', 'after', 'after_500']

const FAULTS: Readonly<Record<Way, Fault>> = {
  before: 'reset_before',
  after: 'reset_after',
  after_500: 'error_after',
}

/** Every place where something can go wrong between us, the database and the provider, one by one. */
export interface FaultPoints {
  /** Counts from 1 from now on, and lets these points go wrong. */
  arm(plan: ReadonlyMap<number, Way>): void
  /** Lets nothing go wrong any more; returns how many of the points have. */
  disarm(): number
}

/** Counts the writes to a database and the calls of a provider. */
export function createFaultPoints(database: EnvironmentDatabase, fake: FakeStripe): FaultPoints {
  let plan: ReadonlyMap<number, Way> = new Map()
  let count = 0
  let fired = 0

  function next(): Way | undefined {
    const way = plan.get(++count)
    if (way) fired++
    return way
  }

  const { write } = database
  database.write = async (fn, options) => {
    const way = next()
    if (way === 'before') throw lostConnection()
    const result = await write(fn, options)
    if (way) throw lostConnection()
    return result
  }
  fake.fault = () => {
    const way = next()
    return way && FAULTS[way]
  }
  return {
    arm(wanted) {
      plan = wanted
      count = 0
      fired = 0
    },
    disarm() {
      plan = new Map()
      return fired
    },
  }
}

const lostConnection = () => Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
