import type { Db } from '../../db/database.ts'
import { startsWith } from '../../db/queries/prefix.ts'
import type { PaymentTable, SubscriptionTable } from '../../db/tables.ts'
import { type AccessRow, selectAccess } from '../access/details.ts'
import type { ResourceRow } from '../resources/resources.ts'
import { searchResources } from '../resources/search.ts'
import { searchUsers } from '../users/find.ts'
import type { UserRow } from '../users/users.ts'

/** The records of all kinds that a search text matches: by prefix, a resource also by part of its name, a payment
 * by the provider's id. */
export interface GlobalSearchMatches {
  people: UserRow[]
  access: AccessRow[]
  resources: ResourceRow[]
  payments: PaymentTable[]
  subscriptions: SubscriptionTable[]
}

/** Minimum prefix of an id. Ids begin with the time, so a few letters could match a whole year. */
const MIN_ID = 6

/** Finds up to `limit` matches of each kind. */
export async function findAnything(
  db: Db,
  aid: string,
  q: string,
  limit: number,
): Promise<GlobalSearchMatches> {
  const window = { offset: 0, limit }
  const isId = q.length >= MIN_ID
  const search = { aid, q, limit }
  const { rows: people } = await searchUsers(db, { aid, q }, window)
  const open = await searchResources(db, { aid, q, archived: false }, window)
  const archived = await searchResources(db, { aid, q, archived: true }, window)
  return {
    people,
    resources: [...open.rows, ...archived.rows].slice(0, limit),
    access: isId ? await findAccess(db, search) : [],
    payments: isId ? await findPayments(db, search) : [],
    subscriptions: isId ? await findSubscriptions(db, search) : [],
  }
}

interface IdSearch {
  aid: string
  q: string
  limit: number
}

async function findAccess(db: Db, { aid, q, limit }: IdSearch): Promise<AccessRow[]> {
  return await selectAccess(db)
    .where('a.aid', '=', aid)
    .where(startsWith('a.id', q))
    .orderBy('a.id')
    .limit(limit)
    .execute()
}

/** Also finds a payment by the provider's id, as shown on bank statements and in Stripe's dashboard. */
async function findPayments(db: Db, { aid, q, limit }: IdSearch): Promise<PaymentTable[]> {
  const all = db.selectFrom('payments').selectAll().where('aid', '=', aid).limit(limit)
  const own = await all.where(startsWith('id', q)).orderBy('id').execute()
  return own.length > 0 ? own : await all.where('provider_ref', '=', q).execute()
}

async function findSubscriptions(
  db: Db,
  { aid, q, limit }: IdSearch,
): Promise<SubscriptionTable[]> {
  const all = db.selectFrom('subscriptions').selectAll().where('aid', '=', aid).limit(limit)
  return await all.where(startsWith('id', q)).orderBy('id').execute()
}
