import { sql } from 'kysely'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { deleteRows, insertRows, listRows } from '../../db/queries/rows.ts'
import { textRows } from '../../db/queries/text-rows.ts'
import type { AccessTable, RefusedCheckTable, Seconds } from '../../db/tables.ts'
import { listDueApplications } from '../apps/turns.ts'
import { listPassesThatOpen } from '../passes/openers.ts'
import { findResources } from '../resources/resources.ts'
import { uidByRefSql } from '../users/user-ref.ts'
import { lockUsers } from '../users/users.ts'

export type RefusedCheck = RefusedCheckTable

/** Checks of one reader and resource that were refused for the same reason, before it is known who the reader is. */
export interface Refusal {
  rid: string
  userRef: string
  /** The end of the access record that had expired; undefined if there was no unrevoked record. */
  ends: Seconds | undefined
  first: Seconds
  last: Seconds
  times: number
}

/** How many are kept for each reader, and for how long. */
const MAX_KEPT = 20
const KEPT_SECONDS: Seconds = 30 * 86_400

/** Stores refused checks of one application a few moments after they happened. Checks for people who are not known
 * are left out: anybody can make up a reference, and there is no page on which they would be shown. */
export async function recordRefusedChecks(
  database: EnvironmentDatabase,
  aid: string,
  refusals: readonly Refusal[],
): Promise<void> {
  const uids = await findUids(
    database.read,
    aid,
    refusals.map(({ userRef }) => userRef),
  )
  const known = refusals.flatMap((refusal) => {
    const uid = uids.get(refusal.userRef)
    return uid === undefined ? [] : [{ ...refusal, uid }]
  })
  // Nothing is written, because on SQLite each commit empties the cache of the fast path.
  if (known.length === 0) return
  await database.write((trx) => writeRefusals(trx, aid, known))
}

/** Finds whom references name, all in one query. */
async function findUids(
  db: Db,
  aid: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ ref: string; uid: string | null }>`
    select k.ref, ${sql.raw(uidByRefSql('k.aid', 'k.ref'))} as uid
    from (select cast(${aid} as text) as aid, key as ref from ${textRows(refs)}) as k
  `.execute(db)
  return new Map(rows.flatMap(({ ref, uid }) => (uid === null ? [] : [[ref, uid]])))
}

interface KnownRefusal extends Refusal {
  uid: string
}

async function writeRefusals(
  trx: Trx,
  aid: string,
  refusals: readonly KnownRefusal[],
): Promise<void> {
  // Locked, because an erasure or a merge in the meantime must not miss the rows.
  const users = await lockUsers(trx, aid, [...new Set(refusals.map(({ uid }) => uid))])
  const live = new Set(users.map(({ uid }) => uid))
  const own = refusals.filter(({ uid }) => live.has(uid))
  if (own.length === 0) return
  const reasonOf = await findReasons(trx, aid, own)
  const rows = own.flatMap((refusal) => {
    const { uid, rid, first, last, times } = refusal
    const reason = reasonOf(refusal)
    return reason ? [{ aid, uid, rid, ...reason, first_at: first, last_at: last, times }] : []
  })
  const uids = [...live]
  const stored = await listRows(trx, 'refused_checks', { aid, uid: uids })
  await replaceChecks(trx, { aid, uids }, joinChecks([...stored, ...rows]))
}

type Reason = Pick<RefusedCheck, 'code' | 'since' | 'via'>

/**
 * Finds why access was refused at the moment of each check, or undefined if that can't be told any more. The end of an
 * expired record was read by the check itself. A record that was revoked by then still is. So a later grant can't change
 * the reason, except for the record of a pass that was extended in the seconds since.
 */
async function findReasons(trx: Trx, aid: string, refusals: readonly KnownRefusal[]) {
  const rids = [...new Set(refusals.map(({ rid }) => rid))]
  const known = new Set((await findResources(trx, aid, rids)).map(({ rid }) => rid))
  const passes = await listPassesThatOpen(trx, aid, rids)
  const openers = [...new Set([...rids, ...[...passes.values()].flat()])]
  const uids = [...new Set(refusals.map(({ uid }) => uid))]
  const records = await listRows(trx, 'access', { aid, uid: uids, rid: openers })
  return (refusal: KnownRefusal): Reason | undefined => {
    const { uid, rid, ends, last } = refusal
    const through = passes.get(rid) ?? []
    const own = records.filter((row) => row.uid === uid && row.created <= last)
    const isExtended = own.some(
      (row) => through.includes(row.rid) && row.revoked === null && row.ends > last,
    )
    if (isExtended) return undefined
    const found = own.flatMap((row) => closingOf(row, refusal, through))
    // An expired record has replaced those of the same resource that were revoked.
    const closings: Reason[] =
      ends === undefined
        ? found
        : [{ code: 'expired', since: ends, via: null }, ...found.filter(({ via }) => via !== null)]
    const latest = closings.sort((a, b) => (b.since ?? 0) - (a.since ?? 0))[0]
    const isKnown = known.has(rid) || through.length > 0
    return latest ?? { code: isKnown ? 'never_granted' : 'no_resource', since: null, via: null }
  }
}

/** How a record stopped giving access before a check, if it did: by a revoke, or a pass by its end. */
function closingOf(row: AccessTable, { rid, last }: Refusal, passes: readonly string[]): Reason[] {
  const via = row.rid === rid ? null : row.rid
  if (via !== null && !passes.includes(via)) return []
  if (row.revoked !== null)
    return row.revoked <= last ? [{ code: 'revoked', since: row.revoked, via }] : []
  return via === null || row.ends > last ? [] : [{ code: 'expired', since: row.ends, via }]
}

/** Counts checks of the same reader, resource and reason together, and returns the latest of each reader. */
function joinChecks(rows: readonly RefusedCheck[]): RefusedCheck[] {
  const joined = new Map<string, RefusedCheck>()
  for (const row of rows) {
    const key = `${row.uid} ${row.code} ${row.rid}`
    const known = joined.get(key)
    const newer = known && known.last_at > row.last_at ? known : row
    joined.set(key, {
      ...newer,
      first_at: Math.min(row.first_at, known?.first_at ?? row.first_at),
      times: row.times + (known?.times ?? 0),
    })
  }
  const kept = new Map<string, number>()
  return [...joined.values()]
    .sort((a, b) => b.last_at - a.last_at)
    .filter(({ uid }) => {
      const count = (kept.get(uid) ?? 0) + 1
      kept.set(uid, count)
      return count <= MAX_KEPT
    })
}

async function replaceChecks(
  trx: Trx,
  { aid, uids }: { aid: string; uids: readonly string[] },
  rows: readonly RefusedCheck[],
): Promise<void> {
  await trx
    .deleteFrom('refused_checks')
    .where('aid', '=', aid)
    .where('uid', 'in', padList(uids))
    .execute()
  await insertRows(trx, 'refused_checks', rows)
}

/** Lists the refused checks of a person of the last 30 days, latest first. */
export async function listRefusedChecks(
  db: Db,
  aid: string,
  uid: string,
  now: Seconds,
): Promise<RefusedCheck[]> {
  const stored = await listStoredChecks(db, aid, uid)
  return stored
    .filter(({ last_at }) => last_at > now - KEPT_SECONDS)
    .sort((a, b) => b.last_at - a.last_at)
}

/** Lists all that are stored about a person, for an export. */
export async function listStoredChecks(db: Db, aid: string, uid: string): Promise<RefusedCheck[]> {
  return await listRows(db, 'refused_checks', { aid, uid }, ['last_at', 'rid', 'code'])
}

/** Joins the refused checks of a user who is merged with those of the user who is left. */
export async function moveRefusedChecks(
  trx: Trx,
  aid: string,
  from: string,
  into: string,
): Promise<void> {
  const uids = [from, into]
  const rows = await listRows(trx, 'refused_checks', { aid, uid: uids })
  await replaceChecks(trx, { aid, uids }, joinChecks(rows.map((row) => ({ ...row, uid: into }))))
}

export async function eraseRefusedChecks(trx: Trx, aid: string, uid: string): Promise<number> {
  return await deleteRows(trx, 'refused_checks', { aid, uid })
}

/** Deletes refused checks that are too old to be shown. */
export async function deleteOldRefusedChecks(
  database: EnvironmentDatabase,
  now: Seconds,
): Promise<void> {
  const isDue = sql<boolean>`last_at <= ${now - KEPT_SECONDS}`
  for (const aid of await listDueApplications(database.read, { table: 'refused_checks', isDue })) {
    await database.write((trx) =>
      trx.deleteFrom('refused_checks').where('aid', '=', aid).where(isDue).execute(),
    )
  }
}
