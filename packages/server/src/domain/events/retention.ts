import { sql } from 'kysely'
import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { lockCounter } from './stamp.ts'

const DAY_MS: Millis = 86_400_000

/** How many events are deleted in one transaction. */
const BATCH_SIZE = 1_000

/** Deletes events that are older than this many days, oldest first, and returns how many. A cursor that points before
 * them is refused from then on, because it would miss them. */
export async function sweepEvents(
  database: EnvironmentDatabase,
  days: number,
  realTime: Millis,
): Promise<number> {
  const before = realTime - days * DAY_MS
  let swept = 0
  for (const aid of await listWithOldEvents(database.read, before)) {
    swept += await sweepSome(database, aid, before)
  }
  return swept
}

/** Looks at the oldest event of each application alone: it is the first in the order of positions. */
async function listWithOldEvents(db: Db, before: Millis): Promise<string[]> {
  const { rows } = await sql<{ aid: string }>`select c.aid from event_counters c
    where exists (select 1 from events e where e.aid = c.aid and e.position = c.swept + 1
      and e.created < ${before}) order by c.aid`.execute(db)
  return rows.map(({ aid }) => aid)
}

async function sweepSome(
  database: EnvironmentDatabase,
  aid: string,
  before: Millis,
): Promise<number> {
  return await database.write(
    async (trx) => {
      const { swept } = await lockCounter(trx, aid)
      const oldest = await trx
        .selectFrom('events')
        .select(['position', 'created'])
        .where('aid', '=', aid)
        .where('position', '>', swept)
        .where('position', '<=', swept + BATCH_SIZE)
        .orderBy('position')
        .execute()
      // Up to the first that is young enough: no gap may appear between positions.
      const young = oldest.findIndex(({ created }) => created >= before)
      const old = young === -1 ? oldest.length : young
      if (old === 0) return 0
      await trx
        .deleteFrom('events')
        .where('aid', '=', aid)
        .where('position', '>', swept)
        .where('position', '<=', swept + old)
        .execute()
      await trx
        .updateTable('event_counters')
        .set({ swept: swept + old })
        .where('aid', '=', aid)
        .execute()
      return old
    },
    { batch: true },
  )
}
