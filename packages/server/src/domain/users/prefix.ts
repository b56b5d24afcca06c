import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { exceedsLimit, limitEach, startsWith } from '../../db/prefix.ts'
import { listRows } from '../../db/rows.ts'
import { emailKey } from './email.ts'

const prefixQueries = (aid: string, start: string): RawBuilder<unknown>[] => [
  sql`select b.uid from users b where b.aid = ${aid} and ${startsWith('b.email_key', emailKey(start))}
    order by b.email_key`,
  sql`select r.uid from user_refs r where r.aid = ${aid} and ${startsWith('r.ref', start)}
    order by r.ref`,
]

/** Selects the uids of users whose email address or reference starts with a text, up to a limit for each. */
export const uidsWithPrefix = (aid: string, start: string): RawBuilder<string> =>
  sql`(${limitEach('uid', prefixQueries(aid, start))})`

/** Whether `uidsWithPrefix` reaches its limit and leaves users out. */
export const exceedsPrefixLimit = async (db: Db, aid: string, start: string | undefined) =>
  start !== undefined && (await exceedsLimit(db, prefixQueries(aid, start)))

/** Returns email addresses by uid. Users with no address, or only a contact address, are left out. */
export async function findEmailsByUid(
  db: Db,
  aid: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await listRows(db, 'users', { aid, uid: [...new Set(uids)] })
  return new Map(rows.flatMap(({ uid, email }) => (email === null ? [] : [[uid, email]])))
}
