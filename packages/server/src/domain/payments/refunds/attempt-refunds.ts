import { setTimeout as sleep } from 'node:timers/promises'
import type { RowKey } from '../../../db/queries/rows.ts'
import type { Millis } from '../../../db/tables.ts'
import type { PaymentContext } from '../context.ts'
import { sendOrderNow } from '../orders/orders.ts'
import type { RefundRow } from '../payments.ts'
import { findRefund } from './refunds.ts'

/** How long a caller waits for the outcome of a refund before it is reported as pending. */
const MAX_WAIT_MS: Millis = 5_000
/** How often to poll an order that another process sends. */
const POLL_MS: Millis = 50

/** Sends refunds to the provider immediately, and waits up to five seconds for the answers. The worker takes care of
 * those that are not settled by then. */
export async function attemptRefunds(
  ctx: PaymentContext,
  orders: readonly RefundRow[],
): Promise<RefundRow[]> {
  const pending = orders.filter(({ status }) => status === 'pending')
  const stopping = new AbortController()
  const isOver = sleep(MAX_WAIT_MS, undefined, { signal: stopping.signal }).catch(() => {})
  const outcomes = pending.map((order) => sendOrAwaitRefund(ctx, order, stopping.signal))
  await Promise.race([Promise.allSettled(outcomes), isOver])
  stopping.abort()
  const settled: RefundRow[] = []
  for (const order of orders) {
    settled.push((await findRefund(ctx.database.read, order.aid, order.id)) ?? order)
  }
  return settled
}

/** Sends an order, or waits while another process does. */
async function sendOrAwaitRefund(
  ctx: PaymentContext,
  order: RowKey,
  stopping: AbortSignal,
): Promise<void> {
  await sendOrderNow(ctx, 'refunds', order)
  while (!stopping.aborted && (await isBeingSent(ctx, order))) {
    await sleep(POLL_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

async function isBeingSent(ctx: PaymentContext, { aid, id }: RowKey): Promise<boolean> {
  const row = await findRefund(ctx.database.read, aid, id)
  return (row?.lease_until ?? 0) > ctx.realTime()
}
