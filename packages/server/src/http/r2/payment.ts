import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { amountFieldIn } from '../../domain/apps/currency-field.ts'
import { clocksOf } from '../../domain/payments/context.ts'
import {
  getPayment,
  listRefunds,
  type RefundRow,
  searchPayments,
} from '../../domain/payments/payments.ts'
import { requestRefund } from '../../domain/payments/refunds/orders.ts'
import { refundOnce } from '../../domain/payments/refunds/refund-once.ts'
import * as fields from '../../fields.ts'
import { optional, optionalNonEmpty, readField, required } from '../../parameters.ts'
import { PaymentPage, paymentRecord } from '../../records/payment.ts'
import { Refund, refundRecord } from '../../records/refund.ts'
import { addWrite } from './request/add-write.ts'
import { addRecordSearch } from './search.ts'

const refund = {
  payment: required(fields.text(64, 'ID of the payment.')),
  amount: optionalNonEmpty(
    fields.text(
      20,
      'The amount to refund, in major units, such as `2.50`; by default all that is left of the payment.',
    ),
  ),
  reference: optional(
    fields.text(
      100,
      'Your own name for the refund: a repeated request with the same name refunds once. ' +
        'This or an `idempotency_key` is required to refund a part of the payment.',
    ),
  ),
}

export function paymentRoutes(app: FastifyInstance, env: Environment): void {
  addSearch(app, env)
  addRefund(app, env)
}

function addSearch(app: FastifyInstance, { database }: Environment): void {
  const about = {
    id: 'searchPayments',
    summary: 'Search payments',
    description: 'Newest first, with their refunds. Filters combine with AND.',
    response: PaymentPage,
  }
  addRecordSearch(app, '/r2/payment/search', about, async (filter, window) => {
    const { rows, total } = await searchPayments(database.read, filter, window)
    const ids = rows.map(({ id }) => id)
    const refunds = await listRefunds(database.read, filter.aid, ids)
    return { data: rows.map((row) => paymentRecord(row, refunds)), total }
  })
}

function addRefund(app: FastifyInstance, env: Environment): void {
  addWrite(
    app,
    '/r2/payment/refund',
    {
      id: 'refundPayment',
      summary: 'Refund a payment, or part of it',
      description:
        'A full refund ends the access that the payment gives, a partial one does not. A partial refund ' +
        'needs a `reference` or an `idempotency_key`, which makes it safe to repeat; a full one is safe ' +
        'to repeat without.',
      parameters: refund,
      response: Refund,
      failures: ['payment_not_found', 'refund_too_large', 'payment_not_refundable'],
    },
    async (input, { signed: { aid }, write }) => {
      const reference = referenceOf(input.reference, input.idempotency_key)
      return await refundOnce(env, write, async (trx) => {
        const payment = await getPayment(trx, aid, input.payment)
        const order = await requestRefund(
          trx,
          {
            aid,
            paymentId: payment.id,
            actor: 'api',
            isStrict: true,
            ...amountOf(input.amount, payment.currency),
            ...(reference === undefined ? {} : { reference }),
          },
          clocksOf(env),
        )
        const toBody = ([settled]: readonly RefundRow[]) => refundRecord(settled as RefundRow)
        // The answer names nobody, and a refund may be asked for again after the payer was erased.
        return { uid: null, refunds: [order], toBody }
      })
    },
  )
}

/** The key also names the refund, so that it stays one refund when its key is no longer kept, or was lost in a restore. */
const referenceOf = (reference: string | undefined, key: string | undefined) =>
  reference ?? (key === undefined ? undefined : `key:${key}`)

function amountOf(text: string | undefined, currency: string): { amount?: number } {
  return text === undefined ? {} : { amount: readField('amount', text, amountFieldIn(currency)) }
}
