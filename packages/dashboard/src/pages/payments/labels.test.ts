import type { PaymentItem } from '@gatehouse/server/dashboard-api'
import { expect, it } from 'vitest'
import { refundableAmount } from './labels.tsx'

const euros = (amount: number) => ({ amount, currency: 'EUR' })
const refund = (amount: number, status = 'succeeded') => ({ money: euros(amount), status })

it.each([
  ['all of a payment', {}, 499],
  ['what is left after refunds', { refunds: [refund(100), refund(50, 'failed')] }, 399],
  ['what a lost dispute left', { lost: euros(200), refunds: [refund(100, 'pending')] }, 199],
  ['nothing of a lost payment', { status: 'lost', lost: euros(499) }, 0],
  ['nothing that a bank decides on', { status: 'disputed' }, 0],
  ['what a bank only asks about', { status: 'disputed', refundable_in_dispute: true }, 499],
])('%s can be refunded', (_what, more, left) => {
  const payment = {
    ...{ status: 'succeeded', money: euros(499), lost: euros(0), refunds: [] },
    ...{ refundable_in_dispute: false, ...more },
  } as unknown as PaymentItem
  expect(refundableAmount(payment)).toEqual(euros(left))
})
