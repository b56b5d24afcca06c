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
import { attemptRefunds } from '../../domain/payments/refunds/attempt-refunds.ts'
import { orderRefund } from '../../domain/payments/refunds/orders.ts'
import * as fields from '../../fields.ts'
import { optional, readField, readParameters, required } from '../../parameters.ts'
import { PaymentPage, paymentRecord } from '../../records/payment.ts'
import { Refund, refundRecord } from '../../records/refund.ts'
import { contract } from './contract.ts'

const search = {
  rid: optional(fields.rid),
  user_ref: optional(fields.userRef),
  page: optional(fields.page, 0),
  pagesize: optional(fields.pagesize, 100),
}

const refund = {
  payment: required(fields.text(64, 'The payment.')),
  amount: optional(
    fields.text(20, 'In major units, as `2.50`; all that is left of the payment unless given.'),
  ),
  reference: optional(
    fields.text(
      100,
      'Your own name for the refund: a repeated request with the same name refunds once. ' +
        'Required to refund a part of the payment.',
    ),
  ),
}

export function paymentRoutes(app: FastifyInstance, env: Environment): void {
  addSearch(app, env)
  addRefund(app, env)
}

function addSearch(app: FastifyInstance, { database }: Environment): void {
  app.get(
    '/r2/payment/search',
    contract({
      id: 'searchPayments',
      summary: 'Search payments',
      description: 'Newest first, with their refunds. Filters combine with AND.',
      parameters: search,
      response: PaymentPage,
    }),
    async (request) => {
      const { aid, parameters } = request.signed
      const { page, pagesize, rid, user_ref: userRef } = readParameters(search, parameters)
      const window = { offset: page * pagesize, limit: pagesize }
      const { rows, total } = await searchPayments(database.read, { aid, rid, userRef }, window)
      const ids = rows.map(({ id }) => id)
      const refunds = await listRefunds(database.read, aid, ids)
      return { data: rows.map((row) => paymentRecord(row, refunds)), total, page, pagesize }
    },
  )
}

function addRefund(app: FastifyInstance, env: Environment): void {
  app.post(
    '/r2/payment/refund',
    contract({
      id: 'refundPayment',
      summary: 'Refund a payment, or part of it',
      description:
        'A full refund ends what the payment held open, a partial one does not. A partial refund ' +
        'needs a `reference`, which makes it safe to repeat; a full one is safe to repeat without.',
      parameters: refund,
      response: Refund,
      failures: [404],
    }),
    async (request) => {
      const { aid, parameters } = request.signed
      const input = readParameters(refund, parameters)
      const order = await env.database.write(async (trx) => {
        const payment = await getPayment(trx, aid, input.payment)
        return await orderRefund(
          trx,
          {
            aid,
            paymentId: payment.id,
            actor: 'api',
            isStrict: true,
            ...amountOf(input.amount, payment.currency),
            ...(input.reference === undefined ? {} : { reference: input.reference }),
          },
          clocksOf(env),
        )
      })
      const [settled] = await attemptRefunds(env, [order])
      return refundRecord(settled as RefundRow)
    },
  )
}

function amountOf(text: string | undefined, currency: string): { amount?: number } {
  return text === undefined ? {} : { amount: readField('amount', text, amountFieldIn(currency)) }
}
