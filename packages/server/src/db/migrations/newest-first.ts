import type { Migration } from '../migrations.ts'
import { addIndexes, buildIndexes, type NewIndex } from './prepared.ts'

const replacing = (name: string, on: NewIndex['on']): NewIndex => ({
  name,
  on,
  isReplacement: true,
})

/** SQLite reads the row unless the index also contains the column of its own condition. */
const unrevoked = (columns: string): NewIndex['on'] => ({
  sqlite: `access (${columns}, ends, revoked) where revoked is null`,
  postgres: `access (${columns}, ends) where revoked is null`,
})

const INDEXES: readonly NewIndex[] = [
  replacing('access_search', unrevoked('aid, created desc, id desc')),
  replacing('access_search_rid', unrevoked('aid, rid, created desc, id desc')),
  replacing('access_by_user', 'access (aid, uid, created desc, id desc)'),
  replacing('access_revoked', 'access (aid, revoked desc, id desc) where revoked is not null'),
  replacing(
    'access_revoked_created',
    'access (aid, created desc, id desc) where revoked is not null',
  ),
  replacing('access_tags_search', 'access_tags (aid, tag, created desc, access_id desc)'),
  replacing('payments_search', 'payments (aid, created desc, id desc)'),
  replacing('payments_search_rid', 'payments (aid, rid, created desc, id desc)'),
  replacing('payments_by_user', 'payments (aid, uid, created desc, id desc)'),
  replacing('payments_flagged', 'payments (aid, created desc, id desc) where flag is not null'),
  replacing(
    'payments_disputed',
    `payments (aid, created desc, id desc) where status in ('disputed', 'lost')`,
  ),
  replacing('subscriptions_search', 'subscriptions (aid, created desc, id desc)'),
  replacing('subscriptions_search_rid', 'subscriptions (aid, rid, created desc, id desc)'),
  replacing('subscriptions_by_user', 'subscriptions (aid, uid, created desc, id desc)'),
  replacing(
    'subscriptions_past_due',
    `subscriptions (aid, created desc, id desc) where status = 'past_due'`,
  ),
]

/** Newest first also within a second: ids grow with time. Older code, which has the ids of a second the other way round,
 * reads these indexes too, and sorts each second. */
export const newestFirst: Migration = {
  name: '0028_newest_first',
  online: buildIndexes(INDEXES),
  statements: addIndexes(INDEXES),
}
