import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/database.ts'
import { getInstallationId } from '../../../db/installation.ts'
import { toOutageFailure } from '../../../db/outage.ts'
import { updateRows } from '../../../db/queries/rows.ts'
import type { Seconds } from '../../../db/tables.ts'
import type { Clocks } from '../../access/grants/input.ts'
import { getApplication } from '../../apps/applications.ts'
import { findEarliest, readDueRows } from '../../apps/turns.ts'
import { type Change, recordHistory } from '../../history/history.ts'
import { recordNotice } from '../../mail/notices.ts'
import type { PaymentFailedMail } from '../../mail/payloads.ts'
import { addPeriods } from '../../resources/periods.ts'
import { endSubscription, historyEntry, lockSubscription } from '../../subscriptions/lifecycle.ts'
import {
  enqueuePaymentMail,
  type MailEvent,
  type PaymentMailKind,
  trialNoticeKey,
} from '../../subscriptions/mails.ts'
import { type SubscriptionRow, updateSubscription } from '../../subscriptions/subscriptions.ts'
import { clocksOf, type PaymentContext, WORKER_ACTOR } from '../context.ts'
import { lockPaymentWithAccess, type PaymentRow, updatePayment } from '../payments.ts'
import { beginRenewal, getGraceEnd, type Renewal, setSourceEnd } from './orders.ts'

const DAY: Seconds = 86_400
/** Days after the end of the paid period on which a refused renewal is retried, within the grace period. */
const RETRY_DAYS = [1, 3, 5, 7]
const BATCH_SIZE = 50

type SubscriptionKey = Pick<SubscriptionRow, 'aid' | 'id'>

/** Takes the next subscriptions with a due step. Without a provider, renewals wait: readers are not at fault. While on
 * hold, endings wait: the reader may have paid since the backup, which only the reconciliation finds out. */
export async function takeDueSteps(ctx: PaymentContext): Promise<SubscriptionKey[]> {
  const { database, provider, clock } = ctx
  const canRenew = provider === undefined ? sql`next_step <> 'renew'` : sql`true`
  const canEnd = (await ctx.isOnHold()) ? sql`next_step <> 'end'` : sql`true`
  const isDue = sql<boolean>`next_due is not null and next_due <= ${clock()}
    and ${canRenew} and ${canEnd}`
  const work = { name: 'steps', table: 'subscriptions', isDue } as const
  return await readDueRows(database, work, BATCH_SIZE, ['next_due', 'id'])
}

/** Runs the next batch of due steps; returns how many there were. Steps make no call to the provider: renewals are
 * ordered, which keeps access open, and the orders wait. */
export async function runNextSteps(ctx: PaymentContext): Promise<number> {
  await ctx.refreshClock()
  const works = [
    ...(await stepsOf(ctx, await takeDueSteps(ctx))),
    ...(await overdueRenewalsOf(ctx)),
  ]
  await writeEach(ctx, works)
  return works.length
}

type Work = (trx: Trx) => Promise<void>

export async function runDueSteps(
  ctx: PaymentContext,
  due: readonly SubscriptionKey[],
): Promise<void> {
  await writeEach(ctx, await stepsOf(ctx, due))
}

async function stepsOf(ctx: PaymentContext, due: readonly SubscriptionKey[]): Promise<Work[]> {
  if (due.length === 0) return []
  const installation = await getInstallationId(ctx.database)
  return due.map((key) => (trx: Trx) => runStep(trx, ctx, key, installation))
}

/** Runs each in a transaction of its own. One that fails must not delay the others. */
async function writeEach({ database }: PaymentContext, works: readonly Work[]): Promise<void> {
  let failure: unknown
  for (const work of works) {
    try {
      await database.write(work)
    } catch (error) {
      if (toOutageFailure(error)) throw error
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
}

/** A literal, not a parameter: otherwise SQLite does not use the index of pending payments. */
const hasDeadline = sql<boolean>`status = 'pending' and deadline is not null`

/** Returns the earliest time at which a step of any application is due, or a renewal without an outcome ends. */
export async function findNextDueTime(db: Db): Promise<Seconds | undefined> {
  const times = [
    await findEarliest(db, 'subscriptions', 'next_due', sql`next_due is not null`),
    await findEarliest(db, 'payments', 'deadline', hasDeadline),
  ].filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** How to end the subscriptions whose days of grace are over while their renewal has no outcome. While on hold, they wait as
 * other endings do. */
async function overdueRenewalsOf(ctx: PaymentContext): Promise<Work[]> {
  if (await ctx.isOnHold()) return []
  const isDue = sql<boolean>`${hasDeadline} and deadline <= ${ctx.clock()}`
  const work = { name: 'overdue renewals', table: 'payments', isDue } as const
  const due = await readDueRows(ctx.database, work, BATCH_SIZE, ['deadline', 'id'])
  return due.map((key) => (trx: Trx) => endOverdueRenewal(trx, ctx, key))
}

/** Ends an unpaid subscription, whatever the provider has said. The order stays pending until its outcome is known: money
 * that was taken is refunded as late, and nothing is charged any more. */
async function endOverdueRenewal(
  trx: Trx,
  ctx: PaymentContext,
  { aid, id }: PaymentRow,
): Promise<void> {
  const clocks = clocksOf(ctx)
  const payment = await lockPaymentWithAccess(trx, aid, id)
  if (payment?.status !== 'pending' || payment.deadline === null) return
  await updatePayment(trx, payment, { deadline: null, due: clocks.realTime })
  const subscription = await lockSubscription(trx, aid, payment.subscription_id as string)
  if (subscription.status === 'ended') return
  const { status } = subscription
  const outcome = { failure: 'no_answer', retry: null, ends: clocks.now, status }
  await mailFailedRenewal(trx, ctx, { subscription, payment }, outcome, clocks)
  await endUnpaid(trx, subscription, clocks)
}

async function runStep(
  trx: Trx,
  ctx: PaymentContext,
  { aid, id }: SubscriptionKey,
  installation: string,
): Promise<void> {
  const clocks = clocksOf(ctx)
  const row = await lockSubscription(trx, aid, id)
  // Another worker may have been first.
  if (row.next_due === null || row.next_due > clocks.now) return
  const { archived } = await getApplication(trx, aid)
  if (archived !== null) await endSubscription(trx, row, 'archived', clocks.now, WORKER_ACTOR)
  else if (row.next_step === 'trial_notice') await enqueueTrialNotice(trx, ctx, row, clocks)
  else if (row.next_step === 'renew') {
    const begun = await beginRenewal(trx, ctx, row, installation, clocks)
    if (begun.payment.status === 'failed') {
      await recordFailedRenewal(trx, ctx, begun, clocks)
    }
  } else if (row.status === 'canceled') {
    await endSubscription(trx, row, 'canceled', clocks.now, WORKER_ACTOR)
  } else await endUnpaid(trx, row, clocks)
}

async function endUnpaid(trx: Trx, row: SubscriptionRow, clocks: Clocks): Promise<void> {
  await endSubscription(trx, row, 'unpaid', clocks.now, WORKER_ACTOR)
  await recordNotice(trx, 'payment_failed', 'ended', row, clocks)
}

async function enqueueTrialNotice(
  trx: Trx,
  ctx: PaymentContext,
  row: SubscriptionRow,
  clocks: Clocks,
): Promise<void> {
  const ends = row.current_period_end
  const payload = { subscription: row.id, period: row.period, ends }
  const mail = { kind: 'trial_ends' as const, key: trialNoticeKey(row), about: row, payload }
  await updateSubscription(trx, row, { next_due: ends, next_step: 'renew' })
  await mailAndRecord(trx, ctx, mail, { action: 'trial notice', after: { ends } }, clocks)
}

/** Records that the next period is paid. */
export async function recordPaidRenewal(
  trx: Trx,
  ctx: PaymentContext,
  { subscription: row, payment }: Renewal,
  clocks: Clocks,
): Promise<void> {
  const periods = row.periods + 1
  const ends = addPeriods(row.anchor, row.period, periods)
  const isCanceled = row.status === 'canceled'
  await updateSubscription(trx, row, {
    status: isCanceled ? 'canceled' : 'active',
    periods,
    current_period_start: payment.period_start as Seconds,
    current_period_end: ends,
    tries: 0,
    next_due: ends,
    next_step: isCanceled ? 'end' : 'renew',
  })
  await updatePayment(trx, payment, { period_end: ends })
  await updateRows(
    trx,
    'access',
    { aid: row.aid, id: row.access_id },
    { amount: payment.amount, currency: payment.currency },
  )
  const accessEnds = await setSourceEnd(trx, row, ends, clocks.now)
  // Only a trial has had no period yet. Other renewals are no sale.
  if (row.periods === 0) await recordNotice(trx, 'sale', 'trial_converted', payment, clocks)
  const payload = {
    payment: payment.id,
    ends,
    subscription: row.id,
    period: isCanceled ? null : row.period,
    price: row.amount,
  }
  const mail = { kind: 'receipt' as const, key: `receipt:${payment.id}`, about: row, payload }
  const after = { payment: payment.id, current_period_end: ends, ends: accessEnds }
  const change = { action: 'renewed' as const, before: { status: row.status }, after }
  await mailAndRecord(trx, ctx, mail, change, clocks)
}

/** Mails the reader about a step of the subscription, and records the step in the history. */
async function mailAndRecord<K extends PaymentMailKind>(
  trx: Trx,
  ctx: PaymentContext,
  mail: MailEvent<K> & { about: SubscriptionRow },
  change: Pick<Change, 'action' | 'before' | 'after'>,
  clocks: Clocks,
): Promise<void> {
  const mailKey = await enqueuePaymentMail(trx, mail, clocks, ctx.delivery)
  const entry = historyEntry(mail.about, clocks.now, WORKER_ACTOR)
  await recordHistory(trx, [{ ...entry, ...change, mailKey }])
}

/** Handles a refused charge: it is retried during the grace period, then the subscription ends. */
export async function recordFailedRenewal(
  trx: Trx,
  ctx: PaymentContext,
  { subscription: row, payment }: Renewal,
  clocks: Clocks,
): Promise<void> {
  const graceEnd = await getGraceEnd(trx, row)
  const next = nextStepAfterRefusal(row, payment, graceEnd, clocks.now)
  const isOver = row.status === 'canceled' || next === undefined
  if (!isOver) await setSourceEnd(trx, row, graceEnd, clocks.now)
  const changed = await updateSubscription(trx, row, {
    tries: row.tries + 1,
    status: row.status === 'canceled' ? 'canceled' : 'past_due',
    next_due: isOver ? null : next.due,
    next_step: isOver ? null : next.step,
  })
  const outcome = {
    failure: payment.failure ?? 'declined',
    retry: !isOver && next.step === 'renew' ? next.due : null,
    ends: isOver ? clocks.now : graceEnd,
    status: changed.status,
  }
  await mailFailedRenewal(trx, ctx, { subscription: row, payment }, outcome, clocks)
  if (isOver) await endUnpaid(trx, changed, clocks)
  // Later attempts fail for the same reason as the first, of which staff have heard.
  else if (row.status !== 'past_due') {
    await recordNotice(trx, 'payment_failed', 'past_due', row, clocks)
  }
}

/** What the reader is told of a renewal that was not paid, and the state of the subscription after it. */
type RenewalFailure = Pick<PaymentFailedMail, 'failure' | 'retry' | 'ends'> &
  Pick<SubscriptionRow, 'status'>

/** Tells the reader that a renewal was not paid. */
async function mailFailedRenewal(
  trx: Trx,
  ctx: PaymentContext,
  { subscription: row, payment }: Renewal,
  { status, ...outcome }: RenewalFailure,
  clocks: Clocks,
): Promise<void> {
  const payload = { subscription: row.id, ...outcome }
  const key = `payment_failed:${payment.id}`
  const mail = { kind: 'payment_failed' as const, key, about: row, payload }
  const after = { payment: payment.id, failure: payment.failure, status }
  const change = { action: 'renewal failed' as const, before: { status: row.status }, after }
  await mailAndRecord(trx, ctx, mail, change, clocks)
}

/** Returns the next step after a refusal. It depends on the days since the paid period ended, not on how many cards
 * were tried. If a wrong amount was taken, nothing more is charged. */
function nextStepAfterRefusal(
  { current_period_end: ended }: SubscriptionRow,
  { flag }: PaymentRow,
  graceEnd: Seconds,
  now: Seconds,
): { due: Seconds; step: 'renew' | 'end' } | undefined {
  const retries = flag === null ? RETRY_DAYS.map((day) => day * DAY) : []
  const retry = retries.map((pause) => ended + pause).find((due) => due <= graceEnd && due > now)
  if (retry !== undefined) return { due: retry, step: 'renew' }
  return graceEnd > now ? { due: graceEnd, step: 'end' } : undefined
}
