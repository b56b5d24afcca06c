import { toMajor } from '../domain/apps/currency.ts'
import type { RefundRow } from '../domain/payments/payments.ts'
import { minorMoney } from './money.ts'
import type { RefundRecord } from './schemas.ts'

/** A refund as the API and the command line return it. A reason is public only if the refund failed. */
export function refundRecord({ id, amount, currency, status, reason }: RefundRow): RefundRecord {
  return {
    ...{ id, amount: toMajor(amount, currency), currency, status },
    ...(status === 'failed' && reason !== null ? { reason } : {}),
  }
}

/** The same for the dashboard: money in minor units, with the order that it came from. */
export function refundItem(row: RefundRow) {
  const { id, payment_id, status, reason, reference, actor, created, settled } = row
  const money = minorMoney(row)
  return { ...{ id, payment_id, money, status, reason, reference, actor, created, settled } }
}

/** The same in an export of a person's data, where money is in minor units. */
export function exportedRefund(row: RefundRow) {
  const { money, actor: _, created, settled, ...item } = refundItem(row)
  const { provider_ref, last_error } = row
  return { ...item, ...money, created, settled, provider_ref, last_error }
}
