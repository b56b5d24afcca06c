import { type Static, Type } from 'typebox'
import type { Environment } from '../../../context.ts'
import { clocksOf } from '../../../domain/payments/context.ts'
import {
  getPayment,
  isUpToBank,
  type PaymentFilter,
  type RefundRow,
  searchPayments,
} from '../../../domain/payments/payments.ts'
import { attemptRefunds } from '../../../domain/payments/refunds/attempt-refunds.ts'
import { refundableAmount, requestRefund } from '../../../domain/payments/refunds/orders.ts'
import { exportPaymentsSheet } from '../../../domain/transfer/exports/exports.ts'
import * as fields from '../../../fields.ts'
import { readOptionalField } from '../../../parameters.ts'
import { refundItem } from '../../../records/refund.ts'
import { delimiterSchema, sendSheet } from '../export-stream.ts'
import { appRoute, STAFF, SUPPORT } from '../route.ts'
import { findPage, readRecordFilter } from '../schemas.ts'
import {
  type PaymentDetails,
  type PaymentItem,
  PaymentQuery,
  RefundBody,
  type RefundItem,
} from './schemas.ts'
import { readSpan } from './span.ts'
import { toPaymentItems } from './view.ts'

const list = appRoute('GET /payments', {
  management: 'GET /payments',
  allowed: STAFF,
  query: PaymentQuery,
  handle: (call) => findPage(call, toPaymentFilter, searchPayments, toPaymentItems),
})

async function toPaymentFilter(env: Environment, aid: string, query: Static<typeof PaymentQuery>) {
  const { status, flag, from, to, money, sort } = query
  const [amount, currencyOfPrice] = query.price?.split('-') ?? []
  return {
    ...{ aid, status, from, to, sort },
    currency: query.currency ?? currencyOfPrice,
    amount: amount === undefined ? undefined : Number(amount),
    ...(money === undefined ? {} : { [money]: await readSpan(env, aid, query) }),
    flagged: flag === 'any',
    flag: flag === 'any' ? undefined : flag,
    ...readRecordFilter(query),
  } satisfies PaymentFilter
}

/** Hands out the payments of the list for a spreadsheet. */
const exportAll = appRoute('GET /payments/export.csv', {
  management: 'GET /exports/payments.csv',
  allowed: SUPPORT,
  action: 'payment.export',
  confirmation: 'recent',
  query: Type.Object({ ...PaymentQuery.properties, delimiter: delimiterSchema }),
  async handle(call) {
    const filter = await toPaymentFilter(call.env, call.aid, call.query)
    return sendSheet(call, 'payments', filter, exportPaymentsSheet)
  },
})

const show = appRoute('GET /payments/:id', {
  management: 'GET /payments/:id',
  allowed: STAFF,
  async handle({ env, aid, params }): Promise<PaymentDetails> {
    return await env.database.snapshot(async (db) => {
      const row = await getPayment(db, aid, params.id as string)
      const amount = isUpToBank(row) ? 0 : await refundableAmount(db, row)
      const [shown] = await toPaymentItems(db, aid, [row])
      return { ...(shown as PaymentItem), refundable: { amount, currency: row.currency } }
    })
  },
})

const refund = appRoute('POST /payments/:id/refund', {
  management: 'POST /payments/:id/refunds',
  allowed: SUPPORT,
  action: 'payment.refund',
  body: RefundBody,
  async handle({ env, aid, params, body, actor, note }): Promise<RefundItem> {
    const { amount } = body
    const reference = readOptionalField('reference', body.reference, fields.reference)
    const order = await env.database.write(async (trx) => {
      const { id: paymentId } = await getPayment(trx, aid, params.id as string)
      const input = {
        ...{ aid, paymentId, actor },
        isStrict: true as const,
        ...(amount === undefined ? {} : { amount }),
        ...(reference === undefined ? {} : { reference }),
      }
      return await requestRefund(trx, input, clocksOf(env))
    })
    note({ refund: order.id, amount: order.amount, currency: order.currency })
    const [settled] = await attemptRefunds(env, [order])
    return refundItem(settled as RefundRow)
  },
})

export const paymentRoutes = [list, exportAll, show, refund]
