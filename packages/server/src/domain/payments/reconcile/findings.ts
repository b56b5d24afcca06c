import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/database.ts'
import { deleteRows, listRows, updateRows } from '../../../db/queries/rows.ts'
import type { FindingKind, FindingTable, Millis, Seconds } from '../../../db/tables.ts'
import { fail } from '../../../errors.ts'
import { newOrderedId } from '../../../ids.ts'

/** A difference between the provider's records and ours. */
export interface Finding {
  kind: string
  message: string
  paymentId?: string
  providerRef?: string | undefined
  aid?: string | undefined
  amount?: number
  currency?: string
}

/** A finding that only staff can decide on. */
export interface OpenFinding extends Finding {
  kind: FindingKind
  /** When the money moved, by the provider's clock. */
  at: Seconds
  /** The id of our order, if the finding is about one. */
  orderId?: string
}

/** Identifies what a finding is about. There is at most one finding per kind and subject. */
export const subjectOf = ({ orderId, providerRef, paymentId }: OpenFinding) =>
  orderId ?? providerRef ?? paymentId ?? ''

/** Stores findings until they are resolved or dismissed. A known one only gets its message updated. */
export async function recordFindings(
  trx: Trx,
  findings: readonly OpenFinding[],
  realTime: Millis,
): Promise<void> {
  for (const finding of findings) {
    const row: FindingTable = {
      id: newOrderedId(),
      kind: finding.kind,
      subject: subjectOf(finding),
      message: finding.message,
      aid: finding.aid ?? null,
      payment_id: finding.paymentId ?? null,
      provider_ref: finding.providerRef ?? null,
      amount: finding.amount ?? null,
      currency: finding.currency ?? null,
      at: finding.at,
      found: Math.floor(realTime / 1000),
      dismissed: null,
    }
    await trx
      .insertInto('reconciliation_findings')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'subject']).doUpdateSet({ message: row.message }),
      )
      .execute()
  }
}

const isOpen = sql<boolean>`dismissed is null`

const selectOpen = (db: Db) =>
  db.selectFrom('reconciliation_findings').selectAll().where(isOpen).orderBy('found').orderBy('id')

export async function listOpenFindings(db: Db): Promise<FindingTable[]> {
  return await selectOpen(db).execute()
}

/** Lists the open findings that the staff of one application should see: its own, and those of no application. */
export async function listOpenFindingsFor(db: Db, aid: string): Promise<FindingTable[]> {
  return await selectOpen(db)
    .where((eb) => eb.or([eb('aid', '=', aid), eb('aid', 'is', null)]))
    .execute()
}

export async function countOpenFindings(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('reconciliation_findings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(isOpen)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists the findings that staff have dealt with. */
export async function listDismissedFindings(db: Db): Promise<FindingTable[]> {
  return await db
    .selectFrom('reconciliation_findings')
    .selectAll()
    .where('dismissed', 'is not', null)
    .execute()
}

/** Deletes open findings that no longer apply. Dismissed ones stay, so that they are not reported again. */
export async function dropFindings(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.deleteFrom('reconciliation_findings').where('id', 'in', ids).where(isOpen).execute()
}

const aboutOrder = (orderId: string) => ({ kind: 'order_waiting' as const, subject: orderId })

/** Whether staff were told that an order waits. */
export async function isWaitingReported(db: Db, orderId: string): Promise<boolean> {
  return (await listRows(db, 'reconciliation_findings', aboutOrder(orderId))).length > 0
}

/** Deletes the finding about an order that waits no longer. */
export async function dropWaitingFinding(trx: Trx, orderId: string): Promise<void> {
  await deleteRows(trx, 'reconciliation_findings', aboutOrder(orderId))
}

/** Marks a finding as dealt with. An order that waits for it is retried immediately; if that is refused too, there is a new
 * finding. */
export async function dismissFinding(
  trx: Trx,
  id: string,
  realTime: Millis,
): Promise<FindingTable> {
  const row = await trx
    .updateTable('reconciliation_findings')
    .set({ dismissed: Math.floor(realTime / 1000) })
    .where('id', '=', id)
    .where(isOpen)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw fail('finding_not_found')
  await retryOrderOf(trx, row, realTime)
  if (row.kind === 'order_waiting') await dropWaitingFinding(trx, row.subject)
  return row
}

async function retryOrderOf(
  trx: Trx,
  { kind, aid, subject, payment_id }: FindingTable,
  realTime: Millis,
): Promise<void> {
  const id = kind === 'charge_in_doubt' ? payment_id : kind === 'order_waiting' ? subject : null
  if (aid === null || id === null) return
  for (const table of ['payments', 'refunds'] as const) {
    await updateRows(trx, table, { aid, id, status: 'pending' }, { due: realTime })
  }
}
