import type { AliasedExpression } from 'kysely'
import type { Db } from '../../db/database.ts'
import { countRows, type PageStart, type Window } from '../../db/rows.ts'
import type { Seconds, SubscriptionStatus } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { uidsWithPrefix } from '../users/prefix.ts'
import { uidByRef } from '../users/user-ref.ts'
import { type Movement, type MovementSpan, movementCondition } from './movements.ts'
import type { SubscriptionRow } from './subscriptions.ts'

/** A subscription with the joined columns that its views need. */
export interface SubscriptionWithUser extends SubscriptionRow {
  /** Null for an erased user, and for a reader who is known only by a reference. */
  email: string | null
  /** The reference on its access record. */
  user_ref: string | null
  /** The end of its access record. */
  access_ends: Seconds
}

/** Adds the columns of the users and the access records. */
function addUsers(db: Db, rows: AliasedExpression<SubscriptionRow, 's'>) {
  return db
    .selectFrom(rows)
    .innerJoin('users as u', (join) =>
      join.onRef('u.aid', '=', 's.aid').onRef('u.uid', '=', 's.uid'),
    )
    .innerJoin('access as a', (join) =>
      join.onRef('a.aid', '=', 's.aid').onRef('a.id', '=', 's.access_id'),
    )
    .selectAll('s')
    .select(['u.email', 'a.user_ref', 'a.ends as access_ends'])
}

export interface SubscriptionFilter {
  aid: string
  rid?: string | undefined
  userRef?: string | undefined
  status?: SubscriptionStatus | undefined
  uid?: string | undefined
  /** A subscription's id, a uid, or a prefix of an email address, a reference or a name. */
  text?: string | undefined
  /** Only those of a movement, in a span of time. */
  moved?: (MovementSpan & { movement: Movement }) | undefined
}

/** Selects the subscriptions that match a filter. It does not join the users, because the
 * count does not need them; the query of the page adds their email addresses and references. */
function selectMatching(db: Db, filter: SubscriptionFilter) {
  const { aid, rid, userRef, status, uid, text, moved } = filter
  let query = db.selectFrom('subscriptions as s').where('aid', '=', aid)
  if (moved !== undefined) query = query.where(movementCondition(moved.movement, moved))
  if (rid !== undefined) query = query.where('rid', '=', rid)
  if (userRef !== undefined) query = query.where('uid', '=', uidByRef(aid, userRef))
  if (status !== undefined) query = query.where('status', '=', status)
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (text === undefined) return query
  return query.where((eb) =>
    eb.or([eb('id', '=', text), eb('uid', '=', text), eb('uid', 'in', uidsWithPrefix(aid, text))]),
  )
}

/** Lists a page of the subscriptions, ended ones included, newest first, with their total. */
export async function searchSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  window: Window,
): Promise<{ rows: SubscriptionWithUser[]; total: number }> {
  const matching = selectMatching(db, filter)
  const total = await countRows(matching)
  if (window.offset >= total) return { rows: [], total }
  const page = newestFirst(matching).limit(window.limit).offset(window.offset)
  return { rows: await rowsOfPage(db, filter.aid, page), total }
}

/** Lists the subscriptions that follow one of the same list, without a total. */
export async function listSubscriptionsAfter(
  db: Db,
  filter: SubscriptionFilter,
  after: PageStart | undefined,
  limit: number,
): Promise<SubscriptionWithUser[]> {
  let matching = selectMatching(db, filter)
  if (after) {
    const { at, id } = after
    matching = matching
      .where('created', '<=', at)
      .where((eb) => eb.or([eb('created', '<', at), eb('id', '>', id)]))
  }
  return await rowsOfPage(db, filter.aid, newestFirst(matching).limit(limit))
}

const newestFirst = (matching: ReturnType<typeof selectMatching>) =>
  matching.select('id').orderBy('created', 'desc').orderBy('id')

async function rowsOfPage(
  db: Db,
  aid: string,
  page: ReturnType<typeof newestFirst>,
): Promise<SubscriptionWithUser[]> {
  // A cross join, because SQLite keeps its order: an ordinary join could read all subscriptions of the application.
  const found = db
    .selectFrom(page.as('found'))
    .crossJoin('subscriptions as b')
    .selectAll('b')
    .where('b.aid', '=', aid)
    .whereRef('b.id', '=', 'found.id')
  return await addUsers(db, found.as('s')).orderBy('s.created', 'desc').orderBy('s.id').execute()
}

export async function getSubscriptionWithUser(
  db: Db,
  aid: string,
  id: string,
): Promise<SubscriptionWithUser> {
  const found = db
    .selectFrom('subscriptions')
    .selectAll()
    .where((eb) => eb.and({ aid, id }))
  const row = await addUsers(db, found.as('s')).executeTakeFirst()
  if (!row) throw fail('subscription_not_found')
  return row
}
