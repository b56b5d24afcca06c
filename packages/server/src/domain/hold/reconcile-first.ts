import { OperatorError } from '../../errors.ts'
import type { PaymentContext } from '../payments/context.ts'
import { ProviderError } from '../payments/provider-error.ts'
import { reconcile } from '../payments/reconcile/reconcile.ts'

/** An environment together with its name. */
export type NamedEnvironment = PaymentContext & { name: string }

/** Result of a reconciliation, as readable messages. */
export interface ReconcileResult {
  environment: string
  /** Messages about differences that were repaired. */
  repaired: string[]
  /** Messages about differences that staff have to decide on. */
  open: string[]
}

const messagesOf = (findings: readonly { message: string }[]) =>
  findings.map(({ message }) => message)

/** Reconciles every environment with its provider, so that the database catches up with what happened there before
 * anything is sent out again. */
export async function reconcileFirst(
  environments: readonly NamedEnvironment[],
): Promise<ReconcileResult[]> {
  const found: ReconcileResult[] = []
  for (const ctx of environments) {
    const { repaired, open } = await reconcile(ctx, {}).catch(unanswered)
    found.push({
      environment: ctx.name,
      repaired: messagesOf(repaired),
      open: messagesOf(open),
    })
  }
  return found
}

function unanswered(error: unknown): never {
  if (!(error instanceof ProviderError)) throw error
  throw new OperatorError(
    `still on hold: the payment provider could not be asked what has happened (${error.message}); try again`,
  )
}
