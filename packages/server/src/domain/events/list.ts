import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { EventTable } from '../../db/tables.ts'
import { listMatchingTypes } from './catalogue.ts'
import { stampPositions } from './stamp.ts'

/** An event that has its place in the order. */
export type EventRow = EventTable & { position: number }

export interface EventsQuestion {
  /** Only events after this position; 0 for all that are kept. */
  after: number
  limit: number
  /** Types, or groups of them such as `access.*`; undefined for all. */
  types?: readonly string[] | undefined
}

/** Lists events in the order of their positions. None that comes later has a lower position. */
export async function listEvents(
  database: EnvironmentDatabase,
  aid: string,
  { after, limit, types }: EventsQuestion,
): Promise<EventRow[]> {
  await stampPositions(database, aid)
  let query = database.read
    .selectFrom('events')
    .selectAll()
    .where('aid', '=', aid)
    .where('position', '>', after)
  if (types !== undefined && !types.includes('*')) {
    query = query.where('type', 'in', ['', ...listMatchingTypes(types)])
  }
  return (await query.orderBy('position').limit(limit).execute()) as EventRow[]
}

/** Returns the position of the newest event; 0 if there never was one. */
export async function findLastPosition(
  database: EnvironmentDatabase,
  aid: string,
): Promise<number> {
  await stampPositions(database, aid)
  const counter = await database.read
    .selectFrom('event_counters')
    .select('position')
    .where('aid', '=', aid)
    .executeTakeFirst()
  return counter?.position ?? 0
}

/** Lists what is kept about a reader, oldest first. */
export const listEventsOf = (db: Db, aid: string, uids: readonly string[]) =>
  listRows(db, 'events', { aid, uid: uids }, ['created', 'sequence'])
