import type { Db } from '../../db/database.ts'
import { FOREVER, type Seconds } from '../../db/tables.ts'
import { listOffersOf, type PriceRow } from '../resources/prices.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { findClosingCodes } from './closings.ts'
import type { DecisionCode, GrantedCode, RefusedCode } from './codes.ts'
import {
  findLastRevoked,
  findUnrevoked,
  type HeldRecord,
  type HeldSource,
  type Reader,
} from './held-records.ts'
import {
  codeOfSource,
  endOfRecord,
  findHoldingSource,
  findNextChange,
  isLive,
  listOpen,
} from './judge.ts'
import { findHeldOpenings, findOpenings, listOpeners, type Openings } from './openings.ts'

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
  /** What could be bought: the resource, and passes that open it. */
  offers: readonly PriceRow[]
}

/** Whether a reader may see a resource, and why. */
export type Decision = GrantedDecision | RefusedDecision

export interface Question {
  aid: string
  userRef: string
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
  { aid, userRef, rids }: Question,
  now: Seconds,
): Promise<Decision[]> {
  const asked = [...new Set(rids)]
  const uid = await findUidByRef(db, aid, userRef)
  const reader = uid === undefined ? undefined : { aid, uid }
  const held = reader ? await findHeld(db, reader, asked, now) : NOTHING_HELD
  const granted = new Map<string, Decision>()
  for (const rid of asked) {
    const decision = decideGranted(rid, recordsFor(rid, held), now)
    if (decision) granted.set(rid, decision)
  }
  const refused = asked.filter((rid) => !granted.has(rid))
  const refusals = await decideRefused(db, { aid, reader, refused, held }, now)
  return rids.map((rid) => (granted.get(rid) ?? refusals.get(rid)) as Decision)
}

/** Records, by rid, and which of them open which resource. */
interface Held {
  openings: Openings
  records: ReadonlyMap<string, HeldRecord>
}

const NOTHING_HELD: Held = { openings: new Map(), records: new Map() }

async function findHeld(
  db: Db,
  reader: Reader,
  rids: readonly string[],
  now: Seconds,
): Promise<Held> {
  const openings = await findHeldOpenings(db, reader, rids, now)
  return { openings, records: await findUnrevoked(db, reader, listOpeners(openings)) }
}

/** Lists the records that open a resource; that of the resource itself comes first. */
const recordsFor = (rid: string, { openings, records }: Held): HeldRecord[] =>
  (openings.get(rid) ?? []).flatMap((opener) => records.get(opener) ?? [])

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

/** A record of the resource itself wins, and of several passes the one that ends last. */
const winnerFirst = (rid: string) => (one: HeldRecord, other: HeldRecord) =>
  Number(other.rid === rid) - Number(one.rid === rid) ||
  other.ends - one.ends ||
  (one.rid < other.rid ? -1 : 1)

interface Refusals {
  aid: string
  reader: Reader | undefined
  refused: readonly string[]
  /** What was read before. */
  held: Held
}

/** Explains refusals: what ended last, and what could be bought. */
async function decideRefused(
  db: Db,
  { aid, reader, refused, held }: Refusals,
  now: Seconds,
): Promise<ReadonlyMap<string, RefusedDecision>> {
  if (refused.length === 0) return new Map()
  const openings = await findOpenings(db, aid, refused)
  const openers = listOpeners(openings)
  const offers = await listOffersOf(db, aid, openers)
  const over = reader && (await findOver(db, reader, openers, held, now))
  const describe = (rid: string): RefusedDecision => {
    const records = over ? recordsFor(rid, { openings, records: over.unrevoked }) : []
    const [last] = over
      ? [...records, ...recordsFor(rid, { openings, records: over.revoked })]
          .map((record) => describeEnd(record, over.codes))
          .sort((one, other) => closingTime(other) - closingTime(one))
      : []
    return {
      rid,
      granted: false,
      code: last?.code ?? (reader ? 'never_granted' : 'user_unknown'),
      since: last?.since,
      nextChange: findNextChange(records, now),
      via: last && viaOf(last.record, rid),
      record: last?.record,
      offers: (openings.get(rid) ?? []).flatMap((opener) => offers.get(opener) ?? []),
    }
  }
  return new Map(refused.map((rid) => [rid, describe(rid)]))
}

/** Finds the records of these resources that are over, and what ended them. */
async function findOver(
  db: Db,
  reader: Reader,
  openers: readonly string[],
  held: Held,
  now: Seconds,
) {
  const looked = new Set(listOpeners(held.openings))
  const others = openers.filter((rid) => !looked.has(rid))
  const more = others.length === 0 ? [] : await findUnrevoked(db, reader, others)
  // A record that was granted since the decision is not part of it.
  const over = [...held.records, ...more].filter(([, record]) => !isLive(record, now))
  const unrevoked = new Map(over)
  const revoked = await findLastRevoked(db, reader, openers)
  const codes = await findClosingCodes(db, reader.aid, [...unrevoked.values()])
  return { unrevoked, revoked, codes }
}

interface RecordEnd {
  record: HeldRecord
  code: RefusedCode
  since: Seconds
}

const describeEnd = (record: HeldRecord, codes: ReadonlyMap<string, RefusedCode>): RecordEnd =>
  record.revoked === null
    ? { record, code: codes.get(record.id) ?? 'expired', since: endOfRecord(record) }
    : { record, code: 'revoked', since: record.revoked }

/** Orders the ends of records. A record that was granted until a time in the past ended when it was granted, which is
 * after an earlier record was revoked. */
const closingTime = ({ record, since }: RecordEnd): Seconds =>
  Math.max(since, ...record.sources.slice(0, 1).map(({ created }) => created))
