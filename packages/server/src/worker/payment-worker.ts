import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { runDuePayments } from '../domain/payments/orders/payment-loop.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'

/** Carries out the renewals, retries, refunds and endings that are due, in one environment, until it is stopped. */
export function startPaymentWorker(env: Environment, log: Logger): BackgroundLoop {
  return startLoop(env, log, {
    name: 'the payment worker',
    work: (stopping) => runDuePayments(env, stopping),
    idleMs: 1_000,
    retryMs: 2_000,
  })
}
