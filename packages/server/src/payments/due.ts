import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Millis } from '../db/tables.ts'
import { closeDueCheckouts } from './closing.ts'
import { type Crew, createCrew } from './crew.ts'
import type { Desk } from './desk.ts'
import { expireCheckouts, settleDueCheckouts } from './looks.ts'
import { type Claim, carryOut, claimNext, type Ordered } from './orders.ts'
import { listDueSteps, takeSteps } from './renewals.ts'

/** Orders under way at once: a provider takes its time for each. */
const AT_ONCE: Readonly<Record<Ordered, number>> = { payments: 8, refunds: 4 }
/** Then nothing new is begun, and the caller has its turn. */
const LONGEST_PASS_MS: Millis = 30_000
const LOOK_AGAIN_MS: Millis = 250
/** So many in a row without an answer are an outage: one at a time is enough to see its end. */
const OUTAGE = 10
const OUTAGE_PAUSE_MS: Millis = 1_000

interface Pass {
  desk: Desk
  crew: Crew
  done: number
  /** How many orders in a row had no answer. */
  unanswered: number
}

/**
 * Does what is due: the steps of subscriptions, the orders to the provider, and a look at checkouts of
 * which nothing was heard. An order that hangs holds up no other. Returns how much was done; 0 means that
 * there is nothing to do now.
 */
export async function workDue(desk: Desk, stopping?: AbortSignal): Promise<number> {
  const until = performance.now() + LONGEST_PASS_MS
  const pass: Pass = { desk, crew: createCrew(), done: 0, unanswered: 0 }
  const { crew } = pass
  const isOver = () => stopping?.aborted || crew.hasFailed() || performance.now() > until
  await expireCheckouts(desk)
  crew.start('checkouts', lookAtCheckouts(pass))
  try {
    while (!isOver()) {
      await othersFirst()
      const wasIdle = crew.busy() === 0
      const begun = await beginSome(pass)
      if (begun === 0 && wasIdle) break
      if (begun === 0) await crew.change(LOOK_AGAIN_MS)
      if (isOutage(pass)) await sleep(OUTAGE_PAUSE_MS)
    }
  } finally {
    await crew.home()
  }
  return pass.done
}

/** The embedded database answers within the same turn of the event loop: without a pause, whoever is served by
 * this process would wait until all is done. */
const othersFirst = () => setImmediate()

const isOutage = ({ unanswered }: Pass) => unanswered >= OUTAGE

async function lookAtCheckouts(pass: Pass): Promise<void> {
  pass.done += await settleDueCheckouts(pass.desk)
  pass.done += await closeDueCheckouts(pass.desk)
}

/** Hands out orders while there are free hands, and lets new ones be made; returns how much of both. */
async function beginSome(pass: Pass): Promise<number> {
  const { desk, crew } = pass
  await desk.refreshClock()
  let begun = 0
  for (const table of ['refunds', 'payments'] as const) {
    while (crew.busy(table) < (isOutage(pass) ? 1 : AT_ONCE[table])) {
      await othersFirst()
      const order = await claimNext(desk, table)
      if (!order) break
      crew.start(table, tryOrder(pass, table, order))
      begun++
    }
  }
  return begun + (await beginSteps(pass))
}

/** Only while there are hands for the orders that come of them. */
async function beginSteps(pass: Pass): Promise<number> {
  const { desk, crew } = pass
  if (crew.busy('steps') > 0 || crew.busy('payments') >= AT_ONCE.payments) return 0
  const due = await listDueSteps(desk)
  if (due.length === 0) return 0
  pass.done += due.length
  crew.start('steps', takeSteps(desk, due))
  return due.length
}

async function tryOrder(pass: Pass, table: Ordered, order: Claim): Promise<void> {
  const isAnswered = await carryOut(pass.desk, table, order)
  pass.unanswered = isAnswered ? 0 : pass.unanswered + 1
  pass.done++
}
