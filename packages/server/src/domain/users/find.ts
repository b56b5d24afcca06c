import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Cursor, cursorColumns, isAfter } from '../../db/queries/cursor.ts'
import { exceedsLimit, limitEach, startsWith } from '../../db/queries/prefix.ts'
import { listRows, type Window } from '../../db/queries/rows.ts'
import {
  ascendingIndex,
  newestByIdIndex,
  orderBy,
  type SortedFilter,
} from '../../db/queries/sort.ts'
import { titleSql } from './name-order.ts'
import { exceedsPrefixLimit, uidsWithPrefix } from './prefix.ts'
import type { UserRow } from './users.ts'

/** The columns that the list of people can be sorted by. */
export const PEOPLE_COLUMNS = ['name', 'created'] as const

const INDEXES = {
  name: ascendingIndex(titleSql, sql.ref('u.uid')),
  created: newestByIdIndex('u.created', 'u.uid'),
}

export interface PeopleFilter extends SortedFilter<typeof INDEXES> {
  /** A prefix of an email address, a reference, a uid or a name. */
  q?: string | undefined
}

/** Lists a page of the users who are not erased, with their total. `isCut` means that `q` matches
 * more users than are looked at. */
export async function searchUsers(
  db: Db,
  { aid, q, sort = '-created' }: PeopleFilter,
  window: Window,
): Promise<{ rows: UserRow[]; total: number; isCut: boolean }> {
  const which = conditions({ aid, q })
  const counted = await sql<{ total: number }>`
    select count(*) as total from users u where ${which}`.execute(db)
  const total = Number(counted.rows[0]?.total ?? 0)
  const isCut = q !== undefined && (await isTruncated(db, aid, q))
  if (window.offset >= total) return { rows: [], total, isCut }
  const { rows } = await sql<UserRow>`select u.* from users u where ${which}
    order by ${orderBy(sort, INDEXES)} limit ${window.limit} offset ${window.offset}`.execute(db)
  return { rows, total, isCut }
}

/** Lists the users who follow one of the same list, without a total. */
export async function listUsersAfter(
  db: Db,
  filter: PeopleFilter,
  after: Cursor | undefined,
  limit: number,
): Promise<UserRow[]> {
  const { sort = '-created' } = filter
  const start = after ? sql`and ${isAfter(sort, INDEXES, after)}` : sql``
  const cursor = sql.join(cursorColumns(sort, INDEXES))
  const { rows } = await sql<UserRow>`select u.*, ${cursor} from users u
    where ${conditions(filter)} ${start}
    order by ${orderBy(sort, INDEXES)} limit ${limit}`.execute(db)
  return rows
}

function conditions({ aid, q }: PeopleFilter): RawBuilder<unknown> {
  const meant = q === undefined ? sql`` : sql`and u.uid in (${matchingUids(aid, q)})`
  return sql`u.aid = ${aid} and u.erased is null ${meant}`
}

/** Selects by uid, which the other lists match exactly. */
const uidQuery = (aid: string, q: string): RawBuilder<unknown> =>
  sql`select b.uid from users b where b.aid = ${aid} and ${startsWith('b.uid', q)} order by b.uid`

const matchingUids = (aid: string, q: string): RawBuilder<unknown> =>
  sql`${limitEach('uid', [uidQuery(aid, q)])} union select n.uid from ${uidsWithPrefix(aid, q)} as n`

const isTruncated = async (db: Db, aid: string, q: string): Promise<boolean> =>
  (await exceedsPrefixLimit(db, aid, q)) || (await exceedsLimit(db, [uidQuery(aid, q)]))

/** Lists those of the given users that exist, erased ones included. */
export async function listUsers(db: Db, aid: string, uids: readonly string[]): Promise<UserRow[]> {
  return await listRows(db, 'users', { aid, uid: [...new Set(uids)] })
}
