import type { Db } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import type { Seconds } from '../../db/tables.ts'
import { entitlementRecord } from '../../records/decision.ts'
import { type UserRecord, userRecord } from '../../records/user.ts'
import { type Entitlements, listEntitlementsOf } from '../decision/list.ts'
import type { NewReader } from '../history/history.ts'
import { heldByNewReader, type NewReaders } from './new-readers.ts'

/** The names of a reader, as events carry them. */
export interface ReaderNames extends UserRecord {
  references: string[]
  aliases: string[]
}

/** Maximum entitlements in one event. An event with fewer than the reader has says so, and where to read them all. */
const MAX_ENTITLEMENTS = 100

/** The API path where a site reads all entitlements of a reader. */
const LIST_PATH = '/r2/access/list'

/** Finds the names of readers by uid, with one statement. */
export async function findReaderNames(
  db: Db,
  aid: string,
  uids: readonly string[],
  newReaders: NewReaders,
): Promise<Map<string, ReaderNames>> {
  const others = uids.filter((uid) => !newReaders.has(uid))
  const readers = new Map([...newReaders].map(([uid, one]) => [uid, namesOf(one)]))
  if (others.length === 0) return readers
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('user_refs as r', (join) =>
      join.onRef('r.aid', '=', 'u.aid').onRef('r.uid', '=', 'u.uid'),
    )
    .select(['u.uid', 'u.email', 'u.first_name', 'u.last_name', 'u.contact_email'])
    .select(['r.ref', 'r.alias'])
    .where('u.aid', '=', aid)
    .where('u.uid', 'in', padList(others))
    .orderBy('r.ref')
    .execute()
  for (const { ref, alias, ...user } of rows) {
    const reader = readers.get(user.uid) ?? { ...userRecord(user), references: [], aliases: [] }
    readers.set(user.uid, reader)
    if (ref !== null) reader[alias === 1 ? 'aliases' : 'references'].push(ref)
  }
  return readers
}

function namesOf({ user, references }: NewReader): ReaderNames {
  const refs = (alias: 0 | 1) =>
    references.filter((one) => one.alias === alias).map(({ ref }) => ref)
  return {
    ...userRecord(user),
    ...{ references: refs(0).sort(), aliases: refs(1).sort() },
  }
}

/** Everything that a reader has access to, as `user.access_changed` carries it. */
export interface ReaderState {
  data: object
  shorten: (bytes: number) => object
}

/** Reads what readers have access to, with a number of statements that doesn't depend on how many they are. */
export async function readStates(
  db: Db,
  aid: string,
  uids: readonly string[],
  names: ReadonlyMap<string, ReaderNames>,
  newReaders: NewReaders,
  now: Seconds,
): Promise<Map<string, ReaderState>> {
  if (uids.length === 0) return new Map()
  const known = new Map([...newReaders].map(([uid, one]) => [uid, [heldByNewReader(one)]]))
  const found = await listEntitlementsOf(db, aid, uids, known, MAX_ENTITLEMENTS, now)
  return new Map(
    [...found].map(([uid, entitlements]) => [uid, toState(uid, names.get(uid), entitlements)]),
  )
}

function toState(
  uid: string,
  names: ReaderNames | undefined,
  { entitlements, next }: Entitlements,
): ReaderState {
  const { email: user_email = '', references = [], aliases = [] } = names ?? {}
  const all = entitlements.map(entitlementRecord)
  const upTo = (count: number) => {
    const more = count < all.length || next !== undefined
    return {
      ...{ uid, user_email, references, aliases, entitlements: all.slice(0, count), more },
      ...(more ? { next: { path: LIST_PATH, user_ref: uid } } : {}),
    }
  }
  return {
    data: upTo(all.length),
    shorten(bytes) {
      let rest = bytes - Buffer.byteLength(JSON.stringify(upTo(0)))
      let count = 0
      for (const one of all) {
        rest -= Buffer.byteLength(JSON.stringify(one)) + 1
        if (rest < 0) break
        count++
      }
      return upTo(count)
    },
  }
}
