import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { countRows, type Window } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { uidByEmail } from '../users/user-email.ts'
import { uidByRef } from '../users/user-ref.ts'
import { countAll, countLive } from './counts/totals.ts'
import { type AccessRow, addDetails } from './details.ts'
import { findCursor, type PageCursor, rememberCursor } from './page-cursors.ts'

export interface AccessFilter {
  aid: string
  rid?: string | undefined
  userRef?: string | undefined
  email?: string | undefined
  tag?: string | undefined
  showExpired: boolean
}

export interface AccessPage {
  rows: AccessRow[]
  total: number
}

/** Lists a page of the unrevoked records, newest first, with their total. Deep in the list,
 * consecutive pages continue from the last record of the page before. */
export async function searchAccess(
  db: Db,
  filter: AccessFilter,
  window: Window,
  now: Seconds,
): Promise<AccessPage> {
  const total = await countMatching(db, filter, now)
  const { offset, limit } = window
  const place = findCursor(db, filter, offset)
  // `limit` is capped at the rows that are left: looking for more could walk over many expired records.
  const rows = place
    ? await listAfter(db, filter, place, limit, now)
    : await listFrom(db, filter, { offset, limit: Math.min(limit, total - offset) }, now)
  const last = rows.at(-1)
  if (last && rows.length === limit) rememberCursor(db, filter, offset + limit, last)
  return { rows, total }
}

/** Uses the maintained counts for an application, a resource or a tag. Other filters count rows. */
async function countMatching(db: Db, filter: AccessFilter, now: Seconds): Promise<number> {
  const { aid, rid, tag, showExpired } = filter
  const isKept = !namesPerson(filter) && (rid === undefined || tag === undefined)
  if (isKept) {
    const scope = { aid, rid, tag }
    return showExpired ? await countAll(db, scope) : await countLive(db, scope, now)
  }
  return await countRows(matching(db, filter, now))
}

const namesPerson = ({ userRef, email }: AccessFilter): boolean =>
  userRef !== undefined || email !== undefined

/** Whether to read along the tag's index, which is in page order. A user's few records don't need it. */
const usesTagIndex = (filter: AccessFilter): boolean =>
  filter.tag !== undefined && !namesPerson(filter)

/** Selects the records that match a filter, unordered. */
function matching(db: Db, filter: AccessFilter, now: Seconds) {
  const { aid, rid, userRef, email, tag } = filter
  let query = db.selectFrom('access as a').where('a.aid', '=', aid).where('a.revoked', 'is', null)
  if (!filter.showExpired) query = query.where('a.ends', '>', now)
  if (rid !== undefined) query = query.where('a.rid', '=', rid)
  if (userRef !== undefined) query = query.where('a.uid', '=', uidByRef(aid, userRef))
  if (email !== undefined) query = query.where('a.uid', '=', uidByEmail(aid, email))
  if (tag === undefined) return query
  return query
    .innerJoin('access_tags as t', (join) =>
      join.onRef('t.aid', '=', 'a.aid').onRef('t.access_id', '=', 'a.id'),
    )
    .where((eb) => eb.and({ 't.aid': aid, 't.tag': tag })) as unknown as typeof query
}

/** The columns to sort by, chosen so that an index has that order. */
function orderOf(filter: AccessFilter) {
  const led = usesTagIndex(filter)
  return {
    created: sql.ref<Seconds>(led ? 't.created' : 'a.created'),
    id: sql.ref<string>(led ? 't.access_id' : 'a.id'),
  }
}

/** Selects only ids, so that an index alone can answer. */
function idsOf(db: Db, filter: AccessFilter, limit: number, now: Seconds) {
  const { created, id } = orderOf(filter)
  return matching(db, filter, now)
    .select([id.as('id'), created.as('created')])
    .orderBy(created, 'desc')
    .orderBy(id, 'desc')
    .limit(limit)
}

async function listFrom(
  db: Db,
  filter: AccessFilter,
  { offset, limit }: Window,
  now: Seconds,
): Promise<AccessRow[]> {
  if (limit <= 0) return []
  const ids = idsOf(db, filter, limit, now)
  // The first page skips nothing, so its rows can be selected directly.
  if (offset === 0)
    return await addDetails(db, sql`${ids.clearSelect().selectAll('a')}`, NEWEST_FIRST)
  return await addDetails(db, rowsOf(filter.aid, sql`${ids.offset(offset)}`), NEWEST_FIRST)
}

/** Reads records created in the same second as the last one seen, then older ones: two index ranges, each of
 * which may fill the page alone. */
async function listAfter(
  db: Db,
  filter: AccessFilter,
  after: PageCursor,
  limit: number,
  now: Seconds,
): Promise<AccessRow[]> {
  const { created, id } = orderOf(filter)
  const ids = idsOf(db, filter, limit, now)
  const same = ids.where(sql<boolean>`${created} = ${after.created} and ${id} < ${after.id}`)
  const older = ids.where(sql<boolean>`${created} < ${after.created}`)
  const both = sql`select id, created from (${same}) as same
    union all select id, created from (${older}) as older order by created desc, id desc limit ${limit}`
  return await addDetails(db, rowsOf(filter.aid, both), NEWEST_FIRST)
}

/** Selects the records of a page by id. A cross join, because SQLite keeps its order: an ordinary join could read all
 * records of the application first. */
const rowsOf = (aid: string, ids: RawBuilder<unknown>) =>
  sql`select r.* from (${ids}) as found cross join access r
    where r.aid = ${aid} and r.id = found.id`

const NEWEST_FIRST = sql`a.created desc, a.id desc`
