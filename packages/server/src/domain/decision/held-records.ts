import type { Db } from '../../db/database.ts'
import { padList } from '../../db/pad-list.ts'
import type { Seconds, SubscriptionStep } from '../../db/tables.ts'
import { effectiveEnd, type SourceDetails } from '../access/source-details.ts'

/** A source with what its subscription is going to do next. */
export interface HeldSource extends SourceDetails {
  canceled: Seconds | null
  next_due: Seconds | null
  next_step: SubscriptionStep | null
}

/** An access record of a reader. */
export interface HeldRecord {
  id: string
  rid: string
  ends: Seconds
  revoked: Seconds | null
  /** The source that ends last comes first. */
  sources: HeldSource[]
}

export interface Reader {
  aid: string
  uid: string
}

/** Finds a reader's unrevoked records of these resources, by rid. One statement reads them with their sources, so that
 * a change at the same moment is seen as a whole or not at all. */
export async function findUnrevoked(
  db: Db,
  reader: Reader,
  rids: readonly string[],
): Promise<Map<string, HeldRecord>> {
  const rows = await selectHeld(db, reader).where('a.rid', 'in', padList(rids)).execute()
  return new Map(groupByRecord(rows).map((record) => [record.rid, record]))
}

/** Lists a page of a reader's live records, by rid. */
export async function listLive(
  db: Db,
  reader: Reader,
  { after, limit }: { after: string; limit: number },
  now: Seconds,
): Promise<HeldRecord[]> {
  const page = db
    .selectFrom('access')
    .select('id')
    .where((eb) => eb.and({ aid: reader.aid, uid: reader.uid }))
    .where('revoked', 'is', null)
    .where('ends', '>', now)
    .where('rid', '>', after)
    .orderBy('rid')
    .limit(limit)
  const rows = await selectHeld(db, reader)
    .where('a.id', 'in', (eb) => eb.selectFrom(page.as('p')).select('p.id'))
    .orderBy('a.rid')
    .execute()
  return groupByRecord(rows)
}

/** Finds the record of each resource that was revoked last. */
export async function findLastRevoked(
  db: Db,
  { aid, uid }: Reader,
  rids: readonly string[],
): Promise<Map<string, HeldRecord>> {
  const rows = await db
    .selectFrom('access')
    .select(['id', 'rid', 'ends', 'revoked'])
    .where((eb) => eb.and({ aid, uid }))
    .where('rid', 'in', padList(rids))
    .where('revoked', 'is not', null)
    .orderBy('revoked')
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.rid, { ...row, sources: [] }]))
}

function selectHeld(db: Db, { aid, uid }: Reader) {
  return db
    .selectFrom('access as a')
    .leftJoin('sources as s', (join) =>
      join.onRef('s.aid', '=', 'a.aid').onRef('s.access_id', '=', 'a.id'),
    )
    .leftJoin('payments as p', (join) =>
      join.onRef('p.aid', '=', 's.aid').onRef('p.id', '=', 's.payment_id'),
    )
    .leftJoin('subscriptions as b', (join) =>
      join.onRef('b.aid', '=', 's.aid').onRef('b.id', '=', 's.subscription_id'),
    )
    .selectAll('s')
    .select(['a.id as record_id', 'a.rid', 'a.ends as record_ends', 'a.revoked'])
    .select(['p.amount as paid', 'p.currency', 'p.status as payment_status'])
    .select(['b.status as subscription_status', 'b.current_period_end', 'b.trial_ends', 'b.ended'])
    .select(['b.canceled', 'b.next_due', 'b.next_step'])
    .where((eb) => eb.and({ 'a.aid': aid, 'a.uid': uid }))
    .where('a.revoked', 'is', null)
}

type HeldRow = Awaited<ReturnType<ReturnType<typeof selectHeld>['execute']>>[number]

function groupByRecord(rows: readonly HeldRow[]): HeldRecord[] {
  const records = new Map<string, HeldRecord>()
  for (const { record_id: id, rid, record_ends: ends, revoked, ...source } of rows) {
    const record = records.get(id) ?? { id, rid, ends, revoked, sources: [] }
    // A record without a source has no columns of one.
    if (source.id !== null) record.sources.push(source as HeldSource)
    records.set(id, record)
  }
  for (const { sources } of records.values()) {
    sources.sort((a, b) => effectiveEnd(b) - effectiveEnd(a) || b.created - a.created)
  }
  return [...records.values()]
}
