import { showMoney } from '../../domain/apps/currency.ts'
import type { PaymentRow, RefundRow } from '../../domain/payments/payments.ts'
import { formatTime, table } from '../shared.ts'

/** Formats payments as text, one per line. */
export function paymentTable(rows: readonly PaymentRow[]): string {
  return table(
    ['payment', 'created', 'amount', 'status', 'refunded', 'why'],
    rows.map((row) => [
      row.id,
      formatTime(row.created),
      showMoney(row.amount, row.currency),
      row.status,
      row.refunded === 0 ? '' : showMoney(row.refunded, row.currency),
      row.flag ?? row.failure,
    ]),
    'No payments.',
  )
}

export function refundTable(rows: readonly RefundRow[], none = 'No refunds.'): string {
  return table(
    ['refund', 'created', 'amount', 'status', 'reason', 'reference', 'last error'],
    rows.map((row) => [
      row.id,
      formatTime(row.created),
      showMoney(row.amount, row.currency),
      row.status,
      row.reason,
      row.reference,
      row.last_error,
    ]),
    none,
  )
}
