import type { Db, Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import { erasedReference } from '../payments/refunds/orders.ts'

/**
 * Removes a user's payment methods, and texts from payments and refunds. Amounts and times stay. Pending payments and
 * refunds keep what is needed to find them at the provider until they are settled. Returns 0 if no payment or
 * refund had anything to remove.
 */
export async function eraseMoney(trx: Trx, aid: string, uid: string): Promise<number> {
  const payments = await trx
    .updateTable('payments')
    .set({ method: null, last_error: null })
    .where((eb) => eb.and({ aid, uid }))
    .where('status', '<>', 'pending')
    .where((eb) => eb.or([eb('method', 'is not', null), eb('last_error', 'is not', null)]))
    .returning('id')
    .execute()
  await updateRows(trx, 'subscriptions', { aid, uid }, { method: null })
  return (
    payments.length + (await eraseReferences(trx, aid, uid)) + (await eraseErrors(trx, aid, uid))
  )
}

async function eraseErrors(trx: Trx, aid: string, uid: string): Promise<number> {
  const settled = await refundsOf(trx, aid, uid)
    .select('r.id')
    .where('r.status', '<>', 'pending')
    .where('r.last_error', 'is not', null)
    .execute()
  for (const { id } of settled) await updateRows(trx, 'refunds', { aid, id }, { last_error: null })
  return settled.length
}

/** Replaces the caller's reference of a refund with a digest, so that a repeated request still finds it. */
async function eraseReferences(trx: Trx, aid: string, uid: string): Promise<number> {
  const refunds = await refundsOf(trx, aid, uid)
    .select(['r.id', 'r.payment_id', 'r.reference'])
    .where('r.status', '<>', 'pending')
    .where('r.reference', 'is not', null)
    .where('r.reference', 'not like', 'erased:%')
    .execute()
  for (const { id, payment_id, reference } of refunds) {
    await updateRows(
      trx,
      'refunds',
      { aid, id },
      { reference: erasedReference(payment_id, reference as string) },
    )
  }
  return refunds.length
}

/** A cross join, because SQLite keeps its order: an ordinary join would read all refunds of the application first. */
const refundsOf = (db: Db, aid: string, uid: string) =>
  db
    .selectFrom('payments as p')
    .crossJoin('refunds as r')
    .whereRef('r.aid', '=', 'p.aid')
    .whereRef('r.payment_id', '=', 'p.id')
    .where((eb) => eb.and({ 'p.aid': aid, 'p.uid': uid }))

/** Whether the provider still has to respond to anything about this user. */
export async function isMoneyUnsettled(db: Db, aid: string, uid: string): Promise<boolean> {
  const payment = await db
    .selectFrom('payments')
    .select('id')
    .where((eb) => eb.and({ aid, uid, status: 'pending' }))
    .limit(1)
    .execute()
  const refund = await refundsOf(db, aid, uid)
    .select('r.id')
    .where('r.status', '=', 'pending')
    .limit(1)
    .execute()
  const page = await db
    .selectFrom('checkouts')
    .select('id')
    .where((eb) => eb.and({ aid, uid }))
    .where('due', 'is not', null)
    .limit(1)
    .execute()
  return payment.length + refund.length + page.length > 0
}
