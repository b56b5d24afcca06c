import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Trx } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import {
  abandonWrite,
  claimWrite,
  finishWrite,
  recordWrite,
} from '../idempotency/handled-requests.ts'
import type { OnceAnswer } from '../idempotency/once.ts'
import type { WriteRequest } from '../idempotency/write-request.ts'
import type { PaymentContext } from '../payments/context.ts'
import { hasPendingOrders } from '../payments/orders/orders.ts'
import { runDuePayments } from '../payments/orders/payment-loop.ts'
import { findNextDueTime } from '../payments/renewals/renewals.ts'

/** The row in `meta` with the seconds that the sandbox's clock is ahead of real time. The clock keeps running. */
const OFFSET = 'clock_offset'

/** How far the clock may move at a time: ten years. */
export const MAX_CLOCK_STEP: Seconds = 10 * 366 * 86_400

export async function readClockOffset(db: Db): Promise<Seconds> {
  return Number((await readMeta(db, OFFSET)) ?? 0)
}

/** Changes the offset of the clock. Fails if it is no longer `from`, because another process moved the clock. */
async function moveClock(trx: Trx, from: Seconds, to: Seconds): Promise<void> {
  // This write locks the `clock_moved` row, so a concurrent move has finished before this one reads the offset.
  await setMeta(trx, 'clock_moved', String(to))
  if ((await readClockOffset(trx)) !== from) throw fail('clock_is_moving')
  await setMeta(trx, OFFSET, String(to))
}

/** Call only in a transaction that leaves no row dated ahead of real time. */
export async function returnToRealTime(trx: Trx): Promise<void> {
  await setMeta(trx, 'clock_moved', '0')
  await setMeta(trx, OFFSET, '0')
}

/** A payment context whose clock can be moved. */
export interface MovableClockContext extends PaymentContext {
  /** How many seconds the clock is ahead of real time, as last read by this process. */
  clockOffset(): Seconds
}

const MAX_WAIT_MS = 60_000
const LOOK_AGAIN_MS = 100

/** Upper limit of the clock. Cards and access expire, so dates far in the future make no sense. */
const LAST_MOMENT: Seconds = Date.UTC(2090, 0, 1) / 1000
const CLOCK_ENDS =
  "The sandbox's clock ends with the year 2089. To begin again: gatehouse sandbox reset."

/** Moves the clock forward in steps, from one due time to the next. Work that falls due at a step is finished, and
 * its mails are queued, before the next step. Returns the new time. */
export async function advanceClock(ctx: MovableClockContext, by: Seconds): Promise<Seconds> {
  return await moveClockTo(ctx, await findTarget(ctx, by))
}

/** Advances the clock unless a request with the same key did so before. One that was interrupted continues to the same
 * time. Returns the new time. */
export async function advanceClockOnce(
  ctx: MovableClockContext,
  by: Seconds,
  write: WriteRequest,
): Promise<OnceAnswer> {
  const target = await findTarget(ctx, by)
  const begun = await ctx.database.write(async (trx) => {
    const stored = await claimWrite(trx, write, ctx.realTime())
    const body = stored?.body ?? { time: target }
    const isReplayed = stored?.isProvisional === false
    const answer = { status: 200, body: body as { time: Seconds } }
    if (!isReplayed) {
      await recordWrite(trx, write, { ...answer, isProvisional: true }, ctx.realTime())
    }
    return { ...answer, isReplayed }
  })
  if (begun.isReplayed) return begun
  try {
    const answer = { status: 200, body: { time: await moveClockTo(ctx, begun.body.time) } }
    await ctx.database.write((trx) => finishWrite(trx, write, answer))
    return { ...answer, isReplayed: false }
  } catch (error) {
    await ctx.database.write((trx) => abandonWrite(trx, write))
    throw error
  }
}

async function findTarget(ctx: MovableClockContext, by: Seconds): Promise<Seconds> {
  if (by < 0) throw fail('clock_only_forward')
  // While on hold, work that falls due can't be charged, and the clock would wait for it until it times out.
  if (await ctx.isOnHold()) throw fail('on_hold')
  await ctx.refreshClock()
  const target = ctx.clock() + by
  if (target > LAST_MOMENT) throw fail('clock_only_forward', CLOCK_ENDS)
  return target
}

async function moveClockTo(ctx: MovableClockContext, target: Seconds): Promise<Seconds> {
  await finishDue(ctx)
  for (;;) {
    const moment = await findNextDueTime(ctx.database.read)
    if (moment === undefined || moment > target) break
    if (moment > ctx.clock()) await moveTo(ctx, moment)
    await finishDue(ctx)
  }
  if (target > ctx.clock()) await moveTo(ctx, target)
  await finishDue(ctx)
  return ctx.clock()
}

async function moveTo(ctx: MovableClockContext, moment: Seconds): Promise<void> {
  const to = moment - Math.floor(ctx.realTime() / 1000)
  await ctx.database.write((trx) => moveClock(trx, ctx.clockOffset(), to))
  await ctx.refreshClock()
}

/** Does the work that is due, alongside other workers, until none is left at this time. */
async function finishDue(ctx: MovableClockContext): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS
  while (performance.now() < until) {
    if ((await runDuePayments(ctx)) > 0) continue
    if (!(await isWaiting(ctx))) return
    await sleep(LOOK_AGAIN_MS)
  }
  throw fail(
    'provider_unavailable',
    'A payment is still waiting for the provider; the clock waits.',
  )
}

/** Whether a response of the provider, or a step taken by another process, is still pending. */
async function isWaiting(ctx: PaymentContext): Promise<boolean> {
  if (await hasPendingOrders(ctx)) return true
  const next = await findNextDueTime(ctx.database.read)
  return next !== undefined && next <= ctx.clock()
}
