import type { PaymentRow, RefundRow } from '../domain/payments/payments.ts'

/** Why the provider has not settled a payment or refund, and when it is asked again; null once it is settled. */
export const waitingFields = ({
  last_error,
  due,
}: Pick<PaymentRow | RefundRow, 'last_error' | 'due'>) => ({
  last_error,
  next_attempt: due === null ? null : Math.floor(due / 1000),
})
