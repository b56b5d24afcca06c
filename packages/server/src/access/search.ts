import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { emailKey } from '../users/email.ts'
import { namedUid } from '../users/named.ts'
import type { AccessRow } from './details.ts'
import { findPlace, type Place, rememberPlace } from './places.ts'
import { countAll, countLive } from './totals.ts'

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

interface Window {
  offset: number
  limit: number
}

/**
 * A stretch of the unrevoked records, newest first, ties by id, and the count of all. Far from the
 * first one, whoever reads page after page goes on behind the record that the last page ended with.
 */
export async function searchAccess(
  db: Db,
  filter: AccessFilter,
  window: Window,
  now: Seconds,
): Promise<AccessPage> {
  const total = await countMatching(db, filter, now)
  const { offset, limit } = window
  const place = findPlace(db, filter, offset)
  // No further than to the last one: behind it might be many that have expired.
  const rows = place
    ? await listAfter(db, filter, place, limit, now)
    : await listFrom(db, filter, { offset, limit: Math.min(limit, total - offset) }, now)
  const last = rows.at(-1)
  if (last && rows.length === limit) rememberPlace(db, filter, offset + limit, last)
  return { rows, total }
}

/** Kept counts tell how many an application, a resource or a tag has; few have to be counted else. */
async function countMatching(db: Db, filter: AccessFilter, now: Seconds): Promise<number> {
  const { aid, rid, tag, showExpired } = filter
  const isKept = !namesPerson(filter) && (rid === undefined || tag === undefined)
  if (isKept) {
    const scope = { aid, rid, tag }
    return showExpired ? await countAll(db, scope) : await countLive(db, scope, now)
  }
  const { total } = await matching(db, filter, now)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const namesPerson = ({ userRef, email }: AccessFilter): boolean =>
  userRef !== undefined || email !== undefined

/** One tag leads to its records in their order; a person's records are few, and looked at one by one. */
const isLedByTag = (filter: AccessFilter): boolean =>
  filter.tag !== undefined && !namesPerson(filter)

/** The records that a filter finds, in no order. */
function matching(db: Db, filter: AccessFilter, now: Seconds) {
  const { aid, rid, userRef, email, tag } = filter
  let query = db.selectFrom('access as a').where('a.aid', '=', aid).where('a.revoked', 'is', null)
  if (!filter.showExpired) query = query.where('a.ends', '>', now)
  if (rid !== undefined) query = query.where('a.rid', '=', rid)
  if (userRef !== undefined) query = query.where('a.uid', '=', namedUid(aid, userRef))
  if (email !== undefined) {
    query = query.where((eb) =>
      eb(
        'a.uid',
        '=',
        eb
          .selectFrom('users as e')
          .select('e.uid')
          .where('e.aid', '=', aid)
          .where('e.email_key', '=', emailKey(email)),
      ),
    )
  }
  if (tag === undefined) return query
  return query
    .innerJoin('access_tags as t', (join) =>
      join.onRef('t.aid', '=', 'a.aid').onRef('t.access_id', '=', 'a.id'),
    )
    .where('t.aid', '=', aid)
    .where('t.tag', '=', tag) as unknown as typeof query
}

/** What the order of the answer is read from, so that an index has it. */
function orderOf(filter: AccessFilter) {
  const led = isLedByTag(filter)
  return {
    created: sql.ref<Seconds>(led ? 't.created' : 'a.created'),
    id: sql.ref<string>(led ? 't.access_id' : 'a.id'),
  }
}

/** Only the ids, which indexes alone can tell. */
function idsOf(db: Db, filter: AccessFilter, limit: number, now: Seconds) {
  const { created, id } = orderOf(filter)
  return matching(db, filter, now)
    .select([id.as('id'), created.as('created')])
    .orderBy(created, 'desc')
    .orderBy(id)
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
  // Nothing is skipped on the first page: its rows are taken as they are found.
  if (offset === 0) return await withNames(db, sql`${ids.clearSelect().selectAll('a')}`)
  return await withNames(db, rowsOf(sql`${ids.offset(offset)}`))
}

/** First what was made in the same second as the last one seen, then what was made before it: two
 * stretches of an index, of which either may be all that is needed. */
async function listAfter(
  db: Db,
  filter: AccessFilter,
  after: Place,
  limit: number,
  now: Seconds,
): Promise<AccessRow[]> {
  const { created, id } = orderOf(filter)
  const ids = idsOf(db, filter, limit, now)
  const same = ids.where(sql<boolean>`${created} = ${after.created} and ${id} > ${after.id}`)
  const older = ids.where(sql<boolean>`${created} < ${after.created}`)
  const both = sql`select id, created from (${same}) as same
    union all select id, created from (${older}) as older order by created desc, id limit ${limit}`
  return await withNames(db, rowsOf(both))
}

/** The records of a page whose ids are known. */
const rowsOf = (ids: RawBuilder<unknown>) =>
  sql`select r.* from (${ids}) as found join access r on r.id = found.id`

/** What is shown beside a record is looked up for those of the page alone. */
async function withNames(db: Db, rows: RawBuilder<unknown>): Promise<AccessRow[]> {
  const found = await sql<AccessRow>`
    select page.*, u.email, p.currency as app_currency from (${rows}) as page
    join users u on u.aid = page.aid and u.uid = page.uid
    join applications p on p.aid = page.aid
    order by page.created desc, page.id`.execute(db)
  return found.rows
}
