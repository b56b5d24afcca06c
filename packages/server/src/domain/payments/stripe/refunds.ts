import type { RefundFinding, RefundOrder, RefundQuery } from '../provider.ts'
import { OrderRefused } from '../provider-error.ts'
import { toStripeAmount } from './amounts.ts'
import { type StripeApi, unlessMissing } from './api.ts'
import { StripeRefusal, unreadable } from './errors.ts'
import { readRefund } from './findings.ts'
import type { ListedObject } from './listed.ts'
import { METADATA_KEYS, toMetadata } from './metadata.ts'
import { orderKey } from './order-key.ts'
import { refundFailureOf } from './refusals.ts'

export async function createRefund(api: StripeApi, order: RefundOrder): Promise<RefundFinding> {
  const money = toStripeAmount(order.money)
  if (!money) return refused(order, 'refused')
  try {
    const made = await api.createRefund(
      {
        payment_intent: order.paymentRef,
        amount: money.amount,
        metadata: toMetadata({ ...order.labels, aid: order.aid, refundId: order.refundId }),
      },
      orderKey('refund', order.refundId, order.refusals),
    )
    const isOwnRefund = made.payment_intent === order.paymentRef && made.amount === money.amount
    if (!isOwnRefund || made.currency !== money.currency)
      throw unreadable('a refund of something else')
    return readRefund(made)
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    // This same refund may be the reason, if it was made before Stripe forgot its idempotency key.
    const made = await findRefund(api, order)
    if (made) return made
    const failure = refundFailureOf(error)
    if (failure === undefined) throw new OrderRefused(error.message)
    return refused(order, failure)
  }
}

const refused = ({ money }: RefundOrder, failure: string): RefundFinding => ({
  status: 'failed',
  ref: undefined,
  money,
  failure,
})

export async function findRefund(
  api: StripeApi,
  { refundId, paymentRef, ref }: RefundQuery,
): Promise<RefundFinding | undefined> {
  return await unlessMissing(async () => {
    const isWanted = ({ id, metadata }: ListedObject) =>
      id === ref || metadata[METADATA_KEYS.refund] === refundId
    for await (const one of api.refundsOf(paymentRef, isWanted)) return readRefund(one)
    return undefined
  })
}
