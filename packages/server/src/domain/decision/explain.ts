import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { formatTime } from '../../format-time.ts'
import type { AccessKey } from '../access/details.ts'
import { type AccessState, listAccessOfUser } from '../access/state.ts'
import { getApplication } from '../apps/applications.ts'
import { bySeq, type HistoryRow, listHistory } from '../history/history.ts'
import { findResources } from '../resources/resources.ts'
import { findUidByRef, isErasedUid } from '../users/user-ref.ts'
import { type Decision, decide } from './decide.ts'
import { describeDecision } from './sentences.ts'

/** Why a user has access or not, with the history behind it. */
export interface Explanation {
  access: boolean
  /** For programs that know the codes of `gatehouse access why` from before there were those of a decision. */
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
  /** The answer of a check; undefined if the application is archived, since its requests are refused. */
  decision: Decision | undefined
}

/** Explains why a user has access or not, consistent with the response to a check at this moment. */
export async function explainAccess(db: Db, key: AccessKey, now: Seconds): Promise<Explanation> {
  const { aid, rid, userRef } = key
  const { archived } = await getApplication(db, aid)
  if (archived !== null) {
    const reason = `The application was archived on ${formatTime(archived)}: its requests are refused.`
    const code = 'application_archived'
    return { access: false, code, reason, history: [], decision: undefined }
  }
  const [decision] = (await decide(db, { aid, userRef, rids: [rid] }, now)) as [Decision]
  const without = (code: Explanation['code'], reason: string): Explanation => ({
    ...{ access: false, code, reason, history: [], decision },
  })
  if (decision.record === undefined) {
    const [resource] = await findResources(db, aid, [rid])
    if (!resource) return without('resource_not_found', `There is no resource ${rid}.`)
  }
  if (decision.code === 'user_unknown') {
    return without('user_not_found', await explainUnknownUser(db, key))
  }
  const history = await historyBehind(db, key, decision)
  const changes = history.filter((row) => row.access_id === decision.record?.id)
  const reason = describeDecision(decision, { userRef, changes, now })
  return { access: decision.granted, code: stateOf(decision), reason, history, decision }
}

function stateOf({ granted, code }: Decision): Explanation['code'] {
  if (granted) return 'live'
  return code === 'never_granted' || code === 'revoked' ? code : 'expired'
}

async function explainUnknownUser(db: Db, { aid, userRef }: AccessKey): Promise<string> {
  if (await isErasedUid(db, aid, userRef)) {
    return `${userRef} is the uid of a user who was erased: it names nobody any more.`
  }
  return `There is no user with the reference ${userRef}.`
}

/** Includes the history by record, because a merge may have moved a record here from another user. */
async function historyBehind(
  db: Db,
  { aid, rid, userRef }: AccessKey,
  { record }: Decision,
): Promise<HistoryRow[]> {
  const uid = await findUidByRef(db, aid, userRef)
  if (uid === undefined || record === undefined) return []
  const records = await listAccessOfUser(db, { aid, rid, uid })
  const found = await listHistory(db, aid, { uid, rid })
  for (const id of new Set([record.id, ...records.map((one) => one.id)])) {
    found.push(...(await listHistory(db, aid, { accessId: id })))
  }
  const byKey = new Map(found.map((row) => [`${row.seq} ${row.tie_breaker}`, row]))
  return [...byKey.values()].sort(bySeq)
}
