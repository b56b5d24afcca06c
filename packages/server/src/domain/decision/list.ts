import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { describeGranted, type GrantedDecision } from './decide.ts'
import { listLive } from './held-records.ts'

export interface ListQuestion {
  aid: string
  userRef: string
  /** The last rid of the page before; empty for the first page. */
  after: string
  limit: number
}

export interface Entitlements {
  entitlements: GrantedDecision[]
  /** The last rid of this page, if there are more. */
  next: string | undefined
}

/** Lists a page of what a reader has access to: one entry for each live record, by rid. */
export async function listEntitlements(
  db: Db,
  { aid, userRef, after, limit }: ListQuestion,
  now: Seconds,
): Promise<Entitlements> {
  const uid = await findUidByRef(db, aid, userRef)
  if (uid === undefined) return { entitlements: [], next: undefined }
  const records = await listLive(db, { aid, uid }, { after, limit: limit + 1 }, now)
  const page = records.slice(0, limit)
  return {
    entitlements: page.map((record) => describeGranted(record.rid, [record], [record], now)),
    next: records.length > limit ? page.at(-1)?.rid : undefined,
  }
}
