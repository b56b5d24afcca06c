import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { exceedsLimit, limitEach, startsWith } from '../../db/queries/prefix.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { UserTable } from '../../db/tables.ts'
import { emailKey } from './email.ts'

/** Prefix queries by email address, former address, reference and name, each with its own index. */
const prefixQueries = (aid: string, start: string): RawBuilder<unknown>[] => [
  sql`select b.uid from users b where b.aid = ${aid} and ${startsWith('b.email_key', emailKey(start))}
    order by b.email_key`,
  sql`select f.uid from former_addresses f
    where f.aid = ${aid} and ${startsWith('f.email_key', emailKey(start))}
    order by f.email_key`,
  sql`select r.uid from user_refs r where r.aid = ${aid} and ${startsWith('r.ref', start)}
    order by r.ref`,
  ...nameConditions(start).map(
    (isNamed) => sql`select b.uid from users b where b.aid = ${aid} and ${isNamed}`,
  ),
]

/** Matches a name as typed and capitalized, so that `ann` finds Ann. Two words are a first and a last name. */
function nameConditions(text: string): RawBuilder<unknown>[] {
  const by = (column: 'first_name' | 'last_name', name: string, more = sql``) => {
    const it = sql.ref(`b.${column}`)
    return sql`${it} <> '' and ${startsWith(it, name)} ${more} order by ${it}, b.uid`
  }
  const spellings = [...new Set([text, capitalized(text)])]
  const [head = '', ...tail] = text.trim().split(/\s+/)
  const both =
    tail.length === 0
      ? []
      : [[head, tail.join(' ')] as const, [capitalized(head), capitalized(tail.join(' '))] as const]
  return [
    ...spellings.flatMap((name) => [by('first_name', name), by('last_name', name)]),
    ...both.map(([one, other]) => by('last_name', other, sql`and b.first_name = ${one}`)),
  ]
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Selects the uids of users whose email address, former address, reference or name starts with a text, up to a limit for each. */
export const uidsWithPrefix = (aid: string, start: string): RawBuilder<string> =>
  sql`(${limitEach('uid', prefixQueries(aid, start))})`

/** Whether `uidsWithPrefix` reaches its limit and leaves users out. */
export const exceedsPrefixLimit = async (db: Db, aid: string, start: string | undefined) =>
  start !== undefined && (await exceedsLimit(db, prefixQueries(aid, start)))

/** Returns first and last names by uid. Users without a name are left out. */
export const findNamesByUid = (db: Db, aid: string, uids: readonly string[]) =>
  findTextsByUid(db, aid, uids, (user) => `${user.first_name} ${user.last_name}`.trim())

/** Returns email addresses by uid. Users with no address, or only a contact address, are left out. */
export const findEmailsByUid = (db: Db, aid: string, uids: readonly string[]) =>
  findTextsByUid(db, aid, uids, ({ email }) => email ?? '')

/** Returns a text about each user by uid. Users without one are left out. */
export async function findTextsByUid(
  db: Db,
  aid: string,
  uids: readonly string[],
  textOf: (user: UserTable) => string,
): Promise<ReadonlyMap<string, string>> {
  const users = await listRows(db, 'users', { aid, uid: [...new Set(uids)] })
  return new Map(users.map((user) => [user.uid, textOf(user)] as const).filter(([, text]) => text))
}
