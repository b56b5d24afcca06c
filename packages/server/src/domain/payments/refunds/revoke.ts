import type { Db, Trx } from '../../../db/database.ts'
import type { Seconds, SourceTable } from '../../../db/tables.ts'
import type { AccessRow } from '../../access/details.ts'
import type { Clocks } from '../../access/grants/input.ts'
import { revokeAccess } from '../../access/revoke.ts'
import { listOpenSources, lockUnrevoked } from '../../access/sources.ts'
import { endSubscription, lockSubscription } from '../../subscriptions/lifecycle.ts'
import {
  findCurrentPayment,
  findPayment,
  lockPayment,
  type PaymentRow,
  type RefundRow,
} from '../payments.ts'
import { refundableAmount, requestRefund } from './orders.ts'

export interface Revocation {
  aid: string
  rid: string
  uid: string
  actor: string
  /** Whether to refund the current payment of every source that still grants the access. */
  refund: boolean
}

export interface RevokeResult {
  access: AccessRow
  refunds: RefundRow[]
}

/** Ends an access with all its sources, including a subscription, and orders the refunds in the same transaction. */
export async function revokeWithRefund(
  trx: Trx,
  who: Revocation,
  clocks: Clocks,
): Promise<RevokeResult | undefined> {
  const { aid, actor } = who
  const open = await lockUnrevoked(trx, who)
  if (!open) return undefined
  const sources = await listOpenSources(trx, open)
  const payments = who.refund ? await listRefundablePayments(trx, sources, clocks) : []
  const access = await revokeAccess(trx, who, clocks.now)
  if (!access) return undefined
  for (const { subscription_id } of sources) {
    if (subscription_id === null) continue
    const row = await lockSubscription(trx, aid, subscription_id)
    await endSubscription(trx, row, 'revoked', clocks.now, actor)
  }
  const refunds: RefundRow[] = []
  const cause = `revoke ${open.id}`
  for (const { id } of payments) {
    // A refund that does not lock the access record may have taken the rest since the list was read.
    const payment = await lockPayment(trx, aid, id)
    if ((await refundableAmount(trx, payment)) === 0) continue
    refunds.push(await requestRefund(trx, { aid, paymentId: id, actor, cause }, clocks))
  }
  return { access, refunds }
}

/** Returns one payment for each paid source that has not ended, except those already refunded. */
export async function listRefundablePayments(
  db: Db,
  sources: readonly SourceTable[],
  { now }: Pick<Clocks, 'now'>,
): Promise<PaymentRow[]> {
  const found: PaymentRow[] = []
  for (const source of sources) {
    const payment = source.ends > now ? await findPaymentOfSource(db, source, now) : undefined
    if (payment && (await refundableAmount(db, payment)) > 0) found.push(payment)
  }
  return found
}

async function findPaymentOfSource(
  db: Db,
  { aid, payment_id, subscription_id }: SourceTable,
  now: Seconds,
): Promise<PaymentRow | undefined> {
  if (payment_id !== null) return await findPayment(db, aid, payment_id)
  if (subscription_id === null) return undefined
  const current = await findCurrentPayment(db, aid, subscription_id)
  // In the grace period, the last paid period is over and is not refunded.
  return (current?.period_end ?? 0) > now ? current : undefined
}
