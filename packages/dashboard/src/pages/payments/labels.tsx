import type { Money, PaymentItem, RefundItem } from '@gatehouse/server/dashboard-api'
import { badgeOf } from '../../components/display/state-badge.tsx'
import { texts } from '../../texts.ts'

type Status = PaymentItem['status']

export const PaymentBadge = badgeOf<Status>(texts.payments.states, {
  pending: 'ending',
  succeeded: 'live',
  failed: 'failed',
  partially_refunded: 'ending',
  refunded: 'ended',
  disputed: 'failed',
  lost: 'failed',
})

export const RefundBadge = badgeOf<RefundItem['status']>(texts.payments.refundStates, {
  pending: 'ending',
  succeeded: 'live',
  failed: 'failed',
})

/** The display name of the payer; only an erased person has no email address. */
export const payerLabel = ({ email }: Pick<PaymentItem, 'email'>): string =>
  email === '' ? texts.people.erasedName : email

/** Why a payment failed; undefined if it has not. */
export function failureOf({ status, failure }: PaymentItem): string | undefined {
  if (status !== 'failed') return undefined
  const { failures, failed } = texts.payments
  return failures[failure ?? 'declined'] ?? failed(failure ?? '')
}

const REFUNDABLE: readonly Status[] = ['succeeded', 'partially_refunded']

/** The amount that is neither refunded, nor being refunded, nor lost in a dispute. */
export function refundableAmount(payment: PaymentItem): Money {
  const { status, money, lost, refunds, refundable_in_dispute } = payment
  if (!REFUNDABLE.includes(status) && !refundable_in_dispute) return { ...money, amount: 0 }
  const taken = refunds.filter((one) => one.status !== 'failed')
  const left = taken.reduce((rest, one) => rest - one.money.amount, money.amount - lost.amount)
  return { ...money, amount: Math.max(0, left) }
}
