import { setTimeout as sleep } from 'node:timers/promises'
import type { Millis } from '../db/tables.ts'
import type { Desk } from './desk.ts'
import { carryOutNow } from './orders.ts'
import type { RefundRow } from './payments.ts'
import { findRefund } from './refunds.ts'

/** How long a caller waits for the outcome of a refund before it is told that it is pending. */
const MAX_WAIT_MS: Millis = 5_000
/** How often to look at an order that another process carries out: it can't tell us. */
const LOOK_MS: Millis = 50

/** Tries to carry refunds out at once; whatever happens here, the worker has them too. */
export async function settleSoon(desk: Desk, orders: readonly RefundRow[]): Promise<RefundRow[]> {
  const pending = orders.filter(({ status }) => status === 'pending')
  const stopping = new AbortController()
  const isOver = sleep(MAX_WAIT_MS, undefined, { signal: stopping.signal }).catch(() => {})
  const outcomes = pending.map(({ id }) => settleOne(desk, id, stopping.signal))
  await Promise.race([Promise.allSettled(outcomes), isOver])
  stopping.abort()
  const settled: RefundRow[] = []
  for (const order of orders) {
    settled.push((await findRefund(desk.database.read, order.id)) ?? order)
  }
  return settled
}

/** Carries an order out, or waits while another process does. */
async function settleOne(desk: Desk, id: string, stopping: AbortSignal): Promise<void> {
  await carryOutNow(desk, 'refunds', id)
  while (!stopping.aborted && (await isUnderWay(desk, id))) {
    await sleep(LOOK_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

async function isUnderWay(desk: Desk, id: string): Promise<boolean> {
  const row = await findRefund(desk.database.read, id)
  return row?.status === 'pending' && (row.lease_until ?? 0) > desk.wall()
}
