import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Cursor, cursorColumns, isAfter } from '../../db/queries/cursor.ts'
import { exceedsLimit, limitEach, startsWith } from '../../db/queries/prefix.ts'
import type { Window } from '../../db/queries/rows.ts'
import { ascendingIndex, newestIndex, orderBy, type Sort } from '../../db/queries/sort.ts'
import type { Seconds } from '../../db/tables.ts'
import { isByName, nameIndex } from '../users/name-order.ts'
import { exceedsPrefixLimit, uidsWithPrefix } from '../users/prefix.ts'
import { uidByEmail } from '../users/user-email.ts'
import { uidByRef } from '../users/user-ref.ts'
import { countAll, countLive } from './counts/totals.ts'
import { between, watermarkAt } from './counts/watermark.ts'
import { type AccessRow, addDetails } from './details.ts'
import { isRenewedBySql, willRenewSql } from './renewals.ts'
import { type AccessFilter, type AccessPage, searchAccess } from './search.ts'

/** Live access that ends within this time counts as about to end. */
export const ENDING_SOON_S: Seconds = 7 * 86_400

/** `unrevoked` is live or expired. `ending` is live and about to end; `renewing` would be, if no subscription renewed it. */
type StaffState = 'live' | 'ending' | 'renewing' | 'expired' | 'unrevoked' | 'revoked' | 'any'

/** The columns to sort by. `ends` is the end as the list shows it: the time of the revoke, if there was one. */
export const ACCESS_COLUMNS = ['created', 'ends', 'name'] as const
type AccessSort = Sort<(typeof ACCESS_COLUMNS)[number]>

export interface StaffFilter extends Omit<AccessFilter, 'showExpired'> {
  state: StaffState
  /** By default newest first; `ending` and `renewing` by end, `revoked` by the latest revoke. */
  sort?: AccessSort | undefined
  uid?: string | undefined
  /** A prefix of an email address, a reference, a name, a rid or an id. */
  q?: string | undefined
  /** Bounds on the creation time, or on the time of the revoke for `revoked`: `from` is inclusive, `to` exclusive. */
  from?: Seconds | undefined
  to?: Seconds | undefined
}

interface StaffPage extends AccessPage {
  /** True if `q` matches more rows than are looked at. `rows` and `total` then cover only the first of them. */
  isCut: boolean
}

/** Lists a page of the access records that staff ask for, with their total. */
export async function listAccessForStaff(
  db: Db,
  filter: StaffFilter,
  window: Window,
  now: Seconds,
): Promise<StaffPage> {
  const { state, uid, q, from, to, sort, ...known } = filter
  const isSearch = [uid, q, from, to, sort].every((one) => one === undefined)
  if (isSearch && (state === 'live' || state === 'unrevoked')) {
    const search = { ...known, showExpired: state === 'unrevoked' }
    return { ...(await searchAccess(db, search, window, now)), isCut: false }
  }
  const isCut = q !== undefined && (await isTruncated(db, filter, q))
  const total = await countForStaff(
    db,
    isByName(sort) ? { ...filter, sort: undefined } : filter,
    now,
  )
  if (window.offset >= total) return { rows: [], total, isCut }
  const order = orderOf(filter)
  const page = sql`select a.* from ${selectUpTo(filter, window, now)}
    order by ${order} limit ${window.limit} offset ${window.offset}`
  return { rows: await addDetails(db, page, order), total, isCut }
}

/** Lists the records that follow a row of the same list, in its order, without a total. However long the list is, each page
 * takes as long as the first. */
export async function listAccessAfter(
  db: Db,
  filter: StaffFilter,
  after: Cursor | undefined,
  limit: number,
  now: Seconds,
): Promise<AccessRow[]> {
  const { state, sort = DEFAULT_SORTS[state] } = filter
  const pageOf = (condition: RawBuilder<unknown>, indexes: typeof ANY) => {
    const start = after ? sql`and ${isAfter(sort, indexes, after)}` : sql``
    return sql`select a.*, ${sql.join(cursorColumns(sort, indexes))} from ${candidates(filter)}
      where ${condition} ${start} order by ${orderBy(sort, indexes)} limit ${limit}`
  }
  const order = orderOf(filter)
  if (!isInParts(filter)) {
    return await addDetails(db, pageOf(conditions(filter, now), indexesOf(state)), order)
  }
  const parts = partsOf(filter, now).map(
    (part, i) => sql`select * from (${pageOf(part, [UNREVOKED, REVOKED][i] ?? ANY)}) as part`,
  )
  const page = sql`select a.* from (${sql.join(parts, sql` union all `)}) as a
    order by ${order} limit ${limit}`
  return await addDetails(db, page, order)
}

/** Selects at least the records up to the end of a page. Revoked records have an index of their own, so a list of all
 * records is made of two. */
function selectUpTo(filter: StaffFilter, window: Window, now: Seconds): RawBuilder<unknown> {
  if (!isInParts(filter)) return sql`${candidates(filter)} where ${conditions(filter, now)}`
  const { sort = DEFAULT_SORTS.any } = filter
  const parts = partsOf(filter, now).map(
    (part, i) => sql`select * from (select a.* from ${candidates(filter)} where ${part}
      order by ${orderBy(sort, [UNREVOKED, REVOKED][i] ?? ANY)}
      limit ${window.offset + window.limit}) as part`,
  )
  return sql`(${sql.join(parts, sql` union all `)}) as a`
}

/** Whether unrevoked and revoked records are read along two indexes. By name there is one, that of each person's records. */
const isInParts = ({ state, sort }: StaffFilter): boolean => state === 'any' && !isByName(sort)

/** The conditions of the unrevoked and of the revoked records of a list of all. */
const partsOf = (filter: StaffFilter, now: Seconds): RawBuilder<unknown>[] =>
  [sql`null`, sql`not null`].map((it) => sql`${conditions(filter, now)} and a.revoked is ${it}`)

const DEFAULT_SORTS: Record<StaffState, AccessSort> = {
  ...{ live: '-created', expired: '-created', unrevoked: '-created', any: '-created' },
  ...{ ending: 'ends', renewing: 'ends', revoked: '-ends' },
}

const created = newestIndex('a.created', 'a.id')
const name = nameIndex('a')
const UNREVOKED = { created, name, ends: ascendingIndex(sql.ref('a.ends'), sql.ref('a.id')) }
const REVOKED = { created, name, ends: ascendingIndex(sql.ref('a.revoked'), sql.ref('a.id')) }
/** Merges the two parts of a list of all, each of which is read along its own index. */
const ANY = {
  created,
  name,
  ends: ascendingIndex(sql`coalesce(a.revoked, a.ends)`, sql.ref('a.id')),
}

const indexesOf = (state: StaffState) =>
  state === 'any' ? ANY : state === 'revoked' ? REVOKED : UNREVOKED

const orderOf = ({ state, sort = DEFAULT_SORTS[state] }: StaffFilter): RawBuilder<unknown> =>
  orderBy(sort, indexesOf(state))

/** Uses the maintained counts where they cover the filter, and counts rows otherwise. */
async function countForStaff(db: Db, filter: StaffFilter, now: Seconds): Promise<number> {
  const { aid, rid, tag, state } = filter
  const { userRef, email, uid, q, from, to } = filter
  const others = [userRef, email, uid, q, from, to]
  const isKept =
    others.every((one) => one === undefined) && (rid === undefined || tag === undefined)
  if (isKept && (state === 'expired' || state === 'live' || state === 'unrevoked')) {
    const scope = { aid, rid, tag }
    if (state === 'live') return await countLive(db, scope, now)
    const all = await countAll(db, scope)
    return state === 'unrevoked' ? all : all - (await countLive(db, scope, now))
  }
  const parts = state === 'any' ? partsOf(filter, now) : [conditions(filter, now)]
  let total = 0
  for (const part of parts) {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from ${candidates(filter)} where ${part}`.execute(db)
    total += Number(rows[0]?.total ?? 0)
  }
  return total
}

/** Starts with the matches of the search text. A cross join, because SQLite keeps its order: with a subquery in the
 * conditions it reads all records of the application. */
function candidates({ sort, ...filter }: StaffFilter): RawBuilder<unknown> {
  if (filter.q !== undefined) {
    const found = sql`(${idsWithPrefix(filter, filter.q)}) as found cross join access a`
    return isByName(sort) ? sql`${found} cross join users u` : found
  }
  return isByName(sort) ? sql`users u cross join access a` : sql`access a`
}

function conditions(filter: StaffFilter, now: Seconds): RawBuilder<unknown> {
  const { aid, rid, tag, uid, userRef, email, q, from, to } = filter
  const all = [stateCondition(filter, now)]
  // Redundant, but it lets the database use the index by end.
  if (filter.sort?.endsWith('ends') && filter.state !== 'revoked') all.push(sql`a.ends >= 0`)
  if (isByName(filter.sort)) all.push(sql`u.aid = ${aid} and u.uid = a.uid`)
  if (rid !== undefined) all.push(sql`a.rid = ${rid}`)
  if (uid !== undefined) all.push(sql`a.uid = ${uid}`)
  if (userRef !== undefined) all.push(sql`a.uid = ${uidByRef(aid, userRef)}`)
  if (email !== undefined) all.push(sql`a.uid = ${uidByEmail(aid, email)}`)
  if (tag !== undefined) {
    all.push(sql`a.id in (select t.access_id from access_tags t
      where t.aid = ${aid} and t.tag = ${tag})`)
  }
  if (q !== undefined) all.push(sql`a.id = found.id`)
  const when = sql.ref(filter.state === 'revoked' ? 'a.revoked' : 'a.created')
  if (from !== undefined) all.push(sql`${when} >= ${from}`)
  if (to !== undefined) all.push(sql`${when} < ${to}`)
  return sql.join(all, sql` and `)
}

const endsSoonSql = (aid: string, now: Seconds) =>
  between(aid, watermarkAt(now), watermarkAt(now + ENDING_SOON_S))

function stateCondition({ aid, state }: StaffFilter, now: Seconds): RawBuilder<unknown> {
  const own = sql`a.aid = ${aid}`
  const endsSoon = endsSoonSql(aid, now)
  switch (state) {
    case 'any':
      return own
    case 'revoked':
      return sql`${own} and a.revoked is not null`
    case 'ending':
      return sql`${endsSoon} and not ${willRenewSql}`
    case 'renewing':
      return sql`${endsSoon} and ${willRenewSql}`
    case 'expired':
      return sql`${own} and a.revoked is null and a.ends <= ${now}`
    case 'live':
      return sql`${own} and a.revoked is null and a.ends > ${now}`
    case 'unrevoked':
      return sql`${own} and a.revoked is null`
  }
}

/** Prefix queries by rid and by id, each with its own index. */
function prefixQueries({ aid, state }: StaffFilter, q: string): RawBuilder<unknown>[] {
  const revoked =
    state === 'any' ? ['null', 'not null'] : [state === 'revoked' ? 'not null' : 'null']
  return [
    ...revoked.map(
      (is) => sql`select b.id from access b
      where b.aid = ${aid} and ${startsWith('b.rid', q)} and b.revoked is ${sql.raw(is)}
      order by b.rid, b.created desc, b.id desc`,
    ),
    sql`select b.id from access b where b.aid = ${aid} and ${startsWith('b.id', q)} order by b.id`,
  ]
}

const idsWithPrefix = (filter: StaffFilter, q: string): RawBuilder<unknown> => sql`
  select b.id from ${uidsWithPrefix(filter.aid, q)} as u cross join access b
    where b.aid = ${filter.aid} and b.uid = u.uid
  union ${limitEach('id', prefixQueries(filter, q))}`

const isTruncated = async (db: Db, filter: StaffFilter, q: string): Promise<boolean> =>
  (await exceedsPrefixLimit(db, filter.aid, q)) ||
  (await exceedsLimit(db, prefixQueries(filter, q)))

/** Counts an application's live records that end soon, and those that a subscription renews instead. */
export async function countEnding(
  db: Db,
  aid: string,
  now: Seconds,
): Promise<{ ending: number; renewing: number }> {
  const { rows } = await sql<{ soon: number; renewing: number }>`
    select count(*) as soon, count(s.id) as renewing from access a
    left join subscriptions s on ${isRenewedBySql} where ${endsSoonSql(aid, now)}`.execute(db)
  const { soon, renewing } = rows[0] ?? { soon: 0, renewing: 0 }
  return { ending: Number(soon) - Number(renewing), renewing: Number(renewing) }
}

/** Counts the live records of each user. Users without any are missing from the map. */
export async function countLiveByUser(
  db: Db,
  aid: string,
  uids: readonly string[],
  now: Seconds,
): Promise<ReadonlyMap<string, number>> {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('access')
    .select(['uid', (eb) => eb.fn.countAll<number>().as('count')])
    .where('aid', '=', aid)
    .where('uid', 'in', uids)
    .where('revoked', 'is', null)
    .where('ends', '>', now)
    .groupBy('uid')
    .execute()
  return new Map(rows.map(({ uid, count }) => [uid, Number(count)]))
}
