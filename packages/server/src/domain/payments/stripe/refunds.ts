import type { RefundFinding, RefundOrder, RefundQuery } from '../provider.ts'
import { toStripeAmount } from './amounts.ts'
import { type StripeApi, unlessMissing } from './api.ts'
import { StripeRefusal, unreadable } from './errors.ts'
import { readRefund } from './findings.ts'
import type { ListedObject } from './listed.ts'
import { METADATA_KEYS, toMetadata } from './metadata.ts'

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
      `gatehouse-refund-${order.refundId}`,
    )
    const isOwnRefund = made.payment_intent === order.paymentRef && made.amount === money.amount
    if (!isOwnRefund || made.currency !== money.currency)
      throw unreadable('a refund of something else')
    return readRefund(made)
  } catch (error) {
    const failure = error instanceof StripeRefusal ? failureOf(error) : undefined
    if (failure === undefined) throw error
    // This same refund may be the reason, if it was made before Stripe forgot its idempotency key.
    return (await findRefund(api, order)) ?? refused(order, failure)
  }
}

const refused = ({ money }: RefundOrder, failure: string): RefundFinding => ({
  status: 'failed',
  ref: undefined,
  money,
  failure,
})

/** Returns undefined for a refusal that may not be final. */
function failureOf({ code, param }: StripeRefusal): string | undefined {
  switch (code) {
    case 'charge_already_refunded':
      return 'already_refunded'
    case 'charge_disputed':
    case 'refund_disputed_payment':
      return 'disputed'
    case 'charge_not_refundable':
      return 'refused'
    // Stripe sends no code if the amount exceeds what is left of the charge; it names only the parameter.
    case undefined:
      return param === 'amount' ? 'refused' : undefined
    default:
      return undefined
  }
}

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
