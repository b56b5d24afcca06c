import { setTimeout as sleep } from 'node:timers/promises'
import type { Desk } from './desk.ts'
import { carryOutNow } from './orders.ts'
import type { RefundRow } from './payments.ts'
import { findRefund } from './refunds.ts'

/** Whoever asked for a refund waits so long for its outcome, and is then told that it is pending. */
const LONGEST_WAIT_MS = 5_000

/** Tries to carry refunds out at once; whatever happens here, the worker has them too. */
export async function settleSoon(desk: Desk, orders: readonly RefundRow[]): Promise<RefundRow[]> {
  const pending = orders.filter(({ status }) => status === 'pending')
  const attempts = pending.map(({ id }) => carryOutNow(desk, 'refunds', id))
  const done = Promise.allSettled(attempts)
  const waited = new AbortController()
  await Promise.race([
    done,
    sleep(LONGEST_WAIT_MS, undefined, { signal: waited.signal }).catch(() => {}),
  ])
  waited.abort()
  const settled: RefundRow[] = []
  for (const order of orders) {
    settled.push((await findRefund(desk.database.read, order.id)) ?? order)
  }
  return settled
}
