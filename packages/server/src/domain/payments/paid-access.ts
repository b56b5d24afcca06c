import type { Trx } from '../../db/database.ts'
import { findRow } from '../../db/queries/rows.ts'
import { FOREVER, type Seconds, type SourceTable } from '../../db/tables.ts'
import type { Clocks } from '../access/grants/input.ts'
import { changeSource, findOpenSource, giveBackPeriod, lockAccess } from '../access/sources.ts'
import { recordHistory } from '../history/history.ts'
import { closeTime, endSubscription, lockSubscription } from '../subscriptions/lifecycle.ts'
import { getSubscription } from '../subscriptions/subscriptions.ts'
import { WORKER_ACTOR } from './context.ts'
import {
  findCurrentPayment,
  type PaymentRow,
  paymentHistoryEntry,
  updatePayment,
} from './payments.ts'

/** Ends what only this payment grants. The caller has locked the access record. */
export async function endAccessFromPayment(
  trx: Trx,
  payment: PaymentRow,
  why: string,
  clocks: Clocks,
): Promise<void> {
  const { aid, id: paymentId, subscription_id: subscriptionId } = payment
  const source = await findOpenSource(trx, aid, { paymentId })
  let left: Seconds = 0
  if (source) left = await endPurchase(trx, payment, source, why, clocks)
  else if (subscriptionId !== null) left = await endPaidSubscription(trx, payment, why, clocks)
  if (payment.status === 'lost' && left > 0)
    await updatePayment(trx, payment, { access_left: left })
}

/** Closes the source of a payment, and returns the seconds that were left of it. */
async function endPurchase(
  trx: Trx,
  payment: PaymentRow,
  source: SourceTable,
  why: string,
  clocks: Clocks,
): Promise<Seconds> {
  const { now } = clocks
  const closed = closeTime(source, now)
  const access = { aid: payment.aid, id: source.access_id }
  const ends = await changeSource(trx, access, source.id, { closed }, now)
  await recordHistory(trx, [
    {
      ...paymentHistoryEntry(payment, clocks),
      action: 'purchase ended',
      before: { ends: source.ends },
      after: { payment: payment.id, why, ends },
    },
  ])
  return source.ends === FOREVER ? FOREVER : source.ends - Math.max(now, source.starts ?? now)
}

/** Ends the subscription if the payment is for its current period, and returns the seconds that were left of the period. */
async function endPaidSubscription(
  trx: Trx,
  { aid, id, subscription_id, period_end }: PaymentRow,
  why: string,
  { now }: Clocks,
): Promise<Seconds> {
  const subscriptionId = subscription_id as string
  const current = await findCurrentPayment(trx, aid, subscriptionId)
  if (current?.id !== id) return 0
  const row = await lockSubscription(trx, aid, subscriptionId)
  await endSubscription(trx, row, why, now, WORKER_ACTOR)
  return row.status === 'ended' ? 0 : (period_end ?? now) - now
}

/** Opens again what a lost dispute had ended, for the time that was left. A subscription stays ended: the rest of its period
 * counts as a purchase. What staff have revoked since stays revoked. */
export async function giveAccessBack(
  trx: Trx,
  payment: PaymentRow,
  left: Seconds,
  clocks: Clocks,
): Promise<void> {
  const { aid, id: paymentId, access_id, subscription_id } = payment
  if (access_id === null) return
  const access = await lockAccess(trx, aid, access_id)
  if (access.revoked !== null) return
  const closed = await findRow(trx, 'sources', { aid, payment_id: paymentId })
  const period =
    subscription_id === null
      ? (closed?.period ?? null)
      : (await getSubscription(trx, aid, subscription_id)).period
  const ends = await giveBackPeriod(trx, access, { closed, paymentId, period, left }, clocks.now)
  await recordHistory(trx, [
    {
      ...paymentHistoryEntry(payment, clocks),
      action: 'access given back',
      ...(access.ends > clocks.now ? { before: { ends: access.ends } } : {}),
      after: { payment: paymentId, ends },
    },
  ])
}
