import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { compileOnce } from '../../db/queries/compile-once.ts'
import { padList } from '../../db/queries/pad-list.ts'
import type { AccessTable, Seconds } from '../../db/tables.ts'
import { uidByRef } from '../users/user-ref.ts'

/** An access record with the joined columns that its views need. */
export interface AccessRow extends AccessTable {
  /** Null for an erased user, and for a reader who is known only by a reference. */
  email: string | null
  contact_email: string | null
  /** The application's currency, for records without a payment. */
  app_currency: string
}

/** SQL that joins the user `u` and the application `p` to rows of access records that are called `a`. */
export const detailsJoinSql = (join: 'join' | 'left join' | 'cross join') => `
  ${join} users u on u.aid = a.aid and u.uid = a.uid
  ${join} applications p on p.aid = a.aid`

/** Adds the email address and the currency to the rows of one page. `order` sorts them again, by columns of `a`. Every row has
 * both; with a left join, SQLite begins with the page. */
export async function addDetails(
  db: Db,
  rows: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<AccessRow[]> {
  const found =
    await sql<AccessRow>`select a.*, u.email, u.contact_email, p.currency as app_currency
    from (${rows}) as a ${sql.raw(detailsJoinSql('left join'))} order by ${order}`.execute(db)
  return found.rows
}

/** Selects the same as a query that can be narrowed. */
export function selectAccess(db: Db) {
  return db
    .selectFrom('access as a')
    .innerJoin('users as u', (join) =>
      join.onRef('u.aid', '=', 'a.aid').onRef('u.uid', '=', 'a.uid'),
    )
    .innerJoin('applications as p', 'p.aid', 'a.aid')
    .selectAll('a')
    .select(['u.email', 'u.contact_email', 'p.currency as app_currency'])
}

export interface AccessKey {
  aid: string
  rid: string
  userRef: string
}

/** Finds the unrevoked record of a user on a resource. Expired records are found only with `withExpired`. */
export async function findAccess(
  db: Db,
  key: AccessKey,
  now: Seconds,
  withExpired = false,
): Promise<AccessRow | undefined> {
  const [found] = withExpired ? await queryUnrevoked(db, key) : await queryLive(db, { ...key, now })
  return found
}

const selectUnrevoked = (db: Db, { aid, rid, userRef }: AccessKey) =>
  selectAccess(db)
    .where((eb) => eb.and({ 'a.aid': aid, 'a.rid': rid }))
    .where('a.revoked', 'is', null)
    .where('a.uid', '=', uidByRef(aid, userRef))

const queryUnrevoked = compileOnce(selectUnrevoked)
const queryLive = compileOnce((db: Db, p: AccessKey & { now: Seconds }) =>
  selectUnrevoked(db, p).where('a.ends', '>', p.now),
)

export async function getAccessById(db: Db, aid: string, id: string): Promise<AccessRow> {
  return await selectAccess(db)
    .where((eb) => eb.and({ 'a.aid': aid, 'a.id': id }))
    .executeTakeFirstOrThrow()
}

/** Finds a live, expired or revoked record. */
export async function findAccessById(
  db: Db,
  aid: string,
  id: string,
): Promise<AccessRow | undefined> {
  return await selectAccess(db).where('a.aid', '=', aid).where('a.id', '=', id).executeTakeFirst()
}

export async function getAccessByIds(
  db: Db,
  aid: string,
  ids: readonly string[],
): Promise<Map<string, AccessRow>> {
  if (ids.length === 0) return new Map()
  const rows = await selectAccess(db)
    .where('a.aid', '=', aid)
    .where('a.id', 'in', padList(ids))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
