import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import {
  findNextPaymentWork,
  type OutageCounter,
  runDueOrders,
} from '../domain/payments/orders/payment-loop.ts'
import { findNextDueTime, runNextSteps } from '../domain/payments/renewals/renewals.ts'
import { type BackgroundLoop, startLoop, toRealTime } from './loop.ts'

/** Carries out the renewals, retries, refunds and endings that are due, in one environment, until it is stopped.
 * Subscription steps have a loop of their own: they keep access open while renewals are charged, so they must not wait
 * for the provider. */
export function startPaymentWorker(env: Environment, log: Logger): BackgroundLoop {
  const loops = [startStepLoop(env, log), startOrderLoop(env, log)]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

const startStepLoop = (env: Environment, log: Logger) =>
  startLoop(env, log, {
    name: 'the subscription worker',
    work: () => runNextSteps(env),
    idleMs: 1_000,
    nextDue: async () => toRealTime(env, await findNextDueTime(env.database.read)),
    retryMs: 2_000,
  })

function startOrderLoop(env: Environment, log: Logger): BackgroundLoop {
  const outage: OutageCounter = { unanswered: 0 }
  return startLoop(env, log, {
    name: 'the payment worker',
    work: (stopping) => runDueOrders(env, outage, stopping),
    idleMs: 1_000,
    nextDue: () => findNextPaymentWork(env.database.read),
    retryMs: 2_000,
  })
}
