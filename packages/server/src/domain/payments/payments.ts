import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { type Cursor, cursorColumns, isAfter } from '../../db/queries/cursor.ts'
import {
  findRow,
  listRows,
  lockRow,
  selectWindow,
  updateRows,
  type Window,
} from '../../db/queries/rows.ts'
import { ascendingIndex, newestIndex, orderBy, type SortedFilter } from '../../db/queries/sort.ts'
import type {
  PaymentFlag,
  PaymentStatus,
  PaymentTable,
  RefundTable,
  Seconds,
} from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'
import type { Clocks } from '../access/grants/input.ts'
import { lockAccess } from '../access/sources.ts'
import { isByName, nameIndex } from '../users/name-order.ts'
import { uidsWithPrefix } from '../users/prefix.ts'
import { uidByRef } from '../users/user-ref.ts'
import { WORKER_ACTOR } from './context.ts'
import { recordProviderRef, removeProviderRef } from './provider-refs.ts'

export type PaymentRow = PaymentTable
export type RefundRow = RefundTable

/** The columns of a payment that was never disputed. */
export const UNDISPUTED = {
  lost: null,
  lost_amount: 0,
  disputed_amount: 0,
  refundable_in_dispute: 0,
  access_left: null,
} as const

export const findPayment = (db: Db, aid: string, id: string) => findRow(db, 'payments', { aid, id })

export async function getPayment(db: Db, aid: string, id: string): Promise<PaymentRow> {
  return requireFound(await findPayment(db, aid, id), 'payment_not_found')
}

/** Locks the access record first, as every change of an access does. */
export async function lockPaymentWithAccess(
  trx: Trx,
  aid: string,
  id: string,
): Promise<PaymentRow | undefined> {
  const found = await findPayment(trx, aid, id)
  if (!found) return undefined
  if (found.access_id !== null) await lockAccess(trx, aid, found.access_id)
  const row = await lockPayment(trx, aid, id)
  // A merge may have moved the payment to another access meanwhile.
  const isMoved = row.access_id !== null && row.access_id !== found.access_id
  if (isMoved) await lockAccess(trx, aid, row.access_id as string)
  return row
}

/** If the access record is locked too, it must be locked before this row. */
export const lockPayment = (trx: Trx, aid: string, id: string) =>
  lockRow(trx, 'payments', { aid, id })

export async function insertPayment(trx: Trx, row: PaymentRow): Promise<void> {
  await trx.insertInto('payments').values(row).execute()
  await recordProviderRef(trx, row)
}

export async function updatePayment(
  trx: Trx,
  row: PaymentRow,
  change: Partial<PaymentRow>,
): Promise<PaymentRow> {
  const changed = { ...row, ...change }
  await updateRows(trx, 'payments', { aid: row.aid, id: row.id }, change)
  if (changed.provider_ref !== row.provider_ref) {
    await removeProviderRef(trx, row)
    await recordProviderRef(trx, changed)
  }
  return changed
}

export const paymentHistoryEntry = (
  payment: PaymentRow,
  { now }: Clocks,
  actor = WORKER_ACTOR,
) => ({
  aid: payment.aid,
  uid: payment.uid,
  rid: payment.rid,
  ...(payment.access_id === null ? {} : { accessId: payment.access_id }),
  at: now,
  actor,
})

/** Whether nothing of a payment is left, after refunds and lost disputes. */
export const isGivenBack = ({ amount, refunded, lost_amount }: PaymentRow): boolean =>
  refunded + lost_amount >= amount

/** Derives the status of a payment that is not in dispute from what was refunded and lost. A part that was lost leaves the
 * status as it is, as access does. */
export function statusByReturns(payment: PaymentRow): PaymentStatus {
  const { amount, refunded, lost_amount } = payment
  if (lost_amount > 0 && isGivenBack(payment)) return 'lost'
  return refunded === 0 ? 'succeeded' : refunded < amount ? 'partially_refunded' : 'refunded'
}

/** Whether the bank decides on a payment, or has decided against us, so that it can't be refunded. */
export const isUpToBank = ({ status, refundable_in_dispute }: PaymentRow): boolean =>
  status === 'lost' || (status === 'disputed' && refundable_in_dispute === 0)

/** Statuses of payments whose money was taken, whatever happened to it since. */
export const TAKEN_STATUSES: readonly PaymentStatus[] = [
  'succeeded',
  'partially_refunded',
  'refunded',
  'disputed',
  'lost',
]

/** Returns the payment for the last paid period of a subscription; undefined in a trial. */
export async function findCurrentPayment(
  db: Db,
  aid: string,
  subscriptionId: string,
): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where((eb) => eb.and({ aid, subscription_id: subscriptionId }))
    .where('flag', 'is', null)
    .where('status', 'in', TAKEN_STATUSES)
    .orderBy('period_start', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** `from` is inclusive, `to` exclusive. */
interface PaymentSpan {
  from: Seconds
  to: Seconds
}

/** Columns by which a list of payments can be sorted. Amounts are compared within a currency. */
export const PAYMENT_COLUMNS = ['created', 'amount', 'name'] as const

const INDEXES = {
  created: newestIndex('created', 'id'),
  amount: ascendingIndex(sql.ref('currency'), sql.ref('amount'), sql.ref('id')),
  name: nameIndex('p'),
}

export interface PaymentFilter extends SortedFilter<typeof INDEXES> {
  rid?: string | undefined
  userRef?: string | undefined
  subscriptionId?: string | undefined
  /** Only payments that are flagged for staff. */
  flagged?: boolean | undefined
  flag?: PaymentFlag | undefined
  status?: PaymentStatus | undefined
  uid?: string | undefined
  /** Creation time: `from` is inclusive, `to` exclusive. */
  from?: Seconds | undefined
  to?: Seconds | undefined
  currency?: string | undefined
  /** Only payments of exactly this amount. */
  amount?: number | undefined
  /** Only payments whose money was taken in this span. */
  taken?: PaymentSpan | undefined
  /** Only payments of which something was refunded in this span. */
  refunded?: PaymentSpan | undefined
  /** Only payments of which a dispute was lost in this span. */
  lost?: PaymentSpan | undefined
  /** Matches the id, the provider's id or the uid exactly, or the beginning of an email address, a user reference
   * or a name. */
  text?: string | undefined
}

/** The conditions are written out, as those of the indexes are. */
function movedMoney({ aid, taken, refunded, lost }: PaymentFilter): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  const within = (column: RawBuilder<unknown>, { from, to }: PaymentSpan) =>
    sql`${column} >= ${from} and ${column} < ${to}`
  if (taken) {
    conditions.push(
      sql<boolean>`status not in ('pending', 'failed') and ${within(sql`settled`, taken)}`,
    )
  }
  if (refunded) {
    conditions.push(sql<boolean>`id in (select f.payment_id from refunds f where f.aid = ${aid}
      and f.status = 'succeeded' and ${within(sql`f.settled`, refunded)})`)
  }
  if (lost) {
    conditions.push(sql<boolean>`lost is not null and ${within(sql`lost`, lost)}`)
  }
  return conditions
}

function selectMatching(db: Db, filter: PaymentFilter) {
  const { aid, rid, userRef, subscriptionId, flagged, flag, status, uid } = filter
  const { from, to, text } = filter
  let query = db.selectFrom('payments').selectAll().where('aid', '=', aid)
  if (rid !== undefined) query = query.where('rid', '=', rid)
  if (userRef !== undefined) query = query.where('uid', '=', uidByRef(aid, userRef))
  if (subscriptionId !== undefined) query = query.where('subscription_id', '=', subscriptionId)
  if (flagged) query = query.where('flag', 'is not', null)
  if (flag !== undefined) query = query.where('flag', '=', flag)
  if (status !== undefined) query = query.where('status', '=', status)
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (from !== undefined) query = query.where('created', '>=', from)
  if (to !== undefined) query = query.where('created', '<', to)
  if (filter.currency !== undefined) query = query.where('currency', '=', filter.currency)
  if (filter.amount !== undefined) query = query.where('amount', '=', filter.amount)
  for (const condition of movedMoney(filter)) query = query.where(condition)
  if (text === undefined) return query
  return query.where((eb) =>
    eb.or([
      eb('id', '=', text),
      eb('provider_ref', '=', text),
      eb('uid', '=', text),
      eb('uid', 'in', uidsWithPrefix(aid, text)),
    ]),
  )
}

/** Adds the people `u` if they decide the order. A cross join, because SQLite keeps its order. */
function selectInOrder(db: Db, filter: PaymentFilter, sort: string) {
  const matching = selectMatching(db, filter)
  if (!isByName(sort)) return matching
  const byPerson = db
    .selectFrom('users as u')
    .crossJoin(matching.as('p'))
    .where('u.aid', '=', filter.aid)
    .whereRef('p.uid', '=', 'u.uid')
    .selectAll('p')
  return byPerson as unknown as typeof matching
}

/** Returns one page of payments, and the total count. */
export async function searchPayments(
  db: Db,
  filter: PaymentFilter,
  window: Window,
): Promise<{ rows: PaymentRow[]; total: number }> {
  const { sort = '-created' } = filter
  const rows = selectInOrder(db, filter, sort).orderBy(orderBy(sort, INDEXES))
  return await selectWindow(rows, window, selectMatching(db, filter))
}

/** Lists the payments that follow one of the same list, without a total. */
export async function listPaymentsAfter(
  db: Db,
  filter: PaymentFilter,
  after: Cursor | undefined,
  limit: number,
): Promise<PaymentRow[]> {
  const { sort = '-created' } = filter
  const query = selectInOrder(db, filter, sort)
    .select(cursorColumns(sort, INDEXES))
    .orderBy(orderBy(sort, INDEXES))
    .limit(limit)
  return await (after ? query.where(isAfter(sort, INDEXES, after)) : query).execute()
}

/** Lists the refunds of the given payments, oldest first. */
export const listRefunds = (db: Db, aid: string, paymentIds: readonly string[]) =>
  listRows(db, 'refunds', { aid, payment_id: paymentIds }, ['created', 'id'])

/** Whether anything was ever sold, also if the money was paid back later. */
export async function hasSale(db: Db, aid: string): Promise<boolean> {
  const sale = db
    .selectFrom('payments')
    .select('id')
    .where('aid', '=', aid)
    .where('status', 'in', TAKEN_STATUSES)
  return (await sale.limit(1).execute()).length > 0
}
