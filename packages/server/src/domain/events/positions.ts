import type { Db } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'

/** Positions, the first one excluded. */
export interface PositionRange {
  after: number
  upTo: number
}

/** Finds the event at a position; undefined if it has been deleted. */
export async function findEventAt(db: Db, aid: string, position: number) {
  return await db
    .selectFrom('events')
    .select(['id', 'created'])
    .where((eb) => eb.and({ aid, position }))
    .executeTakeFirst()
}

/**
 * Returns the last position in a range whose event was written before a time, or where the range begins. Positions follow
 * the times but for long transactions and clocks that differ, so a binary search finds it without an index. Every event
 * after the one that it finds is there from `time` on, or near it.
 */
export async function findLastWrittenBefore(
  db: Db,
  aid: string,
  { after, upTo }: PositionRange,
  time: Millis,
): Promise<number> {
  let [low, high] = [after, Math.max(after, upTo)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const event = await findEventAt(db, aid, middle)
    // Only the oldest events are ever deleted, so a missing one is before `time`.
    if ((event?.created ?? 0) < time) low = middle
    else high = middle - 1
  }
  return low
}
