import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { ProviderError } from '../domain/payments/provider-error.ts'
import { refreshOldAccountNote } from '../domain/payments/provider-problems.ts'
import {
  isReconciliationDue,
  type Reconciliation,
  reconcile,
} from '../domain/payments/reconcile/reconcile.ts'
import { OperatorError } from '../errors.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'

/** Reconciles with the payment provider once a day, and asks whether the account may take payments, in one environment, until
 * it is stopped. */
export function startReconcileWorker(env: Environment, log: Logger): BackgroundLoop {
  return startLoop(env, log, {
    name: 'the reconciliation',
    async work() {
      await refreshOldAccountNote(env)
      if (await isReconciliationDue(env)) await tryReconcile(env, log)
      return 0
    },
    idleMs: 600_000,
    retryMs: 60_000,
  })
}

/** A provider that does not answer, or another process that is already reconciling, is not an error: the next
 * round tries again. */
async function tryReconcile(env: Environment, log: Logger): Promise<void> {
  const about = { environment: env.name }
  try {
    report(await reconcile(env, {}), log.child(about))
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof OperatorError)) throw error
    log.warn(about, `the reconciliation did not come to its end: ${error.message}`)
  }
}

function report({ charges, repaired, open }: Reconciliation, log: Logger): void {
  for (const { kind, message } of repaired) log.warn({ kind }, `reconciliation: ${message}`)
  const counts = { charges, repaired: repaired.length, open: open.length }
  log.info(counts, 'the books of the payment provider were compared with ours')
}
