import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { findOpens, type Opens } from '../passes/opens.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { describeGranted, type GrantedDecision } from './decide.ts'
import { type HeldRecord, listLive, listLiveOf } from './held-records.ts'
import { isLive } from './judge.ts'

export interface ListQuestion {
  aid: string
  userRef: string
  /** The last rid of the page before; empty for the first page. */
  after: string
  limit: number
}

/** A decision about a resource, and what it opens, if it is a pass. */
export type Entitlement = GrantedDecision & { opens: Opens | undefined }

export interface Entitlements {
  entitlements: Entitlement[]
  /** The last rid of this page, if there are more. */
  next: string | undefined
}

/** Lists a page of what a reader has access to: one entry for each live record, by rid. What passes open is not listed
 * one by one: with a prefix, it has no end. */
export async function listEntitlements(
  db: Db,
  { aid, userRef, after, limit }: ListQuestion,
  now: Seconds,
): Promise<Entitlements> {
  const uid = await findUidByRef(db, aid, userRef)
  if (uid === undefined) return { entitlements: [], next: undefined }
  const records = await listLive(db, { aid, uid }, { after, limit: limit + 1 }, now)
  const opens = await findOpensOf(db, aid, [records])
  return toPage(records, opens, limit, now)
}

/** Does the same for the first page of many readers, by uid, with as many statements as for one. All records of the
 * readers in `known` are given, so that they are not read. */
export async function listEntitlementsOf(
  db: Db,
  aid: string,
  uids: readonly string[],
  known: ReadonlyMap<string, readonly HeldRecord[]>,
  limit: number,
  now: Seconds,
): Promise<Map<string, Entitlements>> {
  const others = uids.filter((uid) => !known.has(uid))
  const found = await listLiveOf(db, aid, others, limit + 1, now)
  const recordsOf = (uid: string) =>
    known.get(uid)?.filter((record) => isLive(record, now)) ?? found.get(uid) ?? []
  const held = uids.map((uid) => [uid, recordsOf(uid)] as const)
  const opens = await findOpensOf(
    db,
    aid,
    held.map(([, records]) => records),
  )
  return new Map(held.map(([uid, records]) => [uid, toPage(records, opens, limit, now)]))
}

async function findOpensOf(db: Db, aid: string, held: readonly (readonly HeldRecord[])[]) {
  const rids = held.flat().map(({ rid }) => rid)
  return rids.length === 0 ? new Map<string, Opens>() : await findOpens(db, aid, rids)
}

/** `records` may have one more than a page. */
function toPage(
  records: readonly HeldRecord[],
  opens: ReadonlyMap<string, Opens>,
  limit: number,
  now: Seconds,
): Entitlements {
  const page = records.slice(0, limit)
  return {
    entitlements: page.map((record) => ({
      ...describeGranted(record.rid, [record], [record], now),
      opens: opens.get(record.rid),
    })),
    next: records.length > limit ? page.at(-1)?.rid : undefined,
  }
}
