import { sql } from 'kysely'
import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { accessDetails } from '../../records/access.ts'
import { formatTraceparent, type TraceContext } from '../../tracing/trace-context.ts'
import { type AccessRow, getAccessByIds } from '../access/details.ts'
import { type CollectedChange, collectChanges } from '../history/collect.ts'
import type { EventType } from './catalogue.ts'
import { accessOfNewReaders, findNewReaders, type NewReaders } from './new-readers.ts'
import {
  type EventPlan,
  formerOf,
  type PlannedEvent,
  planEvents,
  typeOfAccessEvent,
} from './plan.ts'
import { findReaderNames, readStates } from './reader-state.ts'
import { ACTION_RULES } from './rules.ts'
import { loadSubjects } from './subjects.ts'
import { addToTally, type EventTally } from './tally.ts'
import { type EventCause, type EventDraft, insertEvents, reserveReaderSequences } from './write.ts'

interface Source {
  /** The name of the environment, which is part of every event. */
  environment: string
  realTime(): Millis
  tally: EventTally
  /** Says for which request the transaction runs, if traces are passed on. */
  currentTrace?: (() => TraceContext | undefined) | undefined
}

/**
 * Returns the same database, whose transactions write the events of what happens in them just before they commit. Events are made
 * of the changes that the history records, and of the state that they lead to. A transaction with the option `silent`
 * writes none.
 */
export function withEvents(database: EnvironmentDatabase, source: Source): EnvironmentDatabase {
  return {
    ...database,
    async write(fn, options) {
      let changes: CollectedChange[] = []
      let events: EventType[] = []
      const result = await database.write(async (trx) => {
        // Anew in each attempt: only what is committed in the end counts.
        changes = []
        events = []
        const result = await collectChanges(trx, changes, () => fn(trx))
        if (options?.silent) await markSilent(trx, changes)
        else if (changes.length > 0) {
          events = await emitEvents(trx, withTrace(changes, source.currentTrace?.()), source)
        }
        return result
      }, options)
      addToTally(source.tally, events, changes)
      return result
    },
  }
}

const withTrace = (changes: CollectedChange[], trace: TraceContext | undefined) =>
  trace ? changes.map((change) => ({ ...change, trace: change.trace ?? trace })) : changes

/** Remembers whose last event is older than what they have access to. A reader without events has none to compare. */
async function markSilent(trx: Trx, changes: readonly CollectedChange[]): Promise<void> {
  for (const aid of new Set(changes.map((change) => change.aid))) {
    const own = changes.filter((change) => change.aid === aid)
    const uids = own.flatMap(({ action, uid }) =>
      uid !== undefined && ACTION_RULES[action].emitsUserAccessChanged ? [uid] : [],
    )
    if (uids.length === 0) continue
    await trx
      .updateTable('event_sequences')
      .set((eb) => ({ silent_at: eb.ref('sequence') }))
      .where('aid', '=', aid)
      .where('uid', 'in', padList([...new Set(uids)]))
      .execute()
  }
}

/** Returns the types of the events that were written. */
async function emitEvents(
  trx: Trx,
  changes: readonly CollectedChange[],
  source: Source,
): Promise<EventType[]> {
  const types: EventType[] = []
  for (const aid of new Set(changes.map((change) => change.aid))) {
    const own = changes.filter((change) => change.aid === aid)
    types.push(...(await emitOf(trx, aid, own, source)))
  }
  return types
}

/** An event about an access record. */
interface AccessEvent {
  type: EventType
  row: AccessRow
  changes: readonly CollectedChange[]
}

async function emitOf(
  trx: Trx,
  aid: string,
  changes: readonly CollectedChange[],
  { environment, realTime }: Source,
): Promise<EventType[]> {
  const plan = planEvents(changes)
  if (plan.changeEvents.length + plan.access.size + plan.lastChangeByReader.size === 0) return []
  const now = Math.max(...changes.map(({ at }) => at))
  const newReaders = findNewReaders(changes)
  // The transaction has locked these rows, so that nobody changes them until it ends.
  const access = await planAccessEvents(trx, aid, plan, newReaders, now)
  await continueSequences(trx, aid, changes)
  const counts = countByReader(plan, access)
  const written = realTime()
  const sequences = await reserveReaderSequences(trx, aid, counts, written)
  // Only now: what is read here includes what others wrote who had the lock before.
  const drafts = await draftEvents(trx, aid, plan, access, newReaders, now)
  await insertEvents(trx, { aid, environment }, drafts, sequences, written)
  await rememberEnds(trx, aid, access)
  return drafts.map(({ type }) => type)
}

async function planAccessEvents(
  trx: Trx,
  aid: string,
  plan: EventPlan,
  newReaders: NewReaders,
  now: Seconds,
): Promise<AccessEvent[]> {
  const known = await accessOfNewReaders(trx, aid, newReaders)
  const others = [...plan.access.keys()].filter((id) => !known.has(id))
  const found = await getAccessByIds(trx, aid, others)
  const events: AccessEvent[] = []
  for (const [id, changes] of plan.access) {
    const row = known.get(id) ?? found.get(id)
    if (!row) continue
    // The reader may be another one than before: the record was moved by a merge.
    plan.lastChangeByReader.set(row.uid, changes.at(-1) as CollectedChange)
    const type = typeOfAccessEvent(row, changes, now)
    if (type !== undefined) events.push({ type, row, changes })
  }
  return events
}

/** How many events there will be about each reader. */
function countByReader(plan: EventPlan, access: readonly AccessEvent[]): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (uid: string | undefined) =>
    uid !== undefined && counts.set(uid, (counts.get(uid) ?? 0) + 1)
  for (const { uid } of plan.changeEvents) add(uid)
  for (const { row } of access) add(row.uid)
  for (const uid of plan.lastChangeByReader.keys()) add(uid)
  return counts
}

/** A reader into whom another is merged continues from the higher number of the two, so that a site that knows both
 * takes nothing for old. */
async function continueSequences(
  trx: Trx,
  aid: string,
  changes: readonly CollectedChange[],
): Promise<void> {
  for (const { action, uid, before } of changes) {
    if (action !== 'user merged in') continue
    const { uid: from } = before as { uid: string }
    await sql`insert into event_sequences (aid, uid, sequence)
      select aid, cast(${uid} as text), sequence from event_sequences where aid = ${aid} and uid = ${from}
      on conflict (aid, uid) do update set sequence = case
        when excluded.sequence > event_sequences.sequence then excluded.sequence
        else event_sequences.sequence end`.execute(trx)
  }
}

async function draftEvents(
  trx: Trx,
  aid: string,
  plan: EventPlan,
  access: readonly AccessEvent[],
  newReaders: NewReaders,
  now: Seconds,
): Promise<EventDraft[]> {
  const readers = [...plan.lastChangeByReader.keys()]
  const users = plan.changeEvents
    .filter(({ type }) => type.startsWith('user.'))
    .map(({ uid }) => uid)
  const named = [...new Set([...readers, ...users])].filter((uid) => uid !== undefined)
  const names = await findReaderNames(trx, aid, named, newReaders)
  const subjectOf = await loadSubjects(trx, aid, plan.changeEvents, names)
  const states = await readStates(trx, aid, readers, names, newReaders, now)
  const drafts = plan.changeEvents.map((event) => changeDraft(event, subjectOf(event)))
  // A site deletes what it holds of the reader then, so nothing about them may follow.
  const isLast = ({ type }: EventDraft) => type === 'user.erased'
  return [
    ...drafts.filter((draft) => !isLast(draft)),
    ...access.map((event) => accessDraft(event, now)),
    ...[...plan.lastChangeByReader].map(
      ([uid, change]): EventDraft => ({
        ...{ type: 'user.access_changed', uid, at: now, data: {}, cause: causeOf(change) },
        ...states.get(uid),
      }),
    ),
    ...drafts.filter(isLast),
  ]
}

const changeDraft = ({ type, uid, change }: PlannedEvent, data: object): EventDraft => ({
  ...{ type, uid, at: change.at, data },
  ...{ changed: formerOf(change), cause: causeOf(change) },
})

function accessDraft({ type, row, changes }: AccessEvent, now: Seconds): EventDraft {
  const [first, last] = [changes[0], changes.at(-1)] as [CollectedChange, CollectedChange]
  return {
    ...{ type, uid: row.uid, at: now, data: accessDetails(row, now) },
    ...{ changed: formerOf(first), cause: causeOf(last) },
  }
}

function causeOf({ actor, action, after, trace }: CollectedChange): EventCause {
  const why = (after as { why?: unknown } | undefined)?.why
  return {
    ...{ actor, action, ...(typeof why === 'string' ? { why } : {}) },
    ...(trace && { request_id: trace.requestId, traceparent: formatTraceparent(trace) }),
  }
}

/** Remembers which ends were reported, and forgets those of records that are open again. */
async function rememberEnds(trx: Trx, aid: string, access: readonly AccessEvent[]): Promise<void> {
  const idsOf = (some: readonly AccessEvent[]) => some.map(({ row }) => row.id)
  const ended = access.filter(({ type }) => type === 'access.ended')
  if (ended.length > 0) {
    await trx
      .updateTable('access')
      .set((eb) => ({ end_told: eb.ref('ends') }))
      .where('aid', '=', aid)
      .where('id', 'in', padList(idsOf(ended)))
      .execute()
  }
  const reopened = access.filter(
    ({ type, row }) => type === 'access.granted' && row.end_told !== null,
  )
  for (const id of idsOf(reopened)) await updateRows(trx, 'access', { aid, id }, { end_told: null })
}
