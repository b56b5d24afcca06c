import { type Static, Type } from 'typebox'
import { toMajor } from '../domain/apps/currency.ts'
import type { RefundRow } from '../domain/payments/payments.ts'
import { declareRecord } from './declare.ts'
import { pickMinorMoney } from './money.ts'
import { waitingFields } from './waiting.ts'

export const Refund = declareRecord('Refund', {
  id: Type.String({ description: 'ID of the refund.' }),
  amount: Type.Number({
    description: 'Amount of the refund, in major units of the currency: 9.99 is 9.99 EUR.',
  }),
  currency: Type.String({ description: 'ISO 4217 code of the currency, such as `EUR`.' }),
  status: Type.Union([Type.Literal('pending'), Type.Literal('succeeded'), Type.Literal('failed')], {
    description: 'State of the refund. `pending`: the payment provider has not answered yet.',
  }),
  reason: Type.Optional(
    Type.String({
      description: 'Why the refund failed, such as `disputed`; left out if it did not.',
    }),
  ),
})

export type RefundRecord = Static<typeof Refund>

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
  const money = pickMinorMoney(row)
  return {
    ...{ id, payment_id, money, status, reason, reference, actor, created, settled },
    ...waitingFields(row),
  }
}

/** The same in an export of a person's data, where money is in minor units. */
export function exportedRefund(row: RefundRow) {
  const { money, actor: _, next_attempt: __, created, settled, ...item } = refundItem(row)
  return { ...item, ...money, created, settled, provider_ref: row.provider_ref }
}
