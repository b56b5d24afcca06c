import type { Db } from '../../db/database.ts'
import { findRow } from '../../db/queries/rows.ts'
import { fail } from '../../errors.ts'
import { findUserByEmail } from './user-email.ts'
import { findUidByRef } from './user-ref.ts'
import type { UserRow } from './users.ts'

/** How a text can name a user, in the order tried. */
const NAME_KINDS = ['uid', 'user_ref', 'email'] as const
export type NameKind = (typeof NAME_KINDS)[number]

export interface ResolvedUser {
  kind: NameKind
  user: UserRow
}

/** Returns every user a text can name, each once; erased users only if no other matches. The caller decides between
 * several. The uid of a merged user names the user who is left, unless `only` is `uid`. */
export async function resolveUsers(
  db: Db,
  aid: string,
  text: string,
  only?: NameKind,
): Promise<[ResolvedUser, ...ResolvedUser[]]> {
  const found: ResolvedUser[] = []
  for (const reading of NAME_KINDS.filter((one) => (only ?? one) === one)) {
    const user = await finders[reading](db, aid, text)
    if (user && !found.some((one) => one.user.uid === user.uid)) found.push({ kind: reading, user })
  }
  const live = found.filter(({ user }) => user.erased === null)
  const [first, ...others] = live.length > 0 ? live : found
  if (!first) throw fail('user_not_found', `The application ${aid} has no user ${text}.`)
  return [first, ...others]
}

type Finder = (db: Db, aid: string, text: string) => Promise<UserRow | undefined>

const finders: Record<NameKind, Finder> = {
  uid: findUser,
  async user_ref(db, aid, text) {
    const uid = await findUidByRef(db, aid, text)
    return uid === undefined ? undefined : await findUser(db, aid, uid)
  },
  email: findUserByEmail,
}

async function findUser(db: Db, aid: string, uid: string): Promise<UserRow | undefined> {
  return await findRow(db, 'users', { aid, uid })
}
