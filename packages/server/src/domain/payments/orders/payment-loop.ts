import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../db/database.ts'
import type { Millis } from '../../../db/tables.ts'
import { closeDuePages, findNextClosing } from '../checkout/close-pages.ts'
import { expireCheckouts, findNextPoll, pollDueCheckouts } from '../checkout/poll-checkouts.ts'
import type { PaymentContext } from '../context.ts'
import { runNextSteps } from '../renewals/renewals.ts'
import type { Claim, OrderTable } from './order-table.ts'
import { claimNextOrder, findNextOrderDue, sendClaimedOrder } from './orders.ts'
import { createTaskGroup, type TaskGroup } from './task-group.ts'

/** Maximum number of concurrent orders: the provider takes its time for each. */
const MAX_CONCURRENT: Readonly<Record<OrderTable, number>> = { payments: 8, refunds: 4 }
/** After this time no new work is started, and the pass ends. */
const MAX_PASS_MS: Millis = 30_000
const POLL_MS: Millis = 250
/** This many orders in a row without an answer count as an outage. From then on, one order at a time is enough to
 * notice its end. */
const OUTAGE_THRESHOLD = 10
const OUTAGE_PAUSE_MS: Millis = 1_000

/** Notices an outage of the provider. It outlives a pass: if calls time out, a pass is over before the threshold is
 * reached. */
export interface OutageCounter {
  /** Number of orders in a row that had no answer. */
  unanswered: number
}

interface Pass {
  ctx: PaymentContext
  outage: OutageCounter
  tasks: TaskGroup
  done: number
}

/** Does everything that is due: first the subscription steps, then the orders that they and others have placed.
 * Returns how much was done; 0 means that nothing is due now. */
export async function runDuePayments(ctx: PaymentContext): Promise<number> {
  let done = 0
  for (let steps = await runNextSteps(ctx); steps > 0; steps = await runNextSteps(ctx)) {
    done += steps
  }
  return done + (await runDueOrders(ctx, { unanswered: 0 }))
}

/**
 * Sends the orders that are due to the provider, and polls checkouts without an event. An order that hangs does not
 * delay others. Returns how much was done; 0 means that nothing is due now.
 */
export async function runDueOrders(
  ctx: PaymentContext,
  outage: OutageCounter,
  stopping?: AbortSignal,
): Promise<number> {
  const until = performance.now() + MAX_PASS_MS
  const pass: Pass = { ctx, outage, tasks: createTaskGroup(), done: 0 }
  const { tasks } = pass
  const isOver = () => stopping?.aborted || tasks.hasFailed() || performance.now() > until
  await expireCheckouts(ctx)
  tasks.add('checkouts', pollCheckouts(pass))
  try {
    while (!isOver()) {
      const wasIdle = tasks.count() === 0
      const begun = await startDueOrders(pass)
      if (begun === 0 && wasIdle) break
      if (begun === 0) await tasks.waitForChange(POLL_MS)
      if (isOutage(outage)) await sleep(OUTAGE_PAUSE_MS)
    }
  } finally {
    await tasks.join()
  }
  return pass.done
}

/** Returns when the next order or checkout is due. Subscription steps are not included: they follow another clock. */
export async function findNextPaymentWork(db: Db): Promise<Millis | undefined> {
  const times = [
    await findNextOrderDue(db, 'payments'),
    await findNextOrderDue(db, 'refunds'),
    await findNextPoll(db),
    await findNextClosing(db),
  ].filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}

const isOutage = ({ unanswered }: OutageCounter) => unanswered >= OUTAGE_THRESHOLD

async function pollCheckouts(pass: Pass): Promise<void> {
  pass.done += await pollDueCheckouts(pass.ctx)
  pass.done += await closeDuePages(pass.ctx)
}

/** Claims and starts due orders up to the limits; returns how many. */
async function startDueOrders(pass: Pass): Promise<number> {
  const { ctx, outage, tasks } = pass
  await ctx.refreshClock()
  let begun = 0
  for (const table of ['refunds', 'payments'] as const) {
    while (tasks.count(table) < (isOutage(outage) ? 1 : MAX_CONCURRENT[table])) {
      const order = await claimNextOrder(ctx, table)
      if (!order) break
      tasks.add(table, runOrder(pass, table, order))
      begun++
    }
  }
  return begun
}

async function runOrder(pass: Pass, table: OrderTable, order: Claim): Promise<void> {
  const isAnswered = await sendClaimedOrder(pass.ctx, table, order)
  pass.outage.unanswered = isAnswered ? 0 : pass.outage.unanswered + 1
  pass.done++
}
