import type { PaymentRow, RefundRow } from '../payments.ts'

export type OrderTable = 'payments' | 'refunds'

/** An order claimed by this process. A changed `attempts` means that another process has taken it over. */
export type Claim = Pick<PaymentRow | RefundRow, 'aid' | 'id' | 'attempts'>
