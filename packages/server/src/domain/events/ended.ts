import { sql } from 'kysely'
import type { Db, EnvironmentDatabase } from '../../db/database.ts'
import { lockRows } from '../../db/queries/rows.ts'
import { FOREVER, type Seconds } from '../../db/tables.ts'
import { findEarliest, readDueRows } from '../apps/turns.ts'
import { reportChanges } from '../history/collect.ts'

/** The maximum number of ends that are reported in one transaction. */
const BATCH_SIZE = 200

/** How long an end waits for the renewal that is due in the same second and moves it. Later than that the renewal is stuck,
 * and the reader is without access meanwhile. */
const RENEWAL_STARTS_WITHIN: Seconds = 30

/** Matches the index of the ends about which no event has been written. */
const isUnreported = sql<boolean>`revoked is null and ends < ${sql.lit(FOREVER)}
  and (end_told is null or end_told <> ends)`

/** Returns the time of the next end of access about which no event has been written. */
export const findNextEnd = (db: Db): Promise<Seconds | undefined> =>
  findEarliest(db, 'access', 'ends', isUnreported)

/** Whether a subscription is about to begin its renewal, which keeps the access open. */
const isAboutToRenew = (now: Seconds) => sql<boolean>`ends > ${now - RENEWAL_STARTS_WITHIN}
  and exists (select 1 from subscriptions s where s.aid = access.aid and s.access_id = access.id
    and s.next_step = 'renew' and s.next_due <= ${now})`

/** Writes events about access whose time is over, which no other transaction reports. Returns the number of records.
 * Another process may do the same: each end is reported once, because its record is locked and checked again. */
export async function reportEndedAccess(
  database: EnvironmentDatabase,
  now: Seconds,
): Promise<number> {
  const isDue = sql<boolean>`${isUnreported} and ends <= ${now} and not (${isAboutToRenew(now)})`
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
