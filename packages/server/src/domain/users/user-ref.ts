import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import { lockUsers, type UserRow } from './users.ts'

/**
 * SQL for the uid of the user whom a `user_ref` names, or null: a reference, an alias or the user's own uid. Answers show
 * the uid in place of a reference, so it works permanently, whatever references the user gets later. The uid of an erased
 * user names nobody, and that of a merged user is an alias. No reference equals a uid, so at most one user is named.
 *
 * This is the only place that knows the rule. `aid` and `ref` are SQL expressions.
 */
export const uidByRefSql = (aid: string, ref: string): string => `coalesce(
  (select r.uid from user_refs r where r.aid = ${aid} and r.ref = ${ref}),
  (select n.uid from users n where n.aid = ${aid} and n.uid = ${ref} and n.erased is null))`

/** The same for use in a Kysely query. */
export const uidByRef = (aid: string, ref: string): RawBuilder<string | null> =>
  sql`(select ${sql.raw(uidByRefSql('k.aid', 'k.ref'))}
    from (select cast(${aid} as text) as aid, cast(${ref} as text) as ref) as k)`

/** Finds the uid of the user whom a `user_ref` names. */
export async function findUidByRef(db: Db, aid: string, ref: string): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string | null }>`select ${uidByRef(aid, ref)} as uid`.execute(
    db,
  )
  return rows[0]?.uid ?? undefined
}

/** Finds and locks the user whom a `user_ref` names. Merges and erasures lock the user first too, so the reference
 * keeps naming this user until the transaction ends. */
export async function lockUserByRef(
  trx: Trx,
  aid: string,
  ref: string,
): Promise<UserRow | undefined> {
  let uid = await findUidByRef(trx, aid, ref)
  while (uid !== undefined) {
    const [user] = await lockUsers(trx, aid, [uid])
    // A merge may have moved the reference to another user while we waited for the lock.
    const named = await findUidByRef(trx, aid, ref)
    if (named === uid) return user
    uid = named
  }
  return undefined
}

/** Like `lockUserByRef`, but returns only the uid. */
export const lockUidByRef = async (trx: Trx, aid: string, ref: string) =>
  (await lockUserByRef(trx, aid, ref))?.uid

/** Refuses a text that can't become a reference because it is a user's uid. */
export async function requireNoUid(db: Db, aid: string, ref: string): Promise<void> {
  const [user] = await db
    .selectFrom('users')
    .select('erased')
    .where((eb) => eb.and({ aid, uid: ref }))
    .execute()
  if (user) throw fail(user.erased === null ? 'user_ref_is_uid' : 'user_ref_erased')
}

/** Whether a text is the uid of a user who was erased, or merged into a user who was erased later. It names nobody,
 * permanently, and can't become a reference. */
export async function isErasedUid(db: Db, aid: string, ref: string): Promise<boolean> {
  const { rows } = await sql`select 1 from users u
    where u.aid = ${aid} and u.uid = ${ref} and u.erased is not null
      and not exists (select 1 from user_refs r where r.aid = u.aid and r.ref = u.uid)`.execute(db)
  return rows.length > 0
}
