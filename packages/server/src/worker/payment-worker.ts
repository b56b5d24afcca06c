import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { findNextPaymentWork, runDuePayments } from '../domain/payments/orders/payment-loop.ts'
import { findNextDueTime } from '../domain/payments/renewals/renewals.ts'
import { type BackgroundLoop, earlierOf, startLoop, toRealTime } from './loop.ts'

/** Carries out the renewals, retries, refunds and endings that are due, in one environment, until it is stopped. */
export function startPaymentWorker(env: Environment, log: Logger): BackgroundLoop {
  const { read } = env.database
  return startLoop(env, log, {
    name: 'the payment worker',
    work: (stopping) => runDuePayments(env, stopping),
    idleMs: 1_000,
    nextDue: async () =>
      earlierOf(await findNextPaymentWork(read), toRealTime(env, await findNextDueTime(read))),
    retryMs: 2_000,
  })
}
