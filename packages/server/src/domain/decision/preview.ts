import type { Trx } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { findAccessById } from '../access/details.ts'
import { clocksOf, type PaymentContext } from '../payments/context.ts'
import { getPayment } from '../payments/payments.ts'
import { requestRefund } from '../payments/refunds/orders.ts'
import { applyRefundFinding } from '../payments/refunds/refunds.ts'
import { revokeWithRefund } from '../payments/refunds/revoke.ts'
import { cancelSubscription } from '../subscriptions/lifecycle.ts'
import { type Decision, decide, type Question } from './decide.ts'

export const PREVIEWED_ACTIONS = ['revoke', 'refund', 'cancel'] as const

/** Something that could be done. `id` is of an access record, a payment or a subscription. */
export interface PreviewedAction {
  action: (typeof PREVIEWED_ACTIONS)[number]
  id: string
}

interface Preview {
  now: Seconds
  decisions: Decision[]
}

/** Carries the answer out of a transaction that must not be committed. */
class RolledBack extends Error {
  readonly preview: Preview

  constructor(preview: Preview) {
    super('A preview was rolled back.')
    this.preview = preview
  }
}

/**
 * Decides as `decide` would after an action. The action itself runs, in a transaction that is always rolled back: a
 * preview by other rules would differ from them some day. Emails and orders are rows, so they are rolled back too.
 */
export async function previewDecision(
  ctx: PaymentContext,
  question: Question,
  action: PreviewedAction,
): Promise<Preview> {
  try {
    await ctx.database.write(async (trx) => {
      await act(trx, ctx, question.aid, action)
      // Not earlier than the action: what it ended has ended by then.
      const now = ctx.clock()
      throw new RolledBack({ now, decisions: await decide(trx, question, now) })
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.preview
    throw error
  }
  throw new Error('a preview was committed')
}

const ACTOR = 'preview'

async function act(
  trx: Trx,
  ctx: PaymentContext,
  aid: string,
  { action, id }: PreviewedAction,
): Promise<void> {
  const clocks = clocksOf(ctx)
  switch (action) {
    case 'revoke': {
      const access = await findAccessById(trx, aid, id)
      const who = access && { aid, rid: access.rid, uid: access.uid, actor: ACTOR, refund: false }
      const isOpen = access?.revoked === null
      if (!isOpen || !who || !(await revokeWithRefund(trx, who, clocks))) {
        throw fail('access_not_found')
      }
      return
    }
    case 'refund':
      return await refund(trx, ctx, aid, id)
    case 'cancel':
      await cancelSubscription(trx, { aid, id, actor: ACTOR }, clocks, ctx.delivery)
  }
}

/** Refunds what is left of a payment, as if the provider had done it. */
async function refund(trx: Trx, ctx: PaymentContext, aid: string, id: string): Promise<void> {
  const payment = await getPayment(trx, aid, id)
  const input = { aid, paymentId: payment.id, actor: ACTOR, isStrict: true } as const
  const order = await requestRefund(trx, input, clocksOf(ctx))
  const money = { amount: order.amount, currency: order.currency }
  await applyRefundFinding(trx, ctx, order, { status: 'succeeded', ref: ACTOR, money })
}
