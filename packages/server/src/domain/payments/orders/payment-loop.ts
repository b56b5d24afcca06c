import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../db/database.ts'
import type { Millis } from '../../../db/tables.ts'
import { closeDuePages, findNextClosing } from '../checkout/close-pages.ts'
import { expireCheckouts, findNextPoll, pollDueCheckouts } from '../checkout/poll-checkouts.ts'
import type { PaymentContext } from '../context.ts'
import { runDueSteps, takeDueSteps } from '../renewals/renewals.ts'
import {
  type Claim,
  claimNextOrder,
  findNextOrderDue,
  type OrderTable,
  sendClaimedOrder,
} from './orders.ts'
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

interface Pass {
  ctx: PaymentContext
  tasks: TaskGroup
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
  const pass: Pass = { ctx, tasks: createTaskGroup(), done: 0, unanswered: 0 }
  const { tasks } = pass
  const isOver = () => stopping?.aborted || tasks.hasFailed() || performance.now() > until
  await expireCheckouts(ctx)
  tasks.add('checkouts', pollCheckouts(pass))
  try {
    while (!isOver()) {
      const wasIdle = tasks.count() === 0
      const begun = await startDueWork(pass)
      if (begun === 0 && wasIdle) break
      if (begun === 0) await tasks.waitForChange(POLL_MS)
      if (isOutage(pass)) await sleep(OUTAGE_PAUSE_MS)
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

const isOutage = ({ unanswered }: Pass) => unanswered >= OUTAGE_THRESHOLD

async function pollCheckouts(pass: Pass): Promise<void> {
  pass.done += await pollDueCheckouts(pass.ctx)
  pass.done += await closeDuePages(pass.ctx)
}

/** Claims due orders up to the limits, and starts due subscription steps; returns how many were started. */
async function startDueWork(pass: Pass): Promise<number> {
  const { ctx, tasks } = pass
  await ctx.refreshClock()
  let begun = 0
  for (const table of ['refunds', 'payments'] as const) {
    while (tasks.count(table) < (isOutage(pass) ? 1 : MAX_CONCURRENT[table])) {
      const order = await claimNextOrder(ctx, table)
      if (!order) break
      tasks.add(table, runOrder(pass, table, order))
      begun++
    }
  }
  return begun + (await startDueSteps(pass))
}

/** Starts steps only while there is capacity for the orders they create. */
async function startDueSteps(pass: Pass): Promise<number> {
  const { ctx, tasks } = pass
  if (tasks.count('steps') > 0 || tasks.count('payments') >= MAX_CONCURRENT.payments) return 0
  const due = await takeDueSteps(ctx)
  if (due.length === 0) return 0
  pass.done += due.length
  tasks.add('steps', runDueSteps(ctx, due))
  return due.length
}

async function runOrder(pass: Pass, table: OrderTable, order: Claim): Promise<void> {
  const isAnswered = await sendClaimedOrder(pass.ctx, table, order)
  pass.unanswered = isAnswered ? 0 : pass.unanswered + 1
  pass.done++
}
