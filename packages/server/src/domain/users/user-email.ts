import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { findRow, listRows, lockRows } from '../../db/queries/rows.ts'
import { emailKey } from './email.ts'
import { lockUsers, type UserRow } from './users.ts'

/**
 * SQL for the uid of the user whom an email address names, or null: the user who has the address comes first, then the
 * user whose former address it is.
 *
 * Only the functions below that look up many addresses repeat this rule.
 */
export function uidByEmail(aid: string, email: string): RawBuilder<string | null> {
  const key = emailKey(email)
  return sql`coalesce(
    (select n.uid from users n where n.aid = ${aid} and n.email_key = ${key}),
    (select f.uid from former_addresses f where f.aid = ${aid} and f.email_key = ${key}))`
}

/** Finds the user whom an email address names. */
export async function findUserByEmail(
  db: Db,
  aid: string,
  email: string,
): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where('uid', '=', uidByEmail(aid, email))
    .where('erased', 'is', null)
    .executeTakeFirst()
}

/** Finds the uids of the users whom email addresses name, by `emailKey`. */
export async function findUidsByEmail(
  db: Db,
  aid: string,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const keys = [...new Set(emails.map(emailKey))]
  const users = await listRows(db, 'users', { aid, email_key: keys })
  const former = await listFormerOwners(db, aid, keys)
  // Current addresses come last, so that they win over former ones.
  return new Map([...former, ...users].map(({ email_key, uid }) => [email_key as string, uid]))
}

/** Finds the user who has the address now. */
export const findUserByCurrentEmail = (db: Db, aid: string, email: string) =>
  findRow(db, 'users', { aid, email_key: emailKey(email) })

/** Finds and locks the user whom an email address names. */
export async function lockUserByEmail(
  trx: Trx,
  aid: string,
  email: string,
): Promise<UserRow | undefined> {
  for (;;) {
    const found = await findUserByEmail(trx, aid, email)
    if (!found) return undefined
    const [user] = await lockUsers(trx, aid, [found.uid])
    if (user) return user
    // A merge or an erasure has taken the user away while we waited for the lock.
  }
}

/** Locks the users whom email addresses name, and returns them by `emailKey`. The order is fixed, so that a concurrent
 * rename, merge or grant of the same user waits for this one, or the other way round, and neither decides on outdated
 * rows. A second query is made for the addresses that no user has. */
export async function lockUsersByEmail(
  trx: Trx,
  aid: string,
  emails: readonly string[],
): Promise<Map<string, UserRow>> {
  const keys = [...new Set(emails.map(emailKey))]
  const users = await lockRows(trx, 'users', { aid, email_key: keys }, 'uid')
  const byKey = new Map(users.map((user) => [user.email_key as string, user]))
  const others = keys.filter((key) => !byKey.has(key))
  for (const [key, user] of await lockFormerOwners(trx, aid, others)) byKey.set(key, user)
  return byKey
}

/** Locks the users who are left after merges, by the `emailKey` of their former addresses. Other users are locked by then:
 * a deadlock with another batch is possible, and is retried like any other. */
async function lockFormerOwners(
  trx: Trx,
  aid: string,
  keys: readonly string[],
): Promise<Map<string, UserRow>> {
  const byKey = new Map<string, UserRow>()
  for (;;) {
    const missing = keys.filter((key) => !byKey.has(key))
    const former = await listFormerOwners(trx, aid, missing)
    if (former.length === 0) return byKey
    const uids = [...new Set(former.map(({ uid }) => uid))]
    const users = await lockRows(trx, 'users', { aid, uid: uids, erased: null }, 'uid')
    const byUid = new Map(users.map((user) => [user.uid, user]))
    for (const { email_key, uid } of former) {
      const user = byUid.get(uid)
      if (user) byKey.set(email_key, user)
    }
    // A user who was merged or erased while we waited for the lock is not returned: we look again.
    if (former.every(({ uid }) => byUid.has(uid))) return byKey
  }
}

async function listFormerOwners(
  db: Db,
  aid: string,
  keys: readonly string[],
): Promise<{ email_key: string; uid: string }[]> {
  if (keys.length === 0) return []
  return await db
    .selectFrom('former_addresses as f')
    .innerJoin('users as u', (join) =>
      join.onRef('u.aid', '=', 'f.aid').onRef('u.uid', '=', 'f.uid'),
    )
    .select(['f.email_key', 'f.uid'])
    .where('f.aid', '=', aid)
    .where('f.email_key', 'in', padList(keys))
    .where('u.erased', 'is', null)
    .execute()
}
