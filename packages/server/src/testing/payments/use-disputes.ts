import { applyPaymentFinding } from '../../domain/payments/apply-payment.ts'
import { clocksOf } from '../../domain/payments/context.ts'
import { getPayment, type PaymentRow } from '../../domain/payments/payments.ts'
import type { DisputeFinding, RefundFinding } from '../../domain/payments/provider.ts'
import { requestRefund } from '../../domain/payments/refunds/orders.ts'
import { applyRefundFinding } from '../../domain/payments/refunds/refunds.ts'
import { useDomainShop } from './use-domain-shop.ts'

/** How the disputes of a payment of 4.99 can stand. */
export const open = (amount = 499, isRefundable = false): DisputeFinding => ({
  lost: 0,
  open: { amount, isRefundable },
})
export const WON: DisputeFinding = { lost: 0 }
export const lost = (amount = 499): DisputeFinding => ({ lost: amount })

/** Opens a new shop for each test, where Ann buys the pass and her bank disputes the payment. */
export function useDisputes() {
  const domainShop = useDomainShop()
  const { shop, env, db, noticesOf } = domainShop
  const ann = { rid: 'pass', user_ref: 'ann' }
  const hasAccess = () => shop.client.hasAccess(ann)
  const accessEnd = async () => (await shop.client.findAccess(ann))?.expires
  const paymentNow = ({ id }: PaymentRow) => getPayment(db().read, shop.aid, id)
  const subscriptionNow = async () => (await shop.client.searchSubscriptions(ann)).data[0]

  async function change(payment: PaymentRow, values: Partial<PaymentRow>): Promise<PaymentRow> {
    await db().write((trx) =>
      trx.updateTable('payments').set(values).where('id', '=', payment.id).execute(),
    )
    return await paymentNow(payment)
  }

  async function apply(payment: PaymentRow, dispute: DisputeFinding): Promise<PaymentRow> {
    const { aid, id, amount, currency } = payment
    const finding = { status: 'succeeded' as const, ref: `ch_${id}`, money: { amount, currency } }
    await db().write((trx) => applyPaymentFinding(trx, env(), { aid, id }, { ...finding, dispute }))
    return await paymentNow(payment)
  }

  async function buy(terms = {}): Promise<PaymentRow> {
    const { payment_id } = await shop.buy({ rid: 'pass', userRef: 'ann', terms })
    return await getPayment(db().read, shop.aid, payment_id)
  }

  async function refund(payment: PaymentRow, amount: number): Promise<PaymentRow> {
    const { aid, id: paymentId, currency } = payment
    const order = { aid, paymentId, amount, actor: 'test', reference: `refund-${amount}` }
    const made: RefundFinding = { status: 'succeeded', ref: 're_1', money: { amount, currency } }
    await db().write(async (trx) => {
      const row = await requestRefund(trx, order, clocksOf(env()))
      await applyRefundFinding(trx, env(), row, made)
    })
    return await paymentNow(payment)
  }

  const eventsOf = async () => (await noticesOf('dispute')).map(({ event }) => event)

  return {
    ...domainShop,
    ...{
      ann,
      hasAccess,
      accessEnd,
      paymentNow,
      subscriptionNow,
      change,
      apply,
      buy,
      refund,
      eventsOf,
    },
  }
}
