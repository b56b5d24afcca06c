import { findCheckout } from './checkouts.ts'
import { type Desk, requireProvider } from './desk.ts'
import { settleCheckout } from './looks.ts'
import { findPayment } from './payments.ts'
import type { EventSubject } from './provider.ts'
import { findRefund, settleRefund } from './refunds.ts'
import { settlePayment } from './settle.ts'

/** Looks at what an event is about. Whatever it said, the provider is asked what is true now. */
export async function applyEvent(desk: Desk, subject: EventSubject): Promise<void> {
  if (subject.kind === 'checkout') await lookAtCheckout(desk, subject.checkoutId)
  else if (subject.kind === 'payment') await lookAtPayment(desk, subject)
  else await lookAtRefund(desk, subject.refundId)
}

async function lookAtCheckout(desk: Desk, id: string): Promise<void> {
  if (await findCheckout(desk.database.read, id)) await settleCheckout(desk, id)
}

async function lookAtPayment(
  desk: Desk,
  { paymentId, ref }: { paymentId?: string; ref?: string },
): Promise<void> {
  const provider = requireProvider(desk)
  const { read } = desk.database
  const payment =
    (paymentId === undefined ? undefined : await findPayment(read, { id: paymentId })) ??
    (ref === undefined ? undefined : await findPayment(read, { provider: provider.name, ref }))
  // Of a checkout that is still open, or of somebody else on the same account.
  if (payment?.provider !== provider.name) return
  const finding = await provider.find.payment({
    paymentId: payment.id,
    ref: payment.provider_ref ?? ref,
    method: payment.method ?? undefined,
  })
  if (finding) await desk.database.write((trx) => settlePayment(trx, desk, payment.id, finding))
}

async function lookAtRefund(desk: Desk, refundId: string): Promise<void> {
  const provider = requireProvider(desk)
  const refund = await findRefund(desk.database.read, refundId)
  const payment = refund && (await findPayment(desk.database.read, { id: refund.payment_id }))
  if (!payment || payment.provider !== provider.name || payment.provider_ref === null) return
  const finding = await provider.find.refund({ refundId, paymentRef: payment.provider_ref })
  if (finding) await desk.database.write((trx) => settleRefund(trx, desk, refundId, finding))
}
