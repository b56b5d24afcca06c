import type { Trx } from '../../db/database.ts'
import type { EventTable, Millis, Seconds } from '../../db/tables.ts'
import { newOrderedId } from '../../ids.ts'
import { EVENT_VERSION, type EventType } from './catalogue.ts'

/** Where events belong. */
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
  /** Who or what caused it. */
  cause: { actor: string; action: string }
}

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
  const sequences = await takeSequences(trx, scope.aid, counts)
  return await insertEvents(trx, scope, drafts, sequences, realTime)
}

/** Reserves as many numbers for each reader as given, and returns the number before the first of them. Others who write
 * events about these readers wait until the transaction ends. */
export async function takeSequences(
  trx: Trx,
  aid: string,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  if (counts.size === 0) return new Map()
  const rows = [...counts]
    // One order for all writers, so that they can't deadlock.
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([uid, sequence]) => ({ aid, uid, sequence }))
  const taken = await trx
    .insertInto('event_sequences')
    .values(rows)
    .onConflict((oc) =>
      oc.columns(['aid', 'uid']).doUpdateSet((eb) => ({
        sequence: eb('event_sequences.sequence', '+', eb.ref('excluded.sequence')),
      })),
    )
    .returning(['uid', 'sequence'])
    .execute()
  return new Map(taken.map(({ uid, sequence }) => [uid, sequence - (counts.get(uid) ?? 0)]))
}

/** Both databases limit the parameters of a statement; SQLite to 32,766. */
const ROWS_PER_STATEMENT = 3_000

/** Writes events whose numbers are reserved; each takes the next one of its reader. */
export async function insertEvents(
  trx: Trx,
  { aid, environment }: EventScope,
  drafts: readonly EventDraft[],
  sequences: ReadonlyMap<string, number>,
  realTime: Millis,
): Promise<EventTable[]> {
  const next = new Map(sequences)
  const rows = drafts.map((draft): EventTable => {
    const { type, uid, at } = draft
    const id = `evt_${newOrderedId()}`
    const sequence = uid === undefined ? null : (next.get(uid) ?? 0) + 1
    if (uid !== undefined && sequence !== null) next.set(uid, sequence)
    const body = {
      ...{ id, type, timestamp: new Date(at * 1000).toISOString(), version: EVENT_VERSION },
      ...{ aid, environment, ...(sequence === null ? {} : { sequence }) },
      ...{ data: draft.data, changed: draft.changed ?? {}, cause: draft.cause },
    }
    return {
      ...{ aid, id, position: null, uid: uid ?? null, sequence, type, at, created: realTime },
      body: JSON.stringify(body),
    }
  })
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    await trx
      .insertInto('events')
      .values(rows.slice(from, from + ROWS_PER_STATEMENT))
      .execute()
  }
  return rows
}
