import { Stop } from '../errors.ts'
import type { Desk } from '../payments/desk.ts'
import { ProviderTrouble } from '../payments/provider.ts'
import { reconcile } from '../payments/reconcile.ts'

/** An environment, as far as it is resumed. */
export type NamedDesk = Desk & { name: string }

/** What a comparison with the provider has found, in words for people. */
export interface Reconciled {
  environment: string
  /** What was put right. */
  repaired: string[]
  /** What somebody has to decide on. */
  open: string[]
}

const messagesOf = (findings: readonly { message: string }[]) =>
  findings.map(({ message }) => message)

/** Asks the provider of each environment what has happened that the database does not know of, and takes note
 * of it, before anything is sent out again. */
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
