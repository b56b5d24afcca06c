import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'
import { insertRows } from '../../db/queries/rows.ts'
import type { EventTable, Millis, Seconds } from '../../db/tables.ts'
import { newSortedId } from '../../ids.ts'
import { EVENT_VERSION, type EventType } from './catalogue.ts'
import { writeTimeMark } from './time-mark.ts'

/** The application and the environment that events belong to. */
export interface EventScope {
  aid: string
  /** The name of the environment, which is part of every event. */
  environment: string
}

/** An event before it is written. */
export interface EventDraft {
  type: EventType
  /** The reader whom it is about. */
  uid?: string | undefined
  at: Seconds
  /** The record that it is about, as the API shows it. */
  data: object
  /** The former values of what has changed. */
  changed?: object | undefined
  /** The actor and the action that caused it. */
  cause: EventCause
  /** Returns less data, of about this many bytes, if all of it is too long. */
  shorten?: ((bytes: number) => object) | undefined
}

export interface EventCause {
  actor: string
  action: string
  why?: string | undefined
  /** The request that caused it, if traces are passed on. */
  request_id?: string | undefined
  traceparent?: string | undefined
}

/** The most bytes that the JSON of an event may have. */
export const MAX_EVENT_BYTES = 20_000

/**
 * Writes events in the transaction of their cause. Call it last: it locks the sequences of the readers, and a transaction that
 * locks anything after them can deadlock with another.
 */
export async function writeEvents(
  trx: Trx,
  scope: EventScope,
  drafts: readonly EventDraft[],
  realTime: Millis,
): Promise<EventTable[]> {
  const counts = new Map<string, number>()
  for (const { uid } of drafts) if (uid !== undefined) counts.set(uid, (counts.get(uid) ?? 0) + 1)
  const sequences = await reserveReaderSequences(trx, scope.aid, counts, realTime)
  return await insertEvents(trx, scope, drafts, sequences, realTime)
}

/**
 * Reserves the next sequence numbers of each reader's events, as many as `counts` says, and returns the number before the
 * first of them. Other transactions that write events about these readers wait until this one ends.
 *
 * The next number is the real time in milliseconds, or one more than the last number if that is higher. A database that went
 * back to an earlier state, however that was done, so goes on above everything that was sent before it went back.
 */
export async function reserveReaderSequences(
  trx: Trx,
  aid: string,
  counts: ReadonlyMap<string, number>,
  realTime: Millis,
): Promise<Map<string, number>> {
  if (counts.size === 0) return new Map()
  const rows = [...counts]
    // One order for all writers, so that they can't deadlock.
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([uid, count]) => ({ aid, uid, sequence: realTime + count }))
  const taken = await trx
    .insertInto('event_sequences')
    .values(rows)
    .onConflict((oc) =>
      oc.columns(['aid', 'uid']).doUpdateSet({
        sequence: sql<number>`case when event_sequences.sequence > ${realTime}
          then event_sequences.sequence - ${realTime} + excluded.sequence
          else excluded.sequence end`,
      }),
    )
    .returning(['uid', 'sequence'])
    .execute()
  return new Map(taken.map(({ uid, sequence }) => [uid, sequence - (counts.get(uid) ?? 0)]))
}

/** Lets the next events of readers have numbers above `least`, also where this process' clock is behind the one that set it. */
export async function raiseReaderSequences(
  trx: Trx,
  aid: string,
  uids: readonly string[],
  least: Millis,
): Promise<void> {
  if (uids.length === 0) return
  await trx
    .insertInto('event_sequences')
    .values(uids.map((uid) => ({ aid, uid, sequence: least })))
    .onConflict((oc) =>
      oc
        .columns(['aid', 'uid'])
        .doUpdateSet({ sequence: least })
        .where('event_sequences.sequence', '<', least),
    )
    .execute()
}

/** Writes events whose numbers are reserved; each takes the next one of its reader. */
export async function insertEvents(
  trx: Trx,
  { aid, environment }: EventScope,
  drafts: readonly EventDraft[],
  sequences: ReadonlyMap<string, number>,
  realTime: Millis,
): Promise<EventTable[]> {
  const next = new Map(sequences)
  // Sorted ids, so that all events keep their order, including those about no reader, which have no sequence number.
  const ids = drafts.map(() => `evt_${newSortedId()}${writeTimeMark(realTime)}`)
  const rows = drafts.map((draft, i): EventTable => {
    const { type, uid, at } = draft
    const id = ids[i] as string
    const sequence = uid === undefined ? null : (next.get(uid) ?? 0) + 1
    if (uid !== undefined && sequence !== null) next.set(uid, sequence)
    const timestamp = new Date(at * 1000).toISOString()
    const head = { id, type, timestamp, version: EVENT_VERSION, aid, environment }
    const body = writeBody(sequence === null ? head : { ...head, sequence }, draft)
    const created = realTime
    return { aid, id, position: null, uid: uid ?? null, sequence, type, at, created, body }
  })
  await insertRows(trx, 'events', rows)
  return rows
}

function writeBody(head: object, draft: EventDraft): string {
  const { data, changed = {}, cause } = draft
  const body = JSON.stringify({ ...head, data, changed, cause })
  const excess = Buffer.byteLength(body) - MAX_EVENT_BYTES
  if (excess <= 0) return body
  const fitting = Buffer.byteLength(JSON.stringify(data)) - excess
  const less = draft.shorten?.(fitting) ?? shortenRecord(data)
  const shorter = JSON.stringify({ ...head, data: less, changed, cause })
  // Former values are the last to go: a site can live without them.
  return Buffer.byteLength(shorter) <= MAX_EVENT_BYTES
    ? shorter
    : JSON.stringify({ ...head, data: shortenRecord(data), changed: {}, cause })
}

/** The longest text that a shortened record keeps, which ids don't exceed. */
const MAX_KEPT_TEXT = 256

/** Keeps the short values of a record, among them its ids. */
function shortenRecord(data: object): object {
  const short = Object.entries(data).filter(([, value]) =>
    typeof value === 'string' ? value.length <= MAX_KEPT_TEXT : typeof value !== 'object',
  )
  return { ...Object.fromEntries(short), more: true }
}
