import type { EnvironmentDatabase } from '../../db/database.ts'
import { findRow, selectWindow, type Window } from '../../db/queries/rows.ts'
import type { EventTable } from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'
import { stampPositions } from './stamp.ts'

export interface EventsFilter {
  type?: string | undefined
  uid?: string | undefined
}

/** Lists the events that are kept, newest first. */
export async function listEventsForStaff(
  database: EnvironmentDatabase,
  aid: string,
  { type, uid }: EventsFilter,
  window: Window,
): Promise<{ rows: EventTable[]; total: number }> {
  await stampPositions(database, aid)
  let query = database.read.selectFrom('events').selectAll().where('aid', '=', aid)
  if (type !== undefined) query = query.where('type', '=', type)
  if (uid !== undefined) query = query.where('uid', '=', uid)
  return await selectWindow(query.orderBy('position', 'desc'), window)
}

export async function getEvent(
  { read }: EnvironmentDatabase,
  aid: string,
  id: string,
): Promise<EventTable> {
  return requireFound(await findRow(read, 'events', { aid, id }), 'event_not_found')
}
