import { type Static, Type } from 'typebox'
import { toMajor } from '../domain/apps/currency.ts'
import type { PaymentRow, RefundRow } from '../domain/payments/payments.ts'
import { declareRecord, pageSchema } from './declare.ts'
import { pickMinorMoney } from './money.ts'
import { refundItem, refundRecord } from './refund.ts'
import { waitingFields } from './waiting.ts'
import { withoutNulls } from './without-nulls.ts'

export const PaymentStatusSchema = Type.Enum(
  ['pending', 'succeeded', 'failed', 'partially_refunded', 'refunded', 'disputed', 'lost'],
  {
    description:
      'State of the payment. `disputed`: a dispute, a question of a bank or an appeal is undecided. `lost`: a dispute was lost and nothing of the payment is left.',
  },
)

export const Payment = declareRecord('Payment', {
  id: Type.String({ description: 'ID of the payment.' }),
  aid: Type.String({ description: 'ID of the application.' }),
  rid: Type.String({ description: 'ID of the resource, as your site names it.' }),
  uid: Type.String({ description: "Gatehouse's ID of the user, which never changes." }),
  amount: Type.Number({
    description: 'Amount of the payment, in major units of the currency: 9.99 is 9.99 EUR.',
  }),
  refunded: Type.Number({
    description: 'Amount that was refunded so far, in major units of the currency.',
  }),
  lost: Type.Number({
    description:
      'Amount that lost disputes took so far, in major units of the currency. `status` is `lost` once nothing is left.',
  }),
  currency: Type.String({ description: 'ISO 4217 code of the currency, such as `EUR`.' }),
  status: PaymentStatusSchema,
  flag: Type.Optional(
    Type.String({
      description:
        'Why the payment needs attention: `late`, `duplicate` or `mismatch`; left out if it does not.',
    }),
  ),
  created: Type.Integer({ description: 'When the payment was begun, in seconds since 1970.' }),
  subscription_id: Type.Optional(
    Type.String({
      description:
        'ID of the subscription that the payment belongs to; left out for a one-time purchase.',
    }),
  ),
  access_id: Type.Optional(
    Type.String({
      description:
        'ID of the access record that the payment pays for; left out if it granted no access.',
    }),
  ),
  refunds: Type.Array(Type.Ref('Refund'), {
    description: 'All refunds of the payment, oldest first.',
  }),
})

export const PaymentPage = declareRecord('PaymentPage', pageSchema('Payment'))

export type PaymentRecord = Static<typeof Payment>

const refundsOf = ({ id }: PaymentRow, refunds: readonly RefundRow[]) =>
  refunds.filter(({ payment_id }) => payment_id === id)

/** A payment as the API returns it. `refunds` may contain those of other payments. */
export function paymentRecord(row: PaymentRow, refunds: readonly RefundRow[]): PaymentRecord {
  return {
    id: row.id,
    aid: row.aid,
    rid: row.rid,
    uid: row.uid,
    amount: toMajor(row.amount, row.currency),
    refunded: toMajor(row.refunded, row.currency),
    lost: toMajor(row.lost_amount, row.currency),
    currency: row.currency,
    status: row.status,
    ...(row.flag === null ? {} : { flag: row.flag }),
    created: row.created,
    ...(row.subscription_id === null ? {} : { subscription_id: row.subscription_id }),
    ...(row.access_id === null ? {} : { access_id: row.access_id }),
    refunds: refundsOf(row, refunds).map(refundRecord),
  }
}

/** The fields that the API leaves out. */
const internals = (row: PaymentRow) => {
  const { failure, period_start, period_end, settled, provider, provider_ref } = row
  return {
    ...{ failure, period_start, period_end, settled, provider, provider_ref },
    ...waitingFields(row),
  }
}

/** The same with what the API leaves out, for the command line. */
export const paymentDetails = (row: PaymentRow, refunds: readonly RefundRow[]) => ({
  ...paymentRecord(row, refunds),
  ...withoutNulls(internals(row)),
})

/** The same for the dashboard: money in minor units, and null for what is not there. */
export function paymentItem(row: PaymentRow, refunds: readonly RefundRow[]) {
  const { id, rid, uid, status, created } = paymentRecord(row, [])
  const { currency, access_id, subscription_id, flag } = row
  return {
    ...{ id, rid, uid, access_id, subscription_id, status, flag, created },
    money: pickMinorMoney(row),
    refunded: pickMinorMoney({ amount: row.refunded, currency }),
    lost: pickMinorMoney({ amount: row.lost_amount, currency }),
    disputed: pickMinorMoney({ amount: row.disputed_amount, currency }),
    refundable_in_dispute: row.refundable_in_dispute === 1,
    ...internals(row),
    refunds: refundsOf(row, refunds).map(refundItem),
  }
}
