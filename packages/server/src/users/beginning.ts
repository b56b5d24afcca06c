import type { Db } from '../db/database.ts'
import { emailKey } from './email.ts'

/** Comes after every other character, in the order of bytes. */
const LAST = '\u{10FFFF}'

/** The uids of those whose e-mail address or reference begins with a text. */
export function selectUidsBeginning(db: Db, aid: string, start: string) {
  const key = emailKey(start)
  return db
    .selectFrom('users')
    .select('uid')
    .where('aid', '=', aid)
    .where('email_key', '>=', key)
    .where('email_key', '<', key + LAST)
    .union(
      db
        .selectFrom('user_refs')
        .select('uid')
        .where('aid', '=', aid)
        .where('ref', '>=', start)
        .where('ref', '<', start + LAST),
    )
}

/** Where people are reached, by uid; whoever has no proven address is not among them. */
export async function findEmails(
  db: Db,
  aid: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['uid', 'email'])
    .where('aid', '=', aid)
    .where('uid', 'in', [...new Set(uids)])
    .where('email', 'is not', null)
    .$narrowType<{ email: string }>()
    .execute()
  return new Map(rows.map(({ uid, email }) => [uid, email]))
}
