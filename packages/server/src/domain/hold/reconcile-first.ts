import { Stop } from '../../errors.ts'
import type { Desk } from '../payments/context.ts'
import { ProviderTrouble } from '../payments/provider.ts'
import { reconcile } from '../payments/reconcile/reconcile.ts'

/** An environment together with its name. */
export type NamedDesk = Desk & { name: string }

/** Result of a reconciliation, as readable messages. */
export interface Reconciled {
  environment: string
  /** What was repaired. */
  repaired: string[]
  /** What staff have to decide on. */
  open: string[]
}

const messagesOf = (findings: readonly { message: string }[]) =>
  findings.map(({ message }) => message)

/** Reconciles every environment with its provider, so that the database catches up with what happened there before
 * anything is sent out again. */
export async function reconcileFirst(desks: readonly NamedDesk[]): Promise<Reconciled[]> {
  const found: Reconciled[] = []
  for (const desk of desks) {
    const { repaired, open } = await reconcile(desk, {}).catch(unanswered)
    found.push({
      environment: desk.name,
      repaired: messagesOf(repaired),
      open: messagesOf(open),
    })
  }
  return found
}

function unanswered(error: unknown): never {
  if (!(error instanceof ProviderTrouble)) throw error
  throw new Stop(
    `still on hold: the payment provider could not be asked what has happened (${error.message}); try again`,
  )
}
