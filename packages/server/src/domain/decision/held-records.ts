import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { textRows } from '../../db/queries/text-rows.ts'
import type { Seconds, SubscriptionStep } from '../../db/tables.ts'
import { pushTo } from '../../push-to.ts'
import { effectiveEnd, type SourceDetails, wasEndedEarly } from '../access/source-details.ts'
import { HELD_PASSES_SQL, LEAPS_SQL } from '../passes/records.ts'
import { type UserName, uidByName } from '../users/user-name.ts'

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

/** Adds the columns of a record's sources to rows of `aid`, `id` and `opened` that are called `f`. */
const addSources = (found: RawBuilder<unknown>, db: Db) =>
  sql<HeldRow>`${found}
    select f.opened, a.id as record_id, a.rid as record_rid, a.ends as record_ends,
      a.revoked as record_revoked, s.*,
      p.amount as paid, p.currency, p.status as payment_status,
      b.status as subscription_status, b.current_period_end, b.trial_ends, b.ended,
      b.canceled, b.next_due, b.next_step
    from found f cross join access a
    left join sources s on s.aid = a.aid and s.access_id = a.id
    left join payments p on p.aid = s.aid and p.id = s.payment_id
    left join subscriptions b on b.aid = s.aid and b.id = s.subscription_id
    where a.aid = f.aid and a.id = f.id
    order by a.rid`.execute(db)

interface HeldRow extends HeldSource {
  opened: string
  record_id: string
  record_rid: string
  record_ends: Seconds
  record_revoked: Seconds | null
}

/**
 * Finds the unrevoked records that open each of these resources to a reader, live or not: those of the resource itself
 * and of passes that open it. Nothing else in this module knows what opens a resource.
 *
 * One statement reads everything, the reader's uid included. With two statements, the first could miss what is granted
 * after it and the second what was revoked before it, and somebody who always had access would be refused.
 */
export async function findHeld(
  db: Db,
  { aid, reader }: { aid: string; reader: UserName },
  rids: readonly string[],
): Promise<ReadonlyMap<string, readonly HeldRecord[]>> {
  const { rows } = await addSources(
    sql`with recursive asked (rid) as (select key from ${textRows(rids)}),
    reader (uid) as (select ${uidByName(aid, reader)}),
    keys (n, aid, uid, rid) as (
      select distinct 0, cast(${aid} as text), r.uid, k.rid from asked k cross join reader r),
    ${sql.raw(LEAPS_SQL)},
    found (aid, id, opened) as (
      select a.aid, a.id, l.rid from ${sql.raw(HELD_PASSES_SQL)}
      union
      select a.aid, a.id, k.rid from keys k cross join access a
      where a.aid = k.aid and a.uid = k.uid and a.rid = k.rid and a.revoked is null)`,
    db,
  )
  const held = new Map<string, HeldRecord[]>()
  for (const { opened, record } of groupByRecord(rows)) pushTo(held, opened, record)
  return held
}

/** Lists a page of a reader's live records, by rid. */
export async function listLive(
  db: Db,
  { aid, uid }: Reader,
  { after, limit }: { after: string; limit: number },
  now: Seconds,
): Promise<HeldRecord[]> {
  const { rows } = await addSources(
    sql`with found (aid, id, opened) as (
      select a.aid, a.id, a.rid from access a
      where a.aid = ${aid} and a.uid = ${uid} and a.revoked is null and a.ends > ${now}
        and a.rid > ${after}
      order by a.rid limit ${limit})`,
    db,
  )
  return groupByRecord(rows).map(({ record }) => record)
}

/** Lists the live records of many readers, by rid, up to a number for each reader. */
export async function listLiveOf(
  db: Db,
  aid: string,
  uids: readonly string[],
  limitEach: number,
  now: Seconds,
): Promise<Map<string, HeldRecord[]>> {
  const held = new Map<string, HeldRecord[]>()
  if (uids.length === 0) return held
  const readers = sql.join(padList(uids))
  const { rows } = await addSources(
    sql`with numbered (aid, id, opened, n) as (
      select a.aid, a.id, a.uid, row_number() over (partition by a.uid order by a.rid) from access a
      where a.aid = ${aid} and a.uid in (${readers}) and a.revoked is null and a.ends > ${now}),
    found (aid, id, opened) as (select aid, id, opened from numbered where n <= ${limitEach})`,
    db,
  )
  for (const { opened: uid, record } of groupByRecord(rows)) {
    const known = held.get(uid)
    if (known) known.push(record)
    else held.set(uid, [record])
  }
  return held
}

/** Finds the revoked record of each resource that gave access last. */
export async function findLastRevoked(
  db: Db,
  { aid, uid }: Reader,
  rids: readonly string[],
): Promise<Map<string, HeldRecord>> {
  const { rows } = await addSources(
    sql`with numbered (aid, id, opened, n) as (
      select a.aid, a.id, a.rid, row_number() over (partition by a.rid
        order by case when a.ends < a.revoked then a.ends else a.revoked end desc, a.id desc)
      from access a
      where a.aid = ${aid} and a.uid = ${uid} and a.rid in (select key from ${textRows(rids)})
        and a.revoked is not null),
    found (aid, id, opened) as (select aid, id, opened from numbered where n = 1)`,
    db,
  )
  return new Map(groupByRecord(rows).map(({ opened, record }) => [opened, record]))
}

function groupByRecord(rows: readonly HeldRow[]): { opened: string; record: HeldRecord }[] {
  const groups = new Map<string, { opened: string; record: HeldRecord }>()
  for (const { opened, record_id: id, record_rid: rid, ...row } of rows) {
    const { record_ends: ends, record_revoked: revoked, ...source } = row
    const key = JSON.stringify([opened, id])
    const group = groups.get(key) ?? { opened, record: { id, rid, ends, revoked, sources: [] } }
    // A record without a source has no columns of one.
    if (source.id !== null) group.record.sources.push(source)
    groups.set(key, group)
  }
  for (const { record } of groups.values()) record.sources.sort(lastToEndFirst)
  return [...groups.values()]
}

/** Sorts sources by their ends, the latest first. If several end together, one that somebody ended comes before one
 * whose time was up, then the newest comes first. Ids settle the rest, because rows come in any order: the same
 * question must get the same answer. */
export const lastToEndFirst = (one: HeldSource, other: HeldSource): number =>
  effectiveEnd(other) - effectiveEnd(one) ||
  Number(wasEndedEarly(other)) - Number(wasEndedEarly(one)) ||
  other.created - one.created ||
  (other.id < one.id ? -1 : 1)
