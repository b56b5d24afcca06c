import { expireCheckouts, settleDueCheckouts } from './checkouts.ts'
import type { Desk } from './desk.ts'
import { carryOutNext } from './orders.ts'
import { takeDueSteps } from './renewals.ts'

/** Orders under way at once: a provider takes its time for each. */
const AT_ONCE = 8

/** Does some of what is due: the steps of subscriptions, the orders to the provider, and a look at
 * checkouts of which nothing was heard. Returns how much; 0 means that there is nothing to do now. */
export async function workDue(desk: Desk): Promise<number> {
  const steps = await takeDueSteps(desk)
  const payments = await carryOutSome(desk, 'payments')
  const refunds = await carryOutSome(desk, 'refunds')
  const checkouts = await settleDueCheckouts(desk)
  await expireCheckouts(desk)
  return steps + payments + refunds + checkouts
}

async function carryOutSome(desk: Desk, table: 'payments' | 'refunds'): Promise<number> {
  const some = Array.from({ length: AT_ONCE }, () => carryOutNext(desk, table))
  const done = await Promise.allSettled(some)
  const failure = done.find((one) => one.status === 'rejected')
  if (failure) throw failure.reason
  return done.filter((one) => one.status === 'fulfilled' && one.value).length
}
