import { sql } from 'kysely'
import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import { countAffected } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { listDueApplications } from '../apps/turns.ts'

const BATCH_SIZE = 1_000

/** Deletes what has been kept long enough, in batches, so that requests are not held up. */
export async function deleteOldRequests(
  database: EnvironmentDatabase,
  realTime: Millis,
): Promise<number> {
  let deleted = 0
  const isDue = sql<boolean>`ends <= ${realTime}`
  const work = { table: 'handled_requests', isDue } as const
  for (const aid of await listDueApplications(database.read, work)) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; deleted += count) {
      count = await database.write((trx) => deleteBatch(trx, aid, realTime))
    }
  }
  return deleted
}

async function deleteBatch(trx: Trx, aid: string, realTime: Millis): Promise<number> {
  const old = trx
    .selectFrom('handled_requests')
    .select('digest')
    .where('aid', '=', aid)
    .where('ends', '<=', realTime)
    .limit(BATCH_SIZE)
  return await countAffected(
    trx.deleteFrom('handled_requests').where('aid', '=', aid).where('digest', 'in', old),
  )
}
