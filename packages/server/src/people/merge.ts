import type { Trx } from '../db/database.ts'
import { lockOrder } from '../db/lock-order.ts'
import type { AccessTable, Seconds } from '../db/tables.ts'
import { moveDeliveries } from '../downloads/person.ts'
import { fail } from '../errors.ts'
import { type Change, recordHistory } from '../history/history.ts'
import { moveMails } from '../outbox/person.ts'
import { lockUsers, type UserRow } from '../users/users.ts'
import { blankUser } from './blank-user.ts'
import { joinAccess } from './join-access.ts'
import { moveMoney, requireNoTwoSubscriptions } from './money.ts'

/** Two users who are one person. */
export interface Merge {
  aid: string
  from: string
  into: string
  actor: string
}

export interface MergeResult {
  references: number
  /** Records that only the first one had. */
  moved: number
  /** Records that both had: one is left of two. */
  joined: number
}

/** Gives everything of one user to another. The first one's row stays as that of an erased person, so
 * that its uid keeps its meaning in the history. */
export async function mergeUsers(trx: Trx, wish: Merge, now: Seconds): Promise<MergeResult> {
  const { aid, from, into } = wish
  if (from === into) throw fail('invalid_parameter', 'Both names are of one user already.')
  // In the order of grants and revokes: people, references, access. None waits for the other.
  const users = await lockUsers(trx, aid, [from, into])
  const [gone, kept] = [from, into].map((uid) => users.find((user) => user.uid === uid))
  if (!gone || !kept) throw fail('user_not_found')
  const references = await moveReferences(trx, wish)
  const access = await moveAccess(trx, wish, now)
  await moveMoney(trx, wish)
  await moveMails(trx, aid, from, into)
  await moveDeliveries(trx, aid, from, into)
  await blankUser(trx, gone, now)
  await takeIdentity(trx, gone, kept)
  await recordHistory(trx, describeMerge(wish, now))
  return { references, ...access }
}

async function moveReferences(trx: Trx, { aid, from, into }: Merge): Promise<number> {
  const moved = await trx
    .updateTable('user_refs')
    .set({ uid: into })
    .where('aid', '=', aid)
    .where('uid', '=', from)
    .returning('ref')
    .execute()
  return moved.length
}

async function moveAccess(trx: Trx, wish: Merge, now: Seconds) {
  const { aid, from, into } = wish
  const records = await lockUnrevoked(trx, wish)
  await requireNoTwoSubscriptions(trx, wish)
  const result = { moved: 0, joined: 0 }
  const changes: Change[] = []
  for (const record of records.filter(({ uid }) => uid === from)) {
    const other = records.find(({ uid, rid }) => uid === into && rid === record.rid)
    if (other) changes.push(...(await joinAccess(trx, record, other, wish.actor, now)))
    else changes.push(movedChange(record, wish, now))
    result[other ? 'joined' : 'moved']++
  }
  await trx
    .updateTable('access')
    .set({ uid: into })
    .where('aid', '=', aid)
    .where('uid', '=', from)
    .execute()
  await recordHistory(trx, changes)
  return result
}

async function lockUnrevoked(trx: Trx, { aid, from, into }: Merge): Promise<AccessTable[]> {
  return await trx
    .selectFrom('access')
    .selectAll()
    .where('aid', '=', aid)
    .where('uid', 'in', [from, into])
    .where('revoked', 'is', null)
    .orderBy(lockOrder('id'))
    .forUpdate()
    .execute()
}

function movedChange(record: AccessTable, { from, into, actor }: Merge, now: Seconds): Change {
  return {
    aid: record.aid,
    uid: into,
    rid: record.rid,
    accessId: record.id,
    at: now,
    actor,
    action: 'moved',
    before: { uid: from },
    after: { uid: into },
  }
}

/** Names and the address are taken over where there are none. */
async function takeIdentity(trx: Trx, gone: UserRow, kept: UserRow): Promise<void> {
  const { first_name, last_name, email, email_key, contact_email } = gone
  const isNamed = kept.first_name !== '' || kept.last_name !== ''
  const taken = {
    ...(isNamed ? {} : { first_name, last_name }),
    ...(kept.email === null ? { email, email_key } : {}),
    ...(kept.contact_email === null ? { contact_email } : {}),
  }
  if (Object.keys(taken).length === 0) return
  await trx
    .updateTable('users')
    .set(taken)
    .where('aid', '=', kept.aid)
    .where('uid', '=', kept.uid)
    .execute()
}

/** The action in the history of the user who is left; `before` tells who was taken in. */
export const MERGED_IN = 'user merged in'
/** In that of the other one; `after` tells who is left. */
export const MERGED_AWAY = 'user merged away'

function describeMerge({ aid, from, into, actor }: Merge, now: Seconds): Change[] {
  const base = { aid, at: now, actor }
  return [
    { ...base, uid: from, action: MERGED_AWAY, after: { uid: into } },
    { ...base, uid: into, action: MERGED_IN, before: { uid: from } },
  ]
}
