import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { textRows } from '../../db/queries/text-rows.ts'
import { type Seconds, WHOLE_RID } from '../../db/tables.ts'
import { type Failure, fail } from '../../errors.ts'
import { type AccessKey, type AccessRow, findAccess } from '../access/details.ts'
import { uidByRef } from '../users/user-ref.ts'

/**
 * SQL after `with recursive keys (n, aid, uid, rid) as (…),`: the passes that open the rid of a key and might be held by
 * its reader, in `leaps`, some of them twice. A key without a uid finds nothing.
 *
 * `sizes` are the lengths of prefixes that the application's passes use, found by skipping from one to the next: one
 * lookup if there are no passes. `leaps` goes through the passes that open a rid and through the reader's records, both
 * in the order of the rid, and skips in each to where the other is. So neither a thousand passes that open the same rid
 * nor a reader with ten thousand records are read one by one.
 */
export const LEAPS_SQL = `
  sizes (aid, size) as (
    select k.aid, (select min(e.size) from pass_entries e where e.aid = k.aid)
    from (select distinct aid from keys where uid is not null) k
    union all
    select s.aid, (select min(e.size) from pass_entries e where e.aid = s.aid and e.size > s.size)
    from sizes s where s.size is not null
  ),
  leaps (n, aid, uid, rid, size, value, pass) as (
    select t.n, t.aid, t.uid, t.rid, t.size, t.value, (select min(e.pass) from pass_entries e
      where e.aid = t.aid and e.size = t.size and e.value = t.value
        and e.pass >= (select min(a.rid) from access a
          where a.aid = t.aid and a.uid = t.uid and a.revoked is null))
    from (select k.n, k.aid, k.uid, k.rid, s.size,
        case s.size when ${WHOLE_RID} then k.rid else substr(k.rid, 1, cast(s.size as int)) end as value
      from keys k join sizes s on s.aid = k.aid
      where k.uid is not null and s.size <= length(k.rid)) as t
    union all
    select l.n, l.aid, l.uid, l.rid, l.size, l.value, (select min(e.pass) from pass_entries e
      where e.aid = l.aid and e.size = l.size and e.value = l.value
        and e.pass >= (select min(a.rid) from access a
          where a.aid = l.aid and a.uid = l.uid and a.rid > l.pass and a.revoked is null))
    from leaps l where l.pass is not null
  )`

/**
 * SQL for the unrevoked records `a` of the passes in `leaps`, to be followed by conditions.
 *
 * Two hacks make both engines look each record up by the index. SQLite joins in the order of a `cross join`; on its own
 * it would go through all records. PostgreSQL takes any recursive query to find hundreds of rows per key, and would
 * rather read the whole table: the last two conditions are always true, but it expects few rows to fulfil them.
 */
export const HELD_PASSES_SQL = `leaps l cross join access a
  where a.aid = l.aid and a.uid = l.uid and a.rid = l.pass and a.rid <> l.rid and a.revoked is null
    and l.pass || '' = l.pass and l.uid || '' = l.uid`

/** Joins what is shown of a record to rows of `aid` and `id` that are called `f`. */
const DETAILS_OF_FOUND = sql.raw(`cross join access a cross join users u cross join applications p
    where a.aid = f.aid and a.id = f.id and u.aid = a.aid and u.uid = a.uid and p.aid = a.aid`)

/** A live record of a pass that opens a resource. */
export interface PassRecord {
  /** The rid that was asked for. */
  rid: string
  /** The record of the pass: `access.rid` is the rid of the pass. */
  access: AccessRow
}

interface Reader {
  aid: string
  uid: string
}

/**
 * Lists the live records of a reader's passes that open any of the rids: for each rid the one that ends last first,
 * and of equal ones the pass whose rid comes first. Direct records are not listed.
 */
export async function listPassRecords(
  db: Db,
  { aid, uid }: Reader,
  rids: readonly string[],
  now: Seconds,
): Promise<PassRecord[]> {
  if (rids.length === 0) return []
  const { rows } = await sql<AccessRow & { opened: string }>`
    with recursive asked (rid) as (select key from ${textRows(rids)}),
    keys (n, aid, uid, rid) as (
      select 0, cast(${aid} as text), cast(${uid} as text), rid from asked),
    ${sql.raw(LEAPS_SQL)}
    select a.*, u.email, u.contact_email, p.currency as app_currency, f.opened from (
      select distinct a.aid, a.id, l.rid as opened from ${sql.raw(HELD_PASSES_SQL)}
        and a.ends > ${now}
    ) as f ${DETAILS_OF_FOUND}
    order by a.ends desc, a.rid`.execute(db)
  return rows.map(({ opened, ...access }) => ({ rid: opened, access }))
}

/** A record that opens a resource for a reader. */
export interface OpenAccess {
  access: AccessRow
  /** The rid of the pass that the record is of; undefined for a record of the resource itself. */
  via: string | undefined
}

/**
 * Finds the record by which a reader may see a resource: a live one of the resource itself, otherwise that of the
 * pass that ends last. With `withExpired`, an expired record of the resource itself is found if there is neither.
 */
export async function findOpenAccess(
  db: Db,
  key: AccessKey,
  now: Seconds,
  withExpired = false,
): Promise<OpenAccess | undefined> {
  const direct = await findAccess(db, key, now)
  if (direct) return { access: direct, via: undefined }
  return await findThroughPass(db, key, now, withExpired)
}

/** Returns the failure of an action on a record that a reader doesn't have. If a pass opens the resource, it says so:
 * otherwise somebody who sees that the resource is open would not know what to do. */
export async function accessNotFound(
  db: Db,
  key: AccessKey,
  now: Seconds,
  message?: string,
): Promise<Failure> {
  const via = (await findOpenAccess(db, key, now))?.via
  if (via === undefined) return fail('access_not_found', message)
  return fail(
    'access_not_found',
    `No such access: this user has ${key.rid} through the pass ${via}, and no access of its own. ` +
      `To end that, revoke ${via}.`,
  )
}

/** Looks for everything in one statement: a grant that commits between two statements would be missed by both. */
async function findThroughPass(
  db: Db,
  { aid, rid, userRef }: AccessKey,
  now: Seconds,
  withExpired: boolean,
): Promise<OpenAccess | undefined> {
  const { rows } = await sql<AccessRow & { via: string | null }>`
    with recursive keys (n, aid, uid, rid) as (
      select 0, cast(${aid} as text), ${uidByRef(aid, userRef)}, cast(${rid} as text)),
    ${sql.raw(LEAPS_SQL)}
    select a.*, u.email, u.contact_email, p.currency as app_currency, f.via from (
      select a.aid, a.id, l.pass as via, 1 as place from ${sql.raw(HELD_PASSES_SQL)}
        and a.ends > ${now}
      union all
      select a.aid, a.id, null, case when a.ends > ${now} then 0 else 2 end
      from keys k cross join access a
      where a.aid = k.aid and a.uid = k.uid and a.rid = k.rid and a.revoked is null
        and a.ends > ${withExpired ? -1 : now}
    ) as f ${DETAILS_OF_FOUND}
    order by f.place, a.ends desc, a.rid limit 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { via, ...access } = row
  return { access, via: via ?? undefined }
}

/** The reader of an access record. */
export interface ReaderOfRecord {
  uid: string
  linkNumber: number
  /** Whether the record is live and opens the resource, directly or through a pass. Other records of the same reader don't
   * count: a download link that is bound to one record ends with that record. */
  isOpen: boolean
}

/** Finds the reader of an access record, live or not. */
export async function findReaderOfRecord(
  db: Db,
  { aid, accessId, rid }: { aid: string; accessId: string; rid: string },
  now: Seconds,
): Promise<ReaderOfRecord | undefined> {
  const { rows } = await sql<{ uid: string; link_number: number; is_open: 0 | 1 }>`
    select a.uid, u.link_number,
      case when a.revoked is null and a.ends > ${now}
        and (a.rid = ${rid} or exists (select 1 from pass_entries e
          where e.aid = ${aid} and e.pass = a.rid and ((e.size = ${WHOLE_RID} and e.value = ${rid})
            or (e.size >= 0 and e.value = substr(${rid}, 1, cast(e.size as int)))))) then 1 else 0 end as is_open
    from access a join users u on u.aid = a.aid and u.uid = a.uid
    where a.aid = ${aid} and a.id = ${accessId}`.execute(db)
  const [row] = rows
  return row && { uid: row.uid, linkNumber: row.link_number, isOpen: row.is_open === 1 }
}
