import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { uidByEmail } from './user-email.ts'
import { uidByRef } from './user-ref.ts'

/** How a caller says which user is meant. */
export type UserName = { userRef: string } | { uid: string } | { email: string }

/** SQL for the uid of the user whom a name names, or null. */
export function uidByName(aid: string, name: UserName): RawBuilder<string | null> {
  if ('userRef' in name) return uidByRef(aid, name.userRef)
  return 'uid' in name ? uidByUid(aid, name.uid) : uidByEmail(aid, name.email)
}

/** The uid of a merged user names the one who is left. */
const uidByUid = (aid: string, uid: string): RawBuilder<string | null> =>
  sql`coalesce(
    (select n.uid from users n where n.aid = ${aid} and n.uid = ${uid} and n.erased is null),
    (select r.uid from user_refs r join users g on g.aid = r.aid and g.uid = r.ref
      where r.aid = ${aid} and r.ref = ${uid} and r.alias = 1))`

/** Finds the uid of the user whom a name names. */
export async function findUidByName(
  db: Db,
  aid: string,
  name: UserName,
): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string | null }>`select ${uidByName(aid, name)} as uid`.execute(
    db,
  )
  return rows[0]?.uid ?? undefined
}
