import { newId } from '../../ids.ts'
import type { FakeDispute, Ledger } from './ledger.ts'

/** The actions of banks: asking about a charge, taking it back, deciding on appeals. */

export interface DisputeTerms {
  status?: string
  /** What the dispute is about, in Stripe's units; by default the whole charge. */
  amount?: number
  /** By default the charge's. */
  currency?: string
}

/** A bank disputes a charge, or with a status `warning_…` only asks about it. A charge can be disputed more than once. */
export function openDispute(
  ledger: Ledger,
  intentId: string,
  { status = 'needs_response', ...terms }: DisputeTerms = {},
): string {
  const intent = ledger.intents.get(intentId)
  const charge = intent && ledger.chargeOf(intent)
  if (!charge?.paid) throw new Error(`${intentId} was not charged`)
  charge.disputed = true
  const dispute: FakeDispute = {
    object: 'dispute',
    id: `du_${newId()}`,
    amount: charge.amount,
    currency: charge.currency,
    ...terms,
    status,
    charge: charge.id,
    payment_intent: intentId,
    created: ledger.seconds(),
    metadata: {},
    is_charge_refundable: isInquiry(status),
    payment_method_details: { type: 'card', card: { case_type: 'chargeback' } },
  }
  ledger.disputes.set(dispute.id, dispute)
  ledger.emitEvent('charge.dispute.created', dispute)
  return dispute.id
}

const isInquiry = (status: string) => status.startsWith('warning_')

const IS_DECIDED = /^(won|lost|prevented|warning_closed)$/

/** The bank moves a dispute on, to any status: an inquiry becomes a dispute, a decision is made or appealed. */
export function settleDispute(ledger: Ledger, id: string, status: string): void {
  const dispute = ledger.disputes.get(id)
  if (!dispute) throw new Error(`no dispute ${id}`)
  Object.assign(dispute, { status, is_charge_refundable: isInquiry(status) })
  const type = IS_DECIDED.test(status) ? 'closed' : 'updated'
  ledger.emitEvent(`charge.dispute.${type}`, dispute)
}

/** Whether Stripe refuses to refund a charge, because a bank decides on it or has taken it back. */
export function isContested(ledger: Ledger, intentId: string): boolean {
  const disputes = [...ledger.disputes.values()].filter((one) => one.payment_intent === intentId)
  const charge = [...ledger.charges.values()].find((one) => one.payment_intent === intentId)
  return disputes.some(
    ({ status, amount, is_charge_refundable }) =>
      (status === 'lost' && amount >= (charge?.amount ?? 0)) ||
      (!IS_DECIDED.test(status) && !is_charge_refundable),
  )
}
