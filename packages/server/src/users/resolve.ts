import type { Db } from '../db/database.ts'
import { fail, Stop } from '../errors.ts'
import { findUserByEmail, type UserRow } from './users.ts'

/** The ways in which a text can name a user, in the order in which they are tried. */
const READINGS = ['uid', 'user_ref', 'email'] as const
export type Reading = (typeof READINGS)[number]

const SPOKEN: Record<Reading, string> = {
  uid: 'the uid',
  user_ref: 'a reference',
  email: 'the e-mail address',
}

/** The user whom somebody at the command line means, also one who was erased. Where a text can be
 * read as two different people, nobody is guessed. */
export async function resolveUser(
  db: Db,
  aid: string,
  text: string,
  only?: Reading,
): Promise<UserRow> {
  const found: { reading: Reading; user: UserRow }[] = []
  for (const reading of READINGS.filter((one) => (only ?? one) === one)) {
    const user = await finders[reading](db, aid, text)
    if (user) found.push({ reading, user })
  }
  const [first] = found
  if (!first) throw fail('user_not_found', `The application ${aid} has no user ${text}.`)
  if (found.every(({ user }) => user.uid === first.user.uid)) return first.user
  const readings = found.map(({ reading, user }) => `${SPOKEN[reading]} of ${user.uid}`)
  throw new Stop(
    `${text} is ${readings.join(' and ')}: say which one you mean with --uid, --user-ref or --email`,
  )
}

type Finder = (db: Db, aid: string, text: string) => Promise<UserRow | undefined>

const finders: Record<Reading, Finder> = {
  uid: findUser,
  async user_ref(db, aid, text) {
    const named = await db
      .selectFrom('user_refs')
      .select('uid')
      .where('aid', '=', aid)
      .where('ref', '=', text)
      .executeTakeFirst()
    return named ? await findUser(db, aid, named.uid) : undefined
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
