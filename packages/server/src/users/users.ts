import type { Db, Trx } from '../db/database.ts'
import { lockOrder } from '../db/lock-order.ts'
import type { UserTable } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { emailKey } from './email.ts'

export type UserRow = UserTable

/** The user whom a `user_ref` names: by a reference, or by the uid of one who has no reference. */
export async function findUidByRef(db: Db, aid: string, ref: string): Promise<string | undefined> {
  return await uidByRef(db, aid, ref, false)
}

/** The same for a change that follows: until it is done, no merge makes the reference name another
 * user, so that a revoke can't miss an access that is just moving. */
export async function lockUidByRef(
  trx: Trx,
  aid: string,
  ref: string,
): Promise<string | undefined> {
  return await uidByRef(trx, aid, ref, true)
}

async function uidByRef(
  db: Db,
  aid: string,
  ref: string,
  lock: boolean,
): Promise<string | undefined> {
  const named = await db
    .selectFrom('user_refs')
    .select('uid')
    .where('aid', '=', aid)
    .where('ref', '=', ref)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (named) return named.uid
  const own = await db
    .selectFrom('users as u')
    .select('u.uid')
    .where('u.aid', '=', aid)
    .where('u.uid', '=', ref)
    // A leaked uid must not become a way in for somebody who signs in by reference.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user_refs as r')
            .select('r.ref')
            .whereRef('r.aid', '=', 'u.aid')
            .whereRef('r.uid', '=', 'u.uid'),
        ),
      ),
    )
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  return own?.uid
}

export async function findUserByEmail(
  db: Db,
  aid: string,
  email: string,
): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
}

/** A person who was erased is no longer there. */
export async function findLiveUser(db: Db, aid: string, uid: string): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .where('erased', 'is', null)
    .executeTakeFirst()
}

export async function getUser(db: Db, aid: string, uid: string): Promise<UserRow> {
  const row = await findLiveUser(db, aid, uid)
  if (!row) throw fail('user_not_found')
  return row
}

/** The rows of people who are about to change, locked in one order; erased ones are not there. */
export async function lockUsers(
  trx: Trx,
  aid: string,
  uids: readonly string[],
): Promise<UserRow[]> {
  return await trx
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where('uid', 'in', uids)
    .where('erased', 'is', null)
    .orderBy(lockOrder('uid'))
    .forUpdate()
    .execute()
}

export async function listRefs(db: Db, aid: string, uid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('user_refs')
    .select('ref')
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .orderBy('ref')
    .execute()
  return rows.map((row) => row.ref)
}
