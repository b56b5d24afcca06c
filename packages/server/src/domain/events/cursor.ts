import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { invalid } from '../../errors.ts'
import { type EventRow, findLastPosition, listEvents } from './list.ts'
import { findEventAt, findLastWrittenBefore, type PositionRange } from './positions.ts'
import { MARK_LENGTH, readTimeMark } from './time-mark.ts'

/** A place in the events of an application: a position, and the end of the id of the event there, which says when it was
 * written. After a restore of an older state, other events get the same positions; a cursor from before then fits none
 * of them, and its time tells where to go on. */
interface Cursor {
  position: number
  mark: string
}

const CURSOR = /^(\d{1,15})-([\dA-Za-z]{6}|0)$/

/** The cursor before the first event. */
const START = '0-0'

/** The text that asks for what happens from now on. */
const LATEST = 'latest'

const markOf = (id: string) => id.slice(-MARK_LENGTH)
const writeCursor = (position: number, id: string | undefined) =>
  id === undefined ? `${position}-0` : `${position}-${markOf(id)}`

/** The cursor after an event. */
export const cursorOf = ({ position, id }: EventRow): string => writeCursor(position, id)

export interface EventPageQuestion {
  after: string | undefined
  limit: number
  types: readonly string[] | undefined
  realTime: Millis
}

/** Lists the events after a cursor, and returns the next cursor. It never skips an event: a cursor that would is
 * refused. */
export async function listEventsAfter(
  database: EnvironmentDatabase,
  aid: string,
  { after = START, limit, types, realTime }: EventPageQuestion,
): Promise<{ events: EventRow[]; cursor: string; more: boolean }> {
  if (after === LATEST) {
    return { events: [], more: false, cursor: await findLatestCursor(database, aid) }
  }
  const place = await findPlace(database, aid, after, realTime)
  // Read first: every event of the wanted types up to here is then in the list.
  const end = types === undefined ? place.cursor : await findLatestCursor(database, aid)
  const { position } = place
  const rows = await listEvents(database, aid, { after: position, limit: limit + 1, types })
  const events = rows.slice(0, limit)
  const more = rows.length > limit
  const last = events.at(-1)
  const cursor = last === undefined ? place.cursor : cursorOf(last)
  return { events, more, cursor: more ? cursor : laterOf(cursor, end) }
}

/** The later of two cursors. Past events of other types the cursor has to move on, or it would be too old one day. */
const laterOf = (one: string, other: string): string =>
  (readCursor(other)?.position ?? 0) > (readCursor(one)?.position ?? 0) ? other : one

async function findLatestCursor(database: EnvironmentDatabase, aid: string): Promise<string> {
  const position = await findLastPosition(database, aid)
  return writeCursor(position, (await findEventAt(database.read, aid, position))?.id)
}

/** Returns the place of a cursor. A cursor of an event that a restore has undone leads to a place before everything that was
 * written after the restore. */
async function findPlace(
  database: EnvironmentDatabase,
  aid: string,
  text: string,
  realTime: Millis,
): Promise<{ position: number; cursor: string }> {
  if (text === START) return { position: 0, cursor: START }
  const cursor = readCursor(text)
  if (!cursor) throw invalid('after', 'not a cursor of the events')
  const counter = await database.read
    .selectFrom('event_counters')
    .select(['position', 'swept'])
    .where('aid', '=', aid)
    .executeTakeFirst()
  const { position: last, swept } = counter ?? { position: 0, swept: 0 }
  if (cursor.position < swept) throw notKept()
  const id = (await findEventAt(database.read, aid, cursor.position))?.id
  // The event at the cursor itself may just have been deleted.
  const isKnown = id === undefined ? cursor.position === swept : markOf(id) === cursor.mark
  if (cursor.position <= last && isKnown) return { position: cursor.position, cursor: text }
  const range = { after: swept, upTo: last }
  const position = await findBeforeRestore(database.read, aid, range, cursor, realTime)
  return {
    position,
    cursor: writeCursor(position, (await findEventAt(database.read, aid, position))?.id),
  }
}

/** How much the clocks of machines that write events may differ. Cursors that a restore has undone go back as far, so that
 * their sites get some events again rather than miss one. */
const MAX_CLOCK_DIFFERENCE_MS: Millis = 5 * 60_000

/** Events are kept for a day at least. */
const MIN_KEPT_MS: Millis = 86_400_000

/** Finds where the events go on for the reader of an event that a restore has undone. Whatever was written after the restore
 * was written after that event. */
async function findBeforeRestore(
  db: Db,
  aid: string,
  range: PositionRange,
  { mark }: Cursor,
  realTime: Millis,
): Promise<number> {
  const written = readTimeMark(mark)
  // The marks of earlier versions were random: nearly all of them are times to come.
  if (written > realTime + MAX_CLOCK_DIFFERENCE_MS) {
    throw invalid('after', 'from before a restore of this installation; start again without it')
  }
  const position = await findLastWrittenBefore(db, aid, range, written - MAX_CLOCK_DIFFERENCE_MS)
  // Nothing that is kept is as old as the cursor: some of what has been deleted may be younger.
  const mayMiss = position === range.after && position > 0 && written < realTime - MIN_KEPT_MS
  if (mayMiss) throw notKept()
  return position
}

const notKept = () =>
  invalid('after', 'the events after it are no longer kept; start again without it')

function readCursor(text: string): Cursor | undefined {
  const [, position, mark] = CURSOR.exec(text) ?? []
  return position === undefined || mark === undefined
    ? undefined
    : { position: Number(position), mark }
}
