import type { Db } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { emailKey } from '../users/email.ts'
import { type AccessRow, selectAccess, uidOfRef } from './details.ts'

export interface AccessFilter {
  aid: string
  rid?: string | undefined
  userRef?: string | undefined
  email?: string | undefined
  tag?: string | undefined
  showExpired: boolean
}

function matching(db: Db, filter: AccessFilter, now: Seconds) {
  const { aid } = filter
  let query = selectAccess(db).where('a.aid', '=', aid).where('a.revoked', 'is', null)
  if (!filter.showExpired) query = query.where('a.ends', '>', now)
  const { rid, userRef, email, tag } = filter
  if (rid !== undefined) query = query.where('a.rid', '=', rid)
  if (userRef !== undefined) {
    query = query.where((eb) => eb('a.uid', '=', uidOfRef(eb as never, aid, userRef)))
  }
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
  if (tag !== undefined) {
    query = query.where((eb) =>
      eb(
        'a.id',
        'in',
        eb
          .selectFrom('access_tags as t')
          .select('t.access_id')
          .where('t.aid', '=', aid)
          .where('t.tag', '=', tag),
      ),
    )
  }
  return query
}

export interface AccessPage {
  rows: AccessRow[]
  total: number
}

/** A stretch of the unrevoked records, newest first, ties by id, and the count of all. */
export async function searchAccess(
  db: Db,
  filter: AccessFilter,
  window: { offset: number; limit: number },
  now: Seconds,
): Promise<AccessPage> {
  const query = matching(db, filter, now)
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  if (window.offset >= total) return { rows: [], total }
  const rows = await query
    .orderBy('a.created', 'desc')
    .orderBy('a.id')
    .limit(window.limit)
    .offset(window.offset)
    .execute()
  return { rows, total }
}
