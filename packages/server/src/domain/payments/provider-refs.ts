import type { Db } from '../../db/database.ts'
import type { PaymentRow } from './payments.ts'

/** Finds the payment that records a charge. The provider's reference is all that some events name, so this is one of
 * the few queries on payments that don't name the application. */
export async function findPaymentByProviderRef(
  db: Db,
  provider: string,
  ref: string,
): Promise<PaymentRow | undefined> {
  return await selectByRefs(db, provider, [ref]).executeTakeFirst()
}

/** Returns those of the references that a payment here records. */
export async function listRecordedRefs(
  db: Db,
  provider: string,
  refs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set()
  const rows = await selectByRefs(db, provider, refs).execute()
  return new Set(rows.map(({ provider_ref }) => provider_ref as string))
}

const selectByRefs = (db: Db, provider: string, refs: readonly string[]) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_ref', 'in', refs)
