import type { Db, Trx } from '../../db/database.ts'
import { findRow } from '../../db/queries/rows.ts'
import type { PaymentTable } from '../../db/tables.ts'

/** Finds the payment that records a charge. The provider's reference is all that some events name: `provider_refs` leads
 * from it to the application. */
export async function findPaymentByProviderRef(
  db: Db,
  provider: string,
  ref: string,
): Promise<PaymentTable | undefined> {
  const found = await selectRefs(db, provider, [ref]).executeTakeFirst()
  return found && (await findRow(db, 'payments', { aid: found.aid, id: found.payment_id }))
}

/** Returns those of the references that a payment here records. */
export async function listRecordedRefs(
  db: Db,
  provider: string,
  refs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set()
  const rows = await selectRefs(db, provider, refs).execute()
  return new Set(rows.map(({ ref }) => ref))
}

const selectRefs = (db: Db, provider: string, refs: readonly string[]) =>
  db
    .selectFrom('provider_refs')
    .selectAll()
    .where('provider', '=', provider)
    .where('ref', 'in', refs)

type Recorded = Pick<PaymentTable, 'aid' | 'id' | 'provider' | 'provider_ref'>

/** Records that the charge belongs to the payment. The key refuses a charge that another payment records. */
export async function recordProviderRef(trx: Trx, payment: Recorded): Promise<void> {
  const { aid, id, provider, provider_ref: ref } = payment
  if (ref === null) return
  await trx.insertInto('provider_refs').values({ provider, ref, aid, payment_id: id }).execute()
}

export async function removeProviderRef(trx: Trx, payment: Recorded): Promise<void> {
  const { provider, provider_ref: ref } = payment
  if (ref === null) return
  await trx
    .deleteFrom('provider_refs')
    .where((eb) => eb.and({ provider, ref }))
    .execute()
}
