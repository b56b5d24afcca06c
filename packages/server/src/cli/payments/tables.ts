import { showMoney } from '../../domain/apps/currency.ts'
import type { PaymentRow, RefundRow } from '../../domain/payments/payments.ts'
import { formatTime } from '../../format-time.ts'
import { type Columns, formatItems } from '../list.ts'

const PAYMENT_COLUMNS: Columns<PaymentRow> = {
  payment: (row) => row.id,
  created: (row) => formatTime(row.created),
  amount: (row) => showMoney(row.amount, row.currency),
  status: (row) => row.status,
  refunded: (row) => (row.refunded === 0 ? '' : showMoney(row.refunded, row.currency)),
  why: (row) => row.flag ?? row.failure,
}

/** Formats payments as text, one per line. */
export const formatPaymentTable = (rows: readonly PaymentRow[]): string =>
  formatItems(rows, PAYMENT_COLUMNS, 'No payments.')

const REFUND_COLUMNS: Columns<RefundRow> = {
  refund: (row) => row.id,
  created: (row) => formatTime(row.created),
  amount: (row) => showMoney(row.amount, row.currency),
  status: (row) => row.status,
  reason: (row) => row.reason,
  reference: (row) => row.reference,
  'last error': (row) => row.last_error,
}

export const formatRefundTable = (rows: readonly RefundRow[], none = 'No refunds.'): string =>
  formatItems(rows, REFUND_COLUMNS, none)
