import type { Db, Trx } from '../../db/database.ts'
import { lockSortKey } from '../../db/postgres/lock-order.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { findRow } from '../../db/queries/rows.ts'
import type { UserTable } from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'

export type UserRow = UserTable

export const findLiveUser = (db: Db, aid: string, uid: string) =>
  findRow(db, 'users', { aid, uid, erased: null })

export async function getUser(db: Db, aid: string, uid: string): Promise<UserRow> {
  return requireFound(await findLiveUser(db, aid, uid), 'user_not_found')
}

/** Locks users in a fixed order for a change. Erased users are left out. */
export async function lockUsers(
  trx: Trx,
  aid: string,
  uids: readonly string[],
): Promise<UserRow[]> {
  return await trx
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where('uid', 'in', padList(uids))
    .where('erased', 'is', null)
    .orderBy(lockSortKey('uid'))
    // Not `for update`: inserting a payment takes a foreign-key lock on its user, which must not wait for us.
    .forNoKeyUpdate()
    .execute()
}

/** Locks one user for a change. An erased user is not found. */
export async function lockUser(
  trx: Trx,
  { aid, uid }: Pick<UserRow, 'aid' | 'uid'>,
): Promise<UserRow> {
  const [user] = await lockUsers(trx, aid, [uid])
  return requireFound(user, 'user_not_found')
}

/** The names of a user besides the uid and the email address. */
export interface UserNames {
  references: string[]
  /** Uids and references of users who were merged into this one. */
  aliases: string[]
}

/** Sorted here: to have them in order, SQLite would read all references of the application. */
export async function listNames(db: Db, aid: string, uid: string): Promise<UserNames> {
  const rows = await db
    .selectFrom('user_refs')
    .select(['ref', 'alias'])
    .where((eb) => eb.and({ aid, uid }))
    .execute()
  const named = (alias: 0 | 1) =>
    rows
      .filter((row) => row.alias === alias)
      .map(({ ref }) => ref)
      .sort()
  return { references: named(0), aliases: named(1) }
}
