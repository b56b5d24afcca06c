import type { Trx } from '../db/database.ts'
import { lockOrder } from '../db/lock-order.ts'
import type { AccessTable, SourceTable } from '../db/tables.ts'
import { findResources, type ResourceRow } from '../resources/resources.ts'
import { emailKey } from '../users/email.ts'
import { listUsers } from '../users/find.ts'
import type { UserRow } from '../users/users.ts'
import type { GrantWish } from './grant-wish.ts'

/** What a grant finds. */
export interface GrantState {
  resource: ResourceRow | undefined
  /** Whom the e-mail address names; or whom the reference names, if that person has no address yet. */
  user: UserRow | undefined
  /** Whom each reference of the wish names, and the uid that it wants to keep. */
  refOwners: ReadonlyMap<string, string>
  /** Those references of the wish that are some user's uid, and whether that user is gone. */
  uids: ReadonlyMap<string, { isErased: boolean }>
  /** The unrevoked record of that user on that resource, locked. */
  access: AccessTable | undefined
  /** Its open sources. */
  sources: readonly SourceTable[]
  /** Ids that the wish wants to keep and that are taken. */
  takenIds: ReadonlySet<string>
}

const present = <T>(values: readonly (T | undefined)[]): T[] =>
  values.filter((value) => value !== undefined)

/** Loads what every wish finds, with few queries for all of them together. */
export async function loadGrantStates(
  trx: Trx,
  wishes: readonly GrantWish[],
): Promise<GrantState[]> {
  const aid = wishes[0]?.aid as string
  const refs = wishes.flatMap((wish) => refsIn(wish))
  const resources = await findResources(trx, aid, [...new Set(wishes.map((wish) => wish.rid))])
  let users = await lockUsers(trx, aid, wishes)
  const names = [...refs, ...present(wishes.map((wish) => wish.keep?.uid))]
  const refOwners = await findRefOwners(trx, aid, names)
  const uids = await findUids(trx, aid, names)
  const takenIds = await findTakenIds(trx, present(wishes.map((wish) => wish.keep?.id)))
  // Whoever holds such a name may be the very user that somebody else made since we looked: each look
  // sees what is committed by then. Without a second one, a repeat would be told that it is another's.
  const held = refOwners.size + uids.size + takenIds.size > 0
  if (held && users.length < wishes.length) users = await lockUsers(trx, aid, wishes)
  const unnamed = await lockUnnamed(trx, aid, [...new Set(refOwners.values())])
  const people = [...users, ...unnamed]
  const access = await lockAccess(trx, aid, wishes, people)
  const sources = await findOpenSources(trx, aid, access)
  return wishes.map((wish) => {
    const owner = wish.userRef === undefined ? undefined : refOwners.get(wish.userRef)
    const user =
      users.find((row) => row.email_key === emailKey(wish.email)) ??
      unnamed.find((row) => row.uid === owner)
    const record = access.find((row) => row.rid === wish.rid && row.uid === user?.uid)
    return {
      resource: resources.find((row) => row.rid === wish.rid),
      user,
      refOwners,
      uids,
      access: record,
      sources: sources.filter((source) => source.access_id === record?.id),
      takenIds,
    }
  })
}

/** All names that a wish gives to its user, aliases too. */
export function refsIn(wish: GrantWish): string[] {
  const { otherRefs = [], aliases = [] } = wish.keep ?? {}
  return [...new Set([...present([wish.userRef]), ...otherRefs, ...aliases])]
}

/** Locked, in one order: a rename, a merge or another grant of the same person waits for us, or we
 * for it, instead of deciding on what is no longer true. */
async function lockUsers(trx: Trx, aid: string, wishes: readonly GrantWish[]): Promise<UserRow[]> {
  return await trx
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where(
      'email_key',
      'in',
      wishes.map((wish) => emailKey(wish.email)),
    )
    .orderBy(lockOrder('uid'))
    .forUpdate()
    .execute()
}

/** Readers who bought by a link that named no address: the first grant that does gives it to them. */
async function lockUnnamed(trx: Trx, aid: string, uids: readonly string[]): Promise<UserRow[]> {
  if (uids.length === 0) return []
  return await trx
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where('uid', 'in', uids)
    .where('email', 'is', null)
    .where('erased', 'is', null)
    .orderBy(lockOrder('uid'))
    .forUpdate()
    .execute()
}

async function findRefOwners(
  trx: Trx,
  aid: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map()
  const rows = await trx
    .selectFrom('user_refs')
    .select(['ref', 'uid'])
    .where('aid', '=', aid)
    .where('ref', 'in', refs)
    .execute()
  return new Map(rows.map((row) => [row.ref, row.uid]))
}

async function findUids(
  trx: Trx,
  aid: string,
  refs: readonly string[],
): Promise<Map<string, { isErased: boolean }>> {
  const users = await listUsers(trx, aid, refs)
  return new Map(users.map(({ uid, erased }) => [uid, { isErased: erased !== null }]))
}

/** The rows that we are about to change, locked in one order, so that no two grants can each wait for
 * the other. */
async function lockAccess(
  trx: Trx,
  aid: string,
  wishes: readonly GrantWish[],
  users: readonly UserRow[],
): Promise<AccessTable[]> {
  if (users.length === 0) return []
  return await trx
    .selectFrom('access')
    .selectAll()
    .where('aid', '=', aid)
    .where('revoked', 'is', null)
    .where('rid', 'in', [...new Set(wishes.map((wish) => wish.rid))])
    .where(
      'uid',
      'in',
      users.map((user) => user.uid),
    )
    .orderBy(lockOrder('id'))
    .forUpdate()
    .execute()
}

async function findOpenSources(
  trx: Trx,
  aid: string,
  access: readonly AccessTable[],
): Promise<SourceTable[]> {
  if (access.length === 0) return []
  return await trx
    .selectFrom('sources')
    .selectAll()
    .where('aid', '=', aid)
    .where('closed', 'is', null)
    .where(
      'access_id',
      'in',
      access.map((row) => row.id),
    )
    .execute()
}

/** An id is unique in its environment, whoever's it is. */
async function findTakenIds(trx: Trx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await trx.selectFrom('access').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map((row) => row.id))
}
