import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'
import { lockRows, updateRows } from '../../db/queries/rows.ts'
import type { AccessTable, Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { moveDeliveries } from '../downloads/person.ts'
import { type Change, recordHistory } from '../history/history.ts'
import { moveAnswers } from '../idempotency/reader-answers.ts'
import { moveMails } from '../mail/user-mails.ts'
import { moveRefusedChecks } from '../refusals/refused-checks.ts'
import { moveAddresses } from '../users/former-addresses.ts'
import { moveNotes } from '../users/notes.ts'
import { joinLinkNumbers } from '../users/reader-links.ts'
import { lockUsers, type UserRow } from '../users/users.ts'
import { anonymizeUser } from './anonymize-user.ts'
import { mergeAccessRecords } from './join-access.ts'
import { moveMoney, requireNoTwoSubscriptions } from './money.ts'

/** Two users who are the same person. */
export interface Merge {
  aid: string
  from: string
  into: string
  actor: string
}

export interface MergeResult {
  references: number
  /** Records that only the first user had. */
  moved: number
  /** Records that both users had, and that became one. */
  joined: number
}

/** Moves everything of one user to another. The first user's row stays, like that of an erased user, so that its uid
 * keeps its meaning in the history. */
export async function mergeUsers(trx: Trx, input: Merge, now: Seconds): Promise<MergeResult> {
  const { aid, from, into } = input
  if (from === into) throw fail('invalid_parameter', 'Both names already belong to the same user.')
  // Same lock order as grants and revokes, users before access, to avoid deadlocks.
  const users = await lockUsers(trx, aid, [from, into])
  const [gone, kept] = [from, into].map((uid) => users.find((user) => user.uid === uid))
  if (!gone || !kept) throw fail('user_not_found')
  const records = await lockUnrevoked(trx, input)
  const shown = await hideReferences(trx, input)
  const references = await moveReferences(trx, input)
  const access = await moveAccess(trx, input, records, now)
  await showReferences(trx, aid, shown)
  await moveMoney(trx, input)
  await joinLinkNumbers(trx, gone, kept)
  await moveMails(trx, aid, from, into)
  await moveDeliveries(trx, aid, from, into)
  await moveNotes(trx, aid, from, into)
  await moveRefusedChecks(trx, aid, from, into)
  await moveAnswers(trx, aid, from, into)
  await anonymizeUser(trx, gone, now)
  await copyMissingIdentity(trx, gone, kept)
  await moveAddresses(trx, gone, kept)
  await recordHistory(trx, describeMerge(input, now))
  return { references, ...access }
}

/** Makes all names of the first user, including the uid, permanent aliases of the other. */
async function moveReferences(trx: Trx, { aid, from, into }: Merge): Promise<number> {
  const alias = { uid: into, alias: 1 } as const
  const moved = await updateRows(trx, 'user_refs', { aid, uid: from }, alias)
  await trx
    .insertInto('user_refs')
    .values({ aid, ref: from, ...alias })
    .execute()
  return moved
}

type Shown = { id: string; user_ref: string | null }

/** Clears the references on the first user's records while they move to the other user, because SQLite checks each
 * statement. Returns what was cleared. */
async function hideReferences(trx: Trx, { aid, from }: Merge): Promise<Shown[]> {
  const ofFirst = sql<boolean>`aid = ${aid} and uid = ${from} and user_ref is not null`
  const shown = await trx.selectFrom('access').select(['id', 'user_ref']).where(ofFirst).execute()
  await trx.updateTable('access').set({ user_ref: null }).where(ofFirst).execute()
  return shown
}

async function showReferences(trx: Trx, aid: string, shown: readonly Shown[]): Promise<void> {
  for (const { id, user_ref } of shown) {
    await updateRows(trx, 'access', { aid, id }, { user_ref })
  }
}

async function moveAccess(trx: Trx, input: Merge, records: readonly AccessTable[], now: Seconds) {
  const { aid, from, into } = input
  await requireNoTwoSubscriptions(trx, input)
  const result = { moved: 0, joined: 0 }
  const changes: Change[] = []
  for (const record of records.filter(({ uid }) => uid === from)) {
    const other = records.find(({ uid, rid }) => uid === into && rid === record.rid)
    if (other) changes.push(...(await mergeAccessRecords(trx, record, other, input.actor, now)))
    else changes.push(movedChange(record, input, now))
    result[other ? 'joined' : 'moved']++
  }
  await updateRows(trx, 'access', { aid, uid: from }, { uid: into })
  await recordHistory(trx, changes)
  return result
}

async function lockUnrevoked(trx: Trx, { aid, from, into }: Merge): Promise<AccessTable[]> {
  return await lockRows(trx, 'access', { aid, uid: [from, into], revoked: null }, 'id')
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

/** Copies names and addresses that the kept user lacks. */
async function copyMissingIdentity(trx: Trx, gone: UserRow, kept: UserRow): Promise<void> {
  const { first_name, last_name, email, email_key, contact_email } = gone
  const isNamed = kept.first_name !== '' || kept.last_name !== ''
  const taken = {
    ...(isNamed ? {} : { first_name, last_name }),
    ...(kept.email === null ? { email, email_key } : {}),
    ...(kept.contact_email === null ? { contact_email } : {}),
  }
  if (Object.keys(taken).length === 0) return
  await updateRows(trx, 'users', { aid: kept.aid, uid: kept.uid }, taken)
}

/** The history action for the user who is kept; `before` holds the merged uid. */
export const MERGED_IN = 'user merged in'
/** The history action for the merged user; `after` holds the uid of the user who is kept. */
export const ACTION_MERGED_AWAY = 'user merged away'

function describeMerge({ aid, from, into, actor }: Merge, now: Seconds): Change[] {
  const base = { aid, at: now, actor }
  return [
    { ...base, uid: from, action: ACTION_MERGED_AWAY, after: { uid: into } },
    { ...base, uid: into, action: MERGED_IN, before: { uid: from } },
  ]
}
