import type { Trx } from '../../db/database.ts'
import type { NoticeEvent, Seconds } from '../../db/tables.ts'
import type { Clocks } from '../access/grants/input.ts'
import type { DisputeAction } from '../history/actions.ts'
import { recordHistory } from '../history/history.ts'
import { recordNotice } from '../mail/notices.ts'
import { endAccessFromPayment, giveAccessBack } from './paid-access.ts'
import {
  isGivenBack,
  type PaymentRow,
  paymentHistoryEntry,
  statusByReturns,
  TAKEN_STATUSES,
  updatePayment,
} from './payments.ts'
import type { DisputeFinding } from './provider.ts'

type DisputeEvent = Extract<
  NoticeEvent,
  'opened' | 'inquiry' | 'won' | 'lost' | 'appealed' | 'won_on_appeal'
>

const ACTIONS: Record<DisputeEvent, DisputeAction> = {
  opened: 'dispute opened',
  inquiry: 'dispute opened',
  appealed: 'dispute opened',
  won: 'dispute won',
  won_on_appeal: 'dispute won',
  lost: 'dispute lost',
}

/** The columns that say how a payment's disputes stand. */
type DisputeState = Pick<
  PaymentRow,
  'status' | 'lost' | 'lost_amount' | 'disputed_amount' | 'refundable_in_dispute'
>

/** Records how a payment's disputes stand. An open one changes no access. Access ends once nothing of the payment is left,
 * as after a full refund, and is given back if a lost dispute is won after all. */
export async function settleDisputes(
  trx: Trx,
  payment: PaymentRow,
  finding: DisputeFinding,
  clocks: Clocks,
): Promise<void> {
  if (!TAKEN_STATUSES.includes(payment.status)) return
  const state = stateAfter(payment, finding, clocks.now)
  const event = eventOf(payment, state)
  const isSettled = state.status !== 'disputed' && state.status !== 'lost'
  const next = await updatePayment(trx, payment, {
    ...state,
    ...(isSettled ? { access_left: null } : {}),
  })
  if (event === undefined) return
  await recordDisputeEvent(trx, payment, next, event, clocks)
  if (event === 'lost' && next.status === 'lost') {
    await endAccessFromPayment(trx, next, 'dispute lost', clocks)
  }
  const { access_left: left } = payment
  const isBack = isSettled && left !== null && !isGivenBack(next)
  if (isBack) await giveAccessBack(trx, next, left, clocks)
}

function stateAfter(
  payment: PaymentRow,
  { lost, open }: DisputeFinding,
  now: Seconds,
): DisputeState {
  const after = { ...payment, lost_amount: Math.min(lost, payment.amount) }
  const { lost_amount, amount } = after
  // Nothing is left that another dispute could take.
  const isLost = statusByReturns(after) === 'lost'
  const undecided = isLost ? undefined : open
  return {
    status: undecided ? 'disputed' : statusByReturns(after),
    lost_amount,
    lost: lost_amount === 0 ? null : lost_amount > payment.lost_amount ? now : payment.lost,
    disputed_amount: Math.min(undecided?.amount ?? 0, amount),
    refundable_in_dispute: undecided?.isRefundable ? 1 : 0,
  }
}

/** Returns what has happened since; undefined if a repeated event says nothing new. */
function eventOf(before: PaymentRow, after: DisputeState): DisputeEvent | undefined {
  const isOpen = after.status === 'disputed'
  const wasOpen = before.status === 'disputed'
  if (after.lost_amount > before.lost_amount) return 'lost'
  if (after.lost_amount < before.lost_amount) return isOpen ? 'appealed' : 'won_on_appeal'
  if (wasOpen && !isOpen) return before.access_left === null ? 'won' : 'won_on_appeal'
  if (!isOpen) return undefined
  const isMore = after.disputed_amount > before.disputed_amount
  const isGraver = before.refundable_in_dispute === 1 && after.refundable_in_dispute === 0
  if (wasOpen && !isMore && !isGraver) return undefined
  return after.refundable_in_dispute === 1 ? 'inquiry' : 'opened'
}

/** Returns how much money an event is about. */
function amountOf(event: DisputeEvent, before: PaymentRow, after: DisputeState): number {
  if (event === 'lost') return after.lost_amount - before.lost_amount
  if (event === 'won') return before.disputed_amount
  if (event === 'won_on_appeal') return before.disputed_amount || before.lost_amount
  return after.disputed_amount
}

async function recordDisputeEvent(
  trx: Trx,
  before: PaymentRow,
  after: PaymentRow,
  event: DisputeEvent,
  clocks: Clocks,
): Promise<void> {
  const amount = amountOf(event, before, after)
  await recordNotice(trx, 'dispute', event, { ...after, amount }, clocks)
  await recordHistory(trx, [
    {
      ...paymentHistoryEntry(after, clocks),
      action: ACTIONS[event],
      before: { status: before.status },
      after: { payment: after.id, status: after.status, amount, currency: after.currency },
    },
  ])
}
