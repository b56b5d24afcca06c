import type { Db } from '../../db/database.ts'
import { FOREVER, type Seconds } from '../../db/tables.ts'
import { formatTime } from '../../format-time.ts'
import { getApplication } from '../apps/applications.ts'
import { bySeq, type HistoryRow, listHistory } from '../history/history.ts'
import { findResources } from '../resources/resources.ts'
import { findUidByRef, isErasedUid } from '../users/user-ref.ts'
import { findLiveUser } from '../users/users.ts'
import { type AccessKey, type AccessRow, selectAccess } from './details.ts'
import {
  describeEnd,
  describeSource,
  effectiveEnd,
  listSourceDetails,
  type SourceDetails,
} from './source-details.ts'

/** Lists all records of a user on a resource: the unrevoked one first, then the revoked ones, latest first. */
export async function listAccessOfUser(
  db: Db,
  key: { aid: string; rid: string; uid: string },
): Promise<AccessRow[]> {
  const rows = await selectAccess(db)
    .where((eb) => eb.and({ 'a.aid': key.aid, 'a.rid': key.rid, 'a.uid': key.uid }))
    .orderBy('a.created', 'desc')
    .orderBy('a.id')
    .execute()
  const end = (row: AccessRow) => row.revoked ?? FOREVER
  return rows.sort((a, b) => end(b) - end(a))
}

export type AccessState = 'live' | 'expired' | 'revoked'

export function accessStateOf(row: AccessRow, now: Seconds): AccessState {
  if (row.revoked !== null) return 'revoked'
  return now < row.ends ? 'live' : 'expired'
}

/** Why a user has access or not. */
export interface Explanation {
  access: boolean
  /** For programs. */
  code:
    | AccessState
    | 'never_granted'
    | 'user_not_found'
    | 'resource_not_found'
    | 'application_archived'
  /** One sentence for people. */
  reason: string
  /** The changes behind it, oldest first. */
  history: HistoryRow[]
}

const without = (code: Explanation['code'], reason: string): Explanation => ({
  access: false,
  code,
  reason,
  history: [],
})

/** Explains why a user has access or not, consistent with the response to an access check at this moment. */
export async function explainAccess(db: Db, key: AccessKey, now: Seconds): Promise<Explanation> {
  const { aid, rid, userRef } = key
  const { archived } = await getApplication(db, aid)
  if (archived !== null) {
    const reason = `The application was archived on ${formatTime(archived)}: its requests are refused.`
    return without('application_archived', reason)
  }
  const [resource] = await findResources(db, aid, [rid])
  if (!resource) return without('resource_not_found', `There is no resource ${rid}.`)
  const uid = await findUidByRef(db, aid, userRef)
  if (uid === undefined) return without('user_not_found', await explainUnknownUser(db, key))
  const records = await listAccessOfUser(db, { aid, rid, uid })
  const [record] = records
  if (!record) return without('never_granted', `${userRef} never had access to ${rid}.`)
  const history = await historyOf(db, { aid, rid, uid }, records)
  const code = accessStateOf(record, now)
  const holds = await listSourceDetails(db, aid, record.id)
  const reason = explainRecord(key, { record, state: code, sources: holds, history }, now)
  return { access: code === 'live', code, reason, history }
}

async function explainUnknownUser(db: Db, { aid, userRef }: AccessKey): Promise<string> {
  if (await isErasedUid(db, aid, userRef)) {
    return `${userRef} is the uid of a user who was erased: it names nobody any more.`
  }
  if (await findLiveUser(db, aid, userRef)) {
    return `${userRef} is the uid of a user who has references: only those name the user.`
  }
  return `There is no user with the reference ${userRef}.`
}

interface Situation {
  record: AccessRow
  state: AccessState
  sources: SourceDetails[]
  history: readonly HistoryRow[]
}

/** Includes the history by record, because a merge may have moved a record here from another user. */
async function historyOf(
  db: Db,
  { aid, rid, uid }: { aid: string; rid: string; uid: string },
  records: readonly AccessRow[],
): Promise<HistoryRow[]> {
  const found = await listHistory(db, aid, { uid, rid })
  for (const { id } of records) found.push(...(await listHistory(db, aid, { accessId: id })))
  const byKey = new Map(found.map((row) => [`${row.seq} ${row.tie_breaker}`, row]))
  return [...byKey.values()].sort(bySeq)
}

function explainRecord(
  { rid, userRef }: AccessKey,
  { record, state, sources: holds, history }: Situation,
  now: Seconds,
): string {
  const changes = history.filter((row) => row.access_id === record.id)
  if (state === 'revoked') {
    const on = formatTime(record.revoked as Seconds)
    const by = changes.findLast(({ action }) => action === 'revoked')?.actor
    return `The access of ${userRef} to ${rid} was revoked on ${on}${by === undefined ? '' : ` by ${by}`}.`
  }
  // Sorted by end, latest first: the first source determines the end of the access.
  const lasting = holds.sort((a, b) => effectiveEnd(b) - effectiveEnd(a))
  if (state === 'live') {
    const end = record.ends === FOREVER ? 'without an end' : `until ${formatTime(record.ends)}`
    const open = lasting.filter((hold) => effectiveEnd(hold) > now)
    const names = open.map((hold) => describeSource(hold, changes, now))
    return `${userRef} has access to ${rid} ${end}, because of ${names.join(' and ')}.`
  }
  const [last] = lasting
  const how = last ? `, ${describeEnd(last, changes, now)}` : ''
  const on = formatTime(last ? effectiveEnd(last) : record.ends)
  return `The access of ${userRef} to ${rid} expired on ${on}${how}.`
}
