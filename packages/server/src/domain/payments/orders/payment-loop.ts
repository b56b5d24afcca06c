import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Millis } from '../../../db/tables.ts'
import { closeDueCheckouts } from '../checkout/close.ts'
import { expireCheckouts, pollDueCheckouts } from '../checkout/poll-checkouts.ts'
import type { PaymentContext } from '../context.ts'
import { listDueSteps, takeSteps } from '../renewals/renewals.ts'
import { type Claim, carryOut, claimNext, type Ordered } from './orders.ts'
import { createTaskGroup, type TaskGroup } from './task-group.ts'

/** Maximum number of concurrent orders: the provider takes its time for each. */
const AT_ONCE: Readonly<Record<Ordered, number>> = { payments: 8, refunds: 4 }
/** After this time no new work is started, and the pass ends. */
const MAX_PASS_MS: Millis = 30_000
const LOOK_AGAIN_MS: Millis = 250
/** This many orders in a row without an answer count as an outage. From then on, one order at a time is enough to
 * notice its end. */
const OUTAGE = 10
const OUTAGE_PAUSE_MS: Millis = 1_000

interface Pass {
  ctx: PaymentContext
  crew: TaskGroup
  done: number
  /** Number of orders in a row that had no answer. */
  unanswered: number
}

/**
 * Does what is due: subscription steps, orders to the provider, and polling of checkouts without an event. An order
 * that hangs does not delay others. Returns how much was done; 0 means that nothing is due now.
 */
export async function runDuePayments(ctx: PaymentContext, stopping?: AbortSignal): Promise<number> {
  const until = performance.now() + MAX_PASS_MS
  const pass: Pass = { ctx, crew: createTaskGroup(), done: 0, unanswered: 0 }
  const { crew } = pass
  const isOver = () => stopping?.aborted || crew.hasFailed() || performance.now() > until
  await expireCheckouts(ctx)
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

/** Lets the event loop serve requests. SQLite answers within the same turn, so without a pause requests would wait
 * until all work is done. */
const othersFirst = () => setImmediate()

const isOutage = ({ unanswered }: Pass) => unanswered >= OUTAGE

async function lookAtCheckouts(pass: Pass): Promise<void> {
  pass.done += await pollDueCheckouts(pass.ctx)
  pass.done += await closeDueCheckouts(pass.ctx)
}

/** Claims due orders up to the limits, and starts due subscription steps; returns how many were started. */
async function beginSome(pass: Pass): Promise<number> {
  const { ctx, crew } = pass
  await ctx.refreshClock()
  let begun = 0
  for (const table of ['refunds', 'payments'] as const) {
    while (crew.busy(table) < (isOutage(pass) ? 1 : AT_ONCE[table])) {
      await othersFirst()
      const order = await claimNext(ctx, table)
      if (!order) break
      crew.start(table, tryOrder(pass, table, order))
      begun++
    }
  }
  return begun + (await beginSteps(pass))
}

/** Starts steps only while there is capacity for the orders they create. */
async function beginSteps(pass: Pass): Promise<number> {
  const { ctx, crew } = pass
  if (crew.busy('steps') > 0 || crew.busy('payments') >= AT_ONCE.payments) return 0
  const due = await listDueSteps(ctx)
  if (due.length === 0) return 0
  pass.done += due.length
  crew.start('steps', takeSteps(ctx, due))
  return due.length
}

async function tryOrder(pass: Pass, table: Ordered, order: Claim): Promise<void> {
  const isAnswered = await carryOut(pass.ctx, table, order)
  pass.unanswered = isAnswered ? 0 : pass.unanswered + 1
  pass.done++
}
