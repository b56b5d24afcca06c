import type { Db } from '../../db/database.ts'
import { FOREVER, type Seconds } from '../../db/tables.ts'
import { listPassesThatOpen } from '../passes/openers.ts'
import { listOffersOf, type PriceRow } from '../resources/prices.ts'
import { findUidByName, type UserName } from '../users/user-name.ts'
import { findClosingCodes } from './closings.ts'
import type { DecisionCode, GrantedCode, RefusedCode } from './codes.ts'
import { findHeld, findLastRevoked, type HeldRecord, type HeldSource } from './held-records.ts'
import {
  codeOfSource,
  endOfRecord,
  findHoldingSource,
  findNextChange,
  isLive,
  listOpen,
  winnerFirst,
} from './judge.ts'

/** A source that gives access, and the pass that it does so through, if any. */
export interface GivingSource {
  source: HeldSource
  via: string | undefined
}

interface Basis {
  rid: string
  code: DecisionCode
  /** The earliest moment at which the answer can change by itself; undefined if it can't. */
  nextChange: Seconds | undefined
  /** The rid of the pass whose record decides; undefined if it is the record of the resource itself. */
  via: string | undefined
  /** The record that decides; undefined if there is none. */
  record: HeldRecord | undefined
}

export interface GrantedDecision extends Basis {
  granted: true
  code: GrantedCode
  record: HeldRecord
  /** When the record that decides ends; undefined if it has no end. */
  until: Seconds | undefined
  /** Everything that gives access, also through other records; what lasts longest in the deciding record comes first. */
  sources: GivingSource[]
}

export interface RefusedDecision extends Basis {
  granted: false
  code: RefusedCode
  /** When the last source ended; undefined if there never was one. */
  since: Seconds | undefined
  /** The prices that the reader could pay: those of the resource, and of passes that open it. */
  offers: readonly PriceRow[]
}

/** Whether a reader may see a resource, and why. */
export type Decision = GrantedDecision | RefusedDecision

export type Question = UserName & {
  aid: string
  /** A rid may be repeated. */
  rids: readonly string[]
}

/**
 * Decides about each of the resources, in their order. The number of statements doesn't depend on how many there are.
 *
 * Every way of asking "may this reader see this, and why?" comes here. `GET /r2/access` answers the first half by
 * itself, because it is nearly all traffic; the tests compare the two.
 */
export async function decide(
  db: Db,
  { aid, rids, ...reader }: Question,
  now: Seconds,
): Promise<Decision[]> {
  const asked = [...new Set(rids)]
  const held = await findHeld(db, { aid, reader }, asked)
  const granted = new Map<string, Decision>()
  for (const rid of asked) {
    const decision = decideGranted(rid, held.get(rid) ?? [], now)
    if (decision) granted.set(rid, decision)
  }
  const refused = asked.filter((rid) => !granted.has(rid))
  const refusals = await explainRefusals(db, { aid, reader, refused, held }, now)
  return rids.map((rid) => (granted.get(rid) ?? refusals.get(rid)) as Decision)
}

const viaOf = (record: HeldRecord, rid: string) => (record.rid === rid ? undefined : record.rid)

/** Decides by the live records that open a resource. */
function decideGranted(
  rid: string,
  records: readonly HeldRecord[],
  now: Seconds,
): GrantedDecision | undefined {
  const live = records.filter((record) => isLive(record, now)).sort(winnerFirst(rid))
  const [record] = live
  return record && describeGranted(rid, [record, ...live.slice(1)], records, now)
}

/** Describes a decision by live records, of which the first decides. `records` has those that are over too. */
export function describeGranted(
  rid: string,
  live: readonly [HeldRecord, ...HeldRecord[]],
  records: readonly HeldRecord[],
  now: Seconds,
): GrantedDecision {
  const [record] = live
  const holding = findHoldingSource(record, now)
  return {
    rid,
    granted: true,
    code: holding ? codeOfSource(holding, now) : 'granted',
    until: record.ends === FOREVER ? undefined : record.ends,
    nextChange: findNextChange(records, now),
    via: viaOf(record, rid),
    record,
    sources: live.flatMap((one) =>
      listOpen(one, now).map((source) => ({ source, via: viaOf(one, rid) })),
    ),
  }
}

interface Refusals {
  aid: string
  reader: UserName
  refused: readonly string[]
  /** The unrevoked records, which are over, by the resource that they opened. */
  held: ReadonlyMap<string, readonly HeldRecord[]>
}

/** Explains refusals: what ended last, and what could be bought. */
async function explainRefusals(
  db: Db,
  { aid, reader, refused, held }: Refusals,
  now: Seconds,
): Promise<ReadonlyMap<string, RefusedDecision>> {
  if (refused.length === 0) return new Map()
  const passes = await listPassesThatOpen(db, aid, refused)
  const openersOf = (rid: string) => [rid, ...(passes.get(rid) ?? [])]
  const openers = [...new Set(refused.flatMap(openersOf))]
  const offers = await listOffersOf(db, aid, openers)
  const uid = await findUidByName(db, aid, reader)
  const revoked: ReadonlyMap<string, HeldRecord> =
    uid === undefined ? new Map() : await findLastRevoked(db, { aid, uid }, openers)
  const expired = refused.flatMap((rid) => held.get(rid) ?? [])
  const ended = [...expired, ...revoked.values()].filter((record) => !wasRevokedInTime(record))
  const codes = await findClosingCodes(db, aid, ended)
  const explain = (rid: string): RefusedDecision => {
    const unrevoked = held.get(rid) ?? []
    const records = [...unrevoked, ...openersOf(rid).flatMap((opener) => revoked.get(opener) ?? [])]
    const [last] = records.map((record) => endOf(record, codes)).sort(lastEndFirst)
    return {
      rid,
      granted: false,
      code: last?.code ?? (uid === undefined ? 'user_unknown' : 'never_granted'),
      since: last?.since,
      nextChange: findNextChange(unrevoked, now),
      via: last && viaOf(last.record, rid),
      record: last?.record,
      offers: openersOf(rid).flatMap((opener) => offers.get(opener) ?? []),
    }
  }
  return new Map(refused.map((rid) => [rid, explain(rid)]))
}

interface RecordEnd {
  record: HeldRecord
  code: RefusedCode
  since: Seconds
}

const endOf = (record: HeldRecord, codes: ReadonlyMap<string, RefusedCode>): RecordEnd =>
  wasRevokedInTime(record)
    ? { record, code: 'revoked', since: record.revoked }
    : { record, code: codes.get(record.id) ?? 'expired', since: endOfRecord(record) }

/** Whether it was the revoke that ended access. A merge revokes a record too, which may have ended long before. */
const wasRevokedInTime = (record: HeldRecord): record is HeldRecord & { revoked: Seconds } =>
  record.revoked !== null && record.revoked < record.ends

/** Sorts records by their ends, the latest first. In the same second, a record that somebody ended comes before one
 * that ended by itself. */
const lastEndFirst = (one: RecordEnd, other: RecordEnd): number =>
  closingTime(other) - closingTime(one) || Number(endedByItself(one)) - Number(endedByItself(other))

const endedByItself = ({ code }: RecordEnd): boolean => code === 'expired' || code === 'unpaid'

/** A record that was granted until a time in the past ended when it was granted, which is after an earlier record was
 * revoked. */
const closingTime = ({ record, since }: RecordEnd): Seconds =>
  Math.max(since, ...record.sources.slice(0, 1).map(({ created }) => created))
