import type { Db, Trx } from '../../db/database.ts'
import { findAndLockRow, listRows, lockRow, updateRows } from '../../db/queries/rows.ts'
import { type AccessTable, FOREVER, type Seconds, type SourceTable } from '../../db/tables.ts'
import { newOrderedId, newSortedId } from '../../ids.ts'
import { addPeriods } from '../resources/periods.ts'

/** Locks an access record. Every change of a record or its sources takes this lock first, which serializes them. */
export async function lockAccess(trx: Trx, aid: string, id: string): Promise<AccessTable> {
  return await lockRow(trx, 'access', { aid, id })
}

export async function lockUnrevoked(
  trx: Trx,
  { aid, rid, uid }: { aid: string; rid: string; uid: string },
): Promise<AccessTable | undefined> {
  return await findAndLockRow(trx, 'access', { aid, rid, uid, revoked: null })
}

/** Lists the open sources of an access record. A caller that changes something has locked it. */
export async function listOpenSources(
  db: Db,
  { aid, id }: Pick<AccessTable, 'aid' | 'id'>,
): Promise<SourceTable[]> {
  return await listRows(db, 'sources', { aid, access_id: id, closed: null }, ['created', 'id'])
}

export interface PaidAccess {
  aid: string
  rid: string
  uid: string
  userRef: string | undefined
  /** Undefined while nothing has been paid, as in a trial. */
  paid: { amount: number; currency: string } | undefined
}

/** Returns the user's unrevoked record on the resource, locked; creates it if there is none. The caller then adds a paid
 * source, which sets the end of the record. */
export async function lockOrCreateAccess(
  trx: Trx,
  input: PaidAccess,
  now: Seconds,
): Promise<AccessTable> {
  const { aid, rid, uid, userRef, paid } = input
  const old = await lockUnrevoked(trx, { aid, rid, uid })
  if (old) {
    const shown = { ...paid, user_ref: userRef ?? old.user_ref }
    await updateRows(trx, 'access', { aid, id: old.id }, shown)
    return { ...old, ...shown }
  }
  const row: AccessTable = {
    id: newSortedId(),
    aid,
    rid,
    uid,
    user_ref: userRef ?? null,
    amount: paid?.amount ?? 0,
    currency: paid?.currency ?? null,
    created: now,
    ends: now,
    revoked: null,
    tags: '[]',
    end_told: null,
  }
  await trx.insertInto('access').values(row).execute()
  return row
}

type PaidSource = Pick<SourceTable, 'kind' | 'ends'> &
  Partial<Pick<SourceTable, 'starts' | 'period' | 'payment_id' | 'subscription_id'>>

/** Adds a paid source, recomputes the end of the access record and returns it. */
export async function addPaidSource(
  trx: Trx,
  access: AccessTable,
  source: PaidSource,
  now: Seconds,
): Promise<Seconds> {
  const row: SourceTable = {
    id: newOrderedId(),
    aid: access.aid,
    access_id: access.id,
    created: now,
    closed: null,
    revision: 1,
    message_digest: '',
    notified: 0,
    starts: null,
    period: null,
    payment_id: null,
    subscription_id: null,
    remaining: null,
    ...source,
  }
  await trx.insertInto('sources').values(row).execute()
  return await recomputeEnd(trx, access, now)
}

interface Span {
  starts: Seconds
  ends: Seconds
}

/** Returns when a one-time period that is bought now begins and ends. It begins after all other paid time of the record,
 * so that the buyer loses no paid day. */
export const scheduleNewPeriod = (
  open: readonly SourceTable[],
  period: string | null,
  now: Seconds,
): Span => placePeriod(open, { period, remaining: null }, now)

/** Returns the earliest span for a period, or for what remains of it, after the paid time of the other sources. */
function placePeriod(
  others: readonly SourceTable[],
  { period, remaining }: Pick<SourceTable, 'period' | 'remaining'>,
  now: Seconds,
): Span {
  if (period === null) return { starts: now, ends: FOREVER }
  const starts = Math.max(now, ...others.filter(isPaidTime).map((source) => source.ends))
  const ends = remaining === null ? addPeriods(starts, period) : starts + remaining
  return { starts, ends: Math.min(ends, FOREVER) }
}

/** Paid time with an end, which one-time periods wait for. They don't wait for grants or lifetime purchases. */
const isPaidTime = ({ kind, ends }: SourceTable) => kind !== 'grant' && ends !== FOREVER

interface GivenBack {
  /** The source that was closed; undefined if a subscription held the access open. */
  closed: SourceTable | undefined
  paymentId: string
  period: string | null
  /** The seconds that were left, or `FOREVER`. */
  left: Seconds
}

/** Opens paid time again that was closed, as far as it was left, after all other paid time of the record. Returns the
 * record's new end. */
export async function giveBackPeriod(
  trx: Trx,
  access: AccessTable,
  { closed, paymentId, period, left }: GivenBack,
  now: Seconds,
): Promise<Seconds> {
  const rest = left === FOREVER ? { period: null, remaining: null } : { period, remaining: left }
  const span = placePeriod(await listOpenSources(trx, access), rest, now)
  const source = { ...span, ...rest }
  if (!closed) {
    const purchase = { kind: 'purchase' as const, ...source, payment_id: paymentId }
    return await addPaidSource(trx, access, purchase, now)
  }
  const { aid, id } = closed
  // A merge of two records leaves closed sources where they were.
  const opened = { ...source, access_id: access.id, closed: null }
  await updateRows(trx, 'sources', { aid, id }, opened)
  return await recomputeEnd(trx, access, now)
}

/** Changes or closes a source, reschedules the periods queued behind it, and returns the record's new end. */
export async function changeSource(
  trx: Trx,
  access: Pick<AccessTable, 'aid' | 'id'>,
  sourceId: string,
  change: { ends: Seconds } | { closed: Seconds },
  now: Seconds,
): Promise<Seconds> {
  const before = (await listOpenSources(trx, access)).find(({ id }) => id === sourceId)
  await updateRows(trx, 'sources', { aid: access.aid, id: sourceId }, change)
  if (before && before.kind !== 'grant') {
    // A renewal can arrive just after the period ended. A queued period that started at that moment waits again.
    const since = 'ends' in change ? Math.min(before.ends, now + 1) : now + 1
    await rescheduleQueuedPeriods(trx, access, since, now)
  }
  return await recomputeEnd(trx, access, now)
}

/** Reschedules one-time periods that start at `since` or later: earlier if paid time before them was closed, later if
 * it was renewed. A period that started before `since` stays, because its days are being used. */
async function rescheduleQueuedPeriods(
  trx: Trx,
  access: Pick<AccessTable, 'aid' | 'id'>,
  since: Seconds,
  now: Seconds,
): Promise<void> {
  const open = await listOpenSources(trx, access)
  const isWaiting = ({ starts }: SourceTable) => starts !== null && starts >= since
  const laid = open.filter((source) => !isWaiting(source))
  await placeAll(trx, laid, open.filter(isWaiting), now)
}

/** Queues one-time periods behind all other paid time of their record, after a merge of two records. A running period
 * keeps the seconds until its end; one that has not started keeps its full length. */
export async function queuePeriods(
  trx: Trx,
  access: Pick<AccessTable, 'aid' | 'id'>,
  sourceIds: ReadonlySet<string>,
  now: Seconds,
): Promise<void> {
  const open = await listOpenSources(trx, access)
  const isQueued = ({ id, period, ends }: SourceTable) =>
    sourceIds.has(id) && period !== null && ends > now && ends !== FOREVER
  const others = open.filter((source) => !isQueued(source))
  if (!others.some(isPaidTime)) return
  const queued = open.filter(isQueued).map((source) => ({
    ...source,
    remaining: (source.starts as Seconds) > now ? source.remaining : source.ends - now,
  }))
  await placeAll(trx, others, queued, now)
}

/** Schedules periods one after the other, in the order of their current starts. */
async function placeAll(
  trx: Trx,
  others: readonly SourceTable[],
  waiting: readonly SourceTable[],
  now: Seconds,
): Promise<void> {
  const placed = [...others]
  for (const source of waiting.toSorted((a, b) => Number(a.starts) - Number(b.starts))) {
    const { aid, id, remaining } = source
    const span = placePeriod(placed, source, now)
    placed.push({ ...source, ...span })
    await updateRows(trx, 'sources', { aid, id }, { ...span, remaining })
  }
}

/** Sets a record's end to the latest end of its open sources. With none, it ends now, unless it ended before. */
export async function recomputeEnd(
  trx: Trx,
  access: Pick<AccessTable, 'aid' | 'id'>,
  now: Seconds,
): Promise<Seconds> {
  const { ends: old } = await lockAccess(trx, access.aid, access.id)
  const open = await listOpenSources(trx, access)
  const ends = open.length > 0 ? Math.max(...open.map((source) => source.ends)) : Math.min(old, now)
  await updateRows(trx, 'access', { aid: access.aid, id: access.id }, { ends })
  return ends
}

/** Finds the open source of a subscription or a payment. */
export async function findOpenSource(
  db: Db,
  aid: string,
  by: { subscriptionId: string } | { paymentId: string },
): Promise<SourceTable | undefined> {
  const [column, value] =
    'paymentId' in by
      ? (['payment_id', by.paymentId] as const)
      : (['subscription_id', by.subscriptionId] as const)
  return await db
    .selectFrom('sources')
    .selectAll()
    .where('aid', '=', aid)
    .where(column, '=', value)
    .where('closed', 'is', null)
    .executeTakeFirst()
}
