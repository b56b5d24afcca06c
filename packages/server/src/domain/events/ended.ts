import { sql } from 'kysely'
import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import { lockRows } from '../../db/queries/rows.ts'
import { FOREVER, type Seconds } from '../../db/tables.ts'
import { findEarliest, readDueRows } from '../apps/turns.ts'
import { reportChanges } from '../history/collect.ts'

/** How many ends are told in one transaction. */
const BATCH_SIZE = 200

/** Matches the index of the ends that nobody has been told of. */
const isUntold = sql<boolean>`revoked is null and ends < ${sql.lit(FOREVER)}
  and (end_told is null or end_told <> ends)`

/** Returns when the next access ends that nobody has been told of. */
export const findNextEnd = (db: Db): Promise<Seconds | undefined> =>
  findEarliest(db, 'access', 'ends', isUntold)

/** Tells of access whose time is over, which has no transaction of its own. Returns how many records that were. Another
 * process may do the same: each end is told once, because its record is locked and looked at again. */
export async function tellEnds(database: EnvironmentDatabase, now: Seconds): Promise<number> {
  const isDue = sql<boolean>`${isUntold} and ends <= ${now}`
  const work = { name: 'ends', table: 'access', isDue } as const
  const due = await readDueRows(database, work, BATCH_SIZE, ['ends', 'id'])
  for (const aid of new Set(due.map((row) => row.aid))) {
    const ids = due.filter((row) => row.aid === aid).map(({ id }) => id)
    await database.write(async (trx) => {
      const rows = await lockRows(trx, 'access', { aid, id: ids, revoked: null }, 'id')
      reportChanges(
        trx,
        rows
          .filter(({ ends, end_told }) => ends <= now && end_told !== ends)
          .map(({ id, uid, rid, ends }) => ({
            ...{ aid, uid, rid, accessId: id, at: now, actor: 'clock', action: 'time over' },
            before: { ends },
          })),
      )
    })
  }
  return due.length
}
