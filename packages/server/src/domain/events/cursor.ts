import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import { type EventRow, findLastPosition, listEvents } from './list.ts'

/** A place in the events of an application: a position, and the end of the id of the event there. After a restore of an
 * older state, other events get the same positions; a cursor from before then fits none of them and is refused. */
interface Cursor {
  position: number
  mark: string
}

const MARK_LENGTH = 6
const CURSOR = /^(\d{1,15})-([\dA-Za-z]{6}|0)$/

/** The cursor before the first event. */
const START = '0-0'

/** The text that asks for what happens from now on. */
const LATEST = 'latest'

const markOf = (id: string) => id.slice(-MARK_LENGTH)
const writeCursor = (position: number, id: string | undefined) =>
  id === undefined ? `${position}-0` : `${position}-${markOf(id)}`

export interface EventPageQuestion {
  after: string | undefined
  limit: number
  types: readonly string[] | undefined
}

/** Lists the events after a cursor, and returns the next cursor. It never skips an event: a cursor that would is
 * refused. */
export async function listEventsAfter(
  database: EnvironmentDatabase,
  aid: string,
  { after = START, limit, types }: EventPageQuestion,
): Promise<{ events: EventRow[]; cursor: string; more: boolean }> {
  if (after === LATEST) {
    return { events: [], more: false, cursor: await findLatestCursor(database, aid) }
  }
  const position = await requirePosition(database, aid, after)
  // Read first: every event of the wanted types up to here is then in the list.
  const end = types === undefined ? after : await findLatestCursor(database, aid)
  const rows = await listEvents(database, aid, { after: position, limit: limit + 1, types })
  const events = rows.slice(0, limit)
  const more = rows.length > limit
  const last = events.at(-1)
  const cursor = last === undefined ? after : writeCursor(last.position, last.id)
  return { events, more, cursor: more ? cursor : laterOf(cursor, end) }
}

/** The later of two cursors. Past events of other types the cursor has to move on, or it would be too old one day. */
const laterOf = (one: string, other: string): string =>
  (readCursor(other)?.position ?? 0) > (readCursor(one)?.position ?? 0) ? other : one

async function findLatestCursor(database: EnvironmentDatabase, aid: string): Promise<string> {
  const position = await findLastPosition(database, aid)
  return writeCursor(position, (await findEventAt(database.read, aid, position))?.id)
}

/** Finds the event at a position; undefined if it has been deleted. */
export async function findEventAt(db: Db, aid: string, position: number) {
  return await db
    .selectFrom('events')
    .select(['id', 'created'])
    .where((eb) => eb.and({ aid, position }))
    .executeTakeFirst()
}

/** Returns the position of a cursor, or refuses it. */
async function requirePosition(
  database: EnvironmentDatabase,
  aid: string,
  text: string,
): Promise<number> {
  if (text === START) return 0
  const cursor = readCursor(text)
  if (!cursor) throw invalid('after', 'not a cursor of the events')
  const counter = await database.read
    .selectFrom('event_counters')
    .select(['position', 'swept'])
    .where('aid', '=', aid)
    .executeTakeFirst()
  const { position: last, swept } = counter ?? { position: 0, swept: 0 }
  if (cursor.position < swept) {
    throw invalid('after', 'the events after it are no longer kept; start again without it')
  }
  const id = (await findEventAt(database.read, aid, cursor.position))?.id
  // The event at the cursor itself may just have been deleted.
  const isKnown = id === undefined ? cursor.position === swept : markOf(id) === cursor.mark
  if (cursor.position > last || !isKnown) {
    throw invalid('after', 'from before a restore of this installation; start again without it')
  }
  return cursor.position
}

function readCursor(text: string): Cursor | undefined {
  const [, position, mark] = CURSOR.exec(text) ?? []
  return position === undefined || mark === undefined
    ? undefined
    : { position: Number(position), mark }
}
