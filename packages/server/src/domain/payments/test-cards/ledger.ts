import type { Db, Trx } from '../../../db/database.ts'
import { updateRows } from '../../../db/queries/rows.ts'
import type { Millis, TestLedgerTable } from '../../../db/tables.ts'
import { newId } from '../../../ids.ts'
import type { DisputeFinding, Money, PaymentFinding, RefundFinding } from '../provider.ts'

/** A record of the test provider, which keeps its records in our own database. */
export type LedgerEntry = TestLedgerTable

export async function findEntry(
  db: Db,
  by: { id: string } | { key: string },
): Promise<LedgerEntry | undefined> {
  const all = db.selectFrom('test_ledger').selectAll()
  const query = 'id' in by ? all.where('id', '=', by.id) : all.where('key', '=', by.key)
  return await query.executeTakeFirst()
}

/** The lock makes paying and closing a page take turns. */
export async function lockSession(trx: Trx, id: string): Promise<LedgerEntry | undefined> {
  return await trx
    .selectFrom('test_ledger')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertEntry(
  trx: Trx,
  entry: Partial<LedgerEntry> & Pick<LedgerEntry, 'kind' | 'card'>,
  realTime: Millis,
) {
  const row: LedgerEntry = {
    id: `test_${newId()}`,
    key: null,
    charge_id: null,
    amount: 0,
    currency: '',
    status: 'succeeded',
    failure: null,
    dispute: null,
    disputed_amount: null,
    tries: 1,
    created: realTime,
    ...entry,
  }
  await trx.insertInto('test_ledger').values(row).execute()
  return row
}

export async function updateEntry(
  trx: Trx,
  id: string,
  values: Partial<LedgerEntry>,
): Promise<void> {
  await updateRows(trx, 'test_ledger', { id }, values)
}

export const toPaymentFinding = (charge: LedgerEntry): PaymentFinding => ({
  status: charge.status === 'succeeded' ? 'succeeded' : 'failed',
  ref: charge.id,
  money: { amount: charge.amount, currency: charge.currency },
  ...(charge.failure === null ? {} : { failure: charge.failure as 'declined' }),
  ...(charge.dispute === null ? {} : { dispute: disputeOf(charge) }),
})

function disputeOf({ dispute, amount, disputed_amount }: LedgerEntry): DisputeFinding {
  const disputed = disputed_amount ?? amount
  if (dispute === 'lost' || dispute === 'won') return { lost: dispute === 'lost' ? disputed : 0 }
  return { lost: 0, open: { amount: disputed, isRefundable: dispute === 'inquiry' } }
}

export const toRefundFinding = (refund: LedgerEntry): RefundFinding => ({
  status: refund.status === 'succeeded' ? 'succeeded' : 'failed',
  ref: refund.id,
  money: { amount: refund.amount, currency: refund.currency },
  ...(refund.failure === null ? {} : { failure: refund.failure }),
})

/** Returns why a refund fails, if it does. */
export async function refundRefusal(
  trx: Trx,
  charge: LedgerEntry | undefined,
  money: Money,
): Promise<string | undefined> {
  if (!charge) return 'refused'
  const { open, lost = 0 } = toPaymentFinding(charge).dispute ?? {}
  if (lost === charge.amount || open?.isRefundable === false) return 'disputed'
  const earlier = await trx
    .selectFrom('test_ledger')
    .select('amount')
    .where((eb) => eb.and({ charge_id: charge.id, kind: 'refund', status: 'succeeded' }))
    .execute()
  const left = charge.amount - lost - earlier.reduce((sum, { amount }) => sum + amount, 0)
  return money.amount > left ? 'already_refunded' : undefined
}
