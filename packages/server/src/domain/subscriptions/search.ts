import { type AliasedExpression, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Cursor, cursorColumns, isAfter } from '../../db/queries/cursor.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { countRows, type Window } from '../../db/queries/rows.ts'
import { ascendingIndex, newestIndex, orderBy, type SortedFilter } from '../../db/queries/sort.ts'
import type { Seconds, SubscriptionStatus } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { isByName, nameIndex } from '../users/name-order.ts'
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

/** The columns that a list of subscriptions can be sorted by. Amounts are compared within a currency; `ends` is the end
 * of the period that is paid for. */
export const SUBSCRIPTION_COLUMNS = ['created', 'ends', 'amount', 'name'] as const

const INDEXES = {
  created: newestIndex('s.created', 's.id'),
  ends: ascendingIndex(sql.ref('s.current_period_end'), sql.ref('s.id')),
  amount: ascendingIndex(sql.ref('s.currency'), sql.ref('s.amount'), sql.ref('s.id')),
  name: nameIndex('s'),
}

export interface SubscriptionFilter extends SortedFilter<typeof INDEXES> {
  rid?: string | undefined
  userRef?: string | undefined
  status?: SubscriptionStatus | undefined
  uid?: string | undefined
  /** A subscription's id, a uid, or a prefix of an email address, a reference or a name. */
  text?: string | undefined
  /** Only subscriptions with this movement in a span of time. */
  moved?: (MovementSpan & { movement: Movement }) | undefined
}

/** Selects the subscriptions that match a filter. It does not join the users, because the
 * count does not need them; the query of the page adds their email addresses and references. */
function selectMatching(
  db: Db,
  filter: SubscriptionFilter,
  from = sql<SubscriptionRow>`subscriptions`,
) {
  const { aid, rid, userRef, status, uid, text, moved } = filter
  let query = db.selectFrom(from.as('s')).where('s.aid', '=', aid)
  if (moved !== undefined) query = query.where(movementCondition(moved.movement, moved))
  if (rid !== undefined) query = query.where('s.rid', '=', rid)
  if (userRef !== undefined) query = query.where('s.uid', '=', uidByRef(aid, userRef))
  if (status !== undefined) query = query.where('s.status', '=', status)
  if (uid !== undefined) query = query.where('s.uid', '=', uid)
  if (text === undefined) return query
  return query.where((eb) =>
    eb.or([
      eb('s.id', '=', text),
      eb('s.uid', '=', text),
      eb('s.uid', 'in', uidsWithPrefix(aid, text)),
    ]),
  )
}

/** Adds the people `u` if they decide the order. `cross join` keeps SQLite from beginning with the subscriptions. */
function selectInOrder(db: Db, filter: SubscriptionFilter, sort: string) {
  const from = isByName(sort)
    ? sql<SubscriptionRow>`users u cross join subscriptions`
    : sql<SubscriptionRow>`subscriptions`
  const matching = selectMatching(db, filter, from)
  return isByName(sort)
    ? matching.where(sql<boolean>`u.aid = ${filter.aid} and u.uid = s.uid`)
    : matching
}

/** Lists a page of the subscriptions, ended ones included, with their total. */
export async function searchSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  window: Window,
): Promise<{ rows: SubscriptionWithUser[]; total: number }> {
  const { sort = '-created' } = filter
  const total = await countRows(selectMatching(db, filter))
  if (window.offset >= total) return { rows: [], total }
  const order = orderBy(sort, INDEXES)
  const page = selectInOrder(db, filter, sort)
    .select('s.id')
    .orderBy(order)
    .limit(window.limit)
    .offset(window.offset)
  return { rows: await selectPage(db, filter.aid, page).orderBy(order).execute(), total }
}

/** Lists the subscriptions that follow one of the same list, without a total. */
export async function listSubscriptionsAfter(
  db: Db,
  filter: SubscriptionFilter,
  after: Cursor | undefined,
  limit: number,
): Promise<SubscriptionWithUser[]> {
  const { aid, sort = '-created' } = filter
  const all = selectInOrder(db, filter, sort)
  const matching = after ? all.where(isAfter(sort, INDEXES, after)) : all
  const order = orderBy(sort, INDEXES)
  const page = matching.select('s.id').orderBy(order).limit(limit)
  const rows = selectPage(db, aid, page).select(cursorColumns(sort, INDEXES))
  return await rows.orderBy(order).execute()
}

const selectIds = (matching: ReturnType<typeof selectMatching>) => matching.select('s.id')

function selectPage(db: Db, aid: string, page: ReturnType<typeof selectIds>) {
  // A cross join, because SQLite keeps its order: an ordinary join could read all subscriptions of the application.
  const found = db
    .selectFrom(page.as('found'))
    .crossJoin('subscriptions as b')
    .selectAll('b')
    .where('b.aid', '=', aid)
    .whereRef('b.id', '=', 'found.id')
  return addUsers(db, found.as('s'))
}

/** Lists subscriptions by their ids. Unknown ids are left out. */
export async function listSubscriptionsByIds(
  db: Db,
  aid: string,
  ids: readonly string[],
): Promise<SubscriptionWithUser[]> {
  if (ids.length === 0) return []
  const found = db
    .selectFrom('subscriptions')
    .selectAll()
    .where('aid', '=', aid)
    .where('id', 'in', padList(ids))
  return await addUsers(db, found.as('s')).execute()
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
  return await addUsers(db, found.as('s')).executeTakeFirstOrThrow(() =>
    fail('subscription_not_found'),
  )
}
