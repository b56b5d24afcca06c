import type { Db } from '../db/database.ts'
import { fail } from '../errors.ts'
import { findUidByRef } from './named.ts'
import { findUserByEmail, type UserRow } from './users.ts'

/** The ways in which a text can name a user, in the order in which they are tried. */
const READINGS = ['uid', 'user_ref', 'email'] as const
export type Reading = (typeof READINGS)[number]

export interface Named {
  reading: Reading
  user: UserRow
}

/** Everybody whom a text can mean, also one who was erased; somebody it can mean in several ways is
 * there once. Which of two different people is meant is not for us to guess. But the uid of a user who was
 * merged away means the user who is left, unless it is asked for as a uid. */
export async function resolveUsers(
  db: Db,
  aid: string,
  text: string,
  only?: Reading,
): Promise<[Named, ...Named[]]> {
  const found: Named[] = []
  for (const reading of READINGS.filter((one) => (only ?? one) === one)) {
    const user = await finders[reading](db, aid, text)
    if (user && !found.some((one) => one.user.uid === user.uid)) found.push({ reading, user })
  }
  const live = found.filter(({ user }) => user.erased === null)
  const [first, ...others] = live.length > 0 ? live : found
  if (!first) throw fail('user_not_found', `The application ${aid} has no user ${text}.`)
  return [first, ...others]
}

type Finder = (db: Db, aid: string, text: string) => Promise<UserRow | undefined>

const finders: Record<Reading, Finder> = {
  uid: findUser,
  async user_ref(db, aid, text) {
    const uid = await findUidByRef(db, aid, text)
    return uid === undefined ? undefined : await findUser(db, aid, uid)
  },
  email: findUserByEmail,
}

async function findUser(db: Db, aid: string, uid: string): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .executeTakeFirst()
}
