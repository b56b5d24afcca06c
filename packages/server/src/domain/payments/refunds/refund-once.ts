import type { Trx } from '../../../db/database.ts'
import {
  claimWrite,
  finishWrite,
  recordWrite,
  type StoredAnswer,
} from '../../idempotency/handled-requests.ts'
import type { OnceAnswer } from '../../idempotency/once.ts'
import type { WriteRequest } from '../../idempotency/write-request.ts'
import type { PaymentContext } from '../context.ts'
import type { RefundRow } from '../payments.ts'
import { attemptRefunds } from './attempt-refunds.ts'

/** Changes that a request has made, and the refunds that it ordered. */
interface Ordered {
  /** The reader whom the answer is about. */
  uid: string | null
  refunds: readonly RefundRow[]
  /** The answer, with the refunds as they are then. */
  toBody(refunds: readonly RefundRow[]): unknown
}

/**
 * Runs a write that orders refunds, unless a request with its key took effect before. The provider is asked after the
 * transaction. Until then the answer with pending refunds is stored: if this process stops, a repeated request gets
 * that, and the worker carries the refunds out.
 */
export async function refundOnce(
  ctx: PaymentContext,
  write: WriteRequest,
  order: (trx: Trx) => Promise<Ordered>,
): Promise<OnceAnswer> {
  const result = await ctx.database.write((trx) => orderOnce(ctx, trx, write, order))
  if ('stored' in result) {
    const { status, body } = result.stored
    return { status, body, isReplayed: true }
  }
  const { ordered, isProvisional } = result
  const answer = { status: 200, body: ordered.toBody(await attemptRefunds(ctx, ordered.refunds)) }
  if (isProvisional) await ctx.database.write((trx) => finishWrite(trx, write, answer))
  return { ...answer, isReplayed: false }
}

async function orderOnce(
  ctx: PaymentContext,
  trx: Trx,
  write: WriteRequest,
  order: (trx: Trx) => Promise<Ordered>,
): Promise<{ stored: StoredAnswer } | { ordered: Ordered; isProvisional: boolean }> {
  const stored = await claimWrite(trx, write, ctx.realTime())
  if (stored) return { stored }
  const ordered = await order(trx)
  const isProvisional =
    write.key !== undefined && ordered.refunds.some(({ status }) => status === 'pending')
  const body = ordered.toBody(ordered.refunds)
  const answer = { status: 200, body, uid: ordered.uid, isProvisional }
  await recordWrite(trx, write, answer, ctx.realTime())
  return { ordered, isProvisional }
}
