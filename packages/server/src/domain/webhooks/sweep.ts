import { sql } from 'kysely'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { listDueApplications } from '../apps/turns.ts'
import { DAY } from './schedule.ts'

const BATCH_SIZE = 1_000

/** Applications with events that are no longer kept. */
const SWEPT = { table: 'event_counters', isDue: sql<boolean>`swept > 0` } as const

/** How long a finished replay is shown. */
const REPLAYS_KEPT: Millis = 30 * DAY

/** Deletes deliveries with their attempts when their event is no longer kept, and old replays. Returns how many deliveries. */
export async function sweepDeliveries(
  database: EnvironmentDatabase,
  realTime: Millis,
): Promise<number> {
  let swept = 0
  for (const aid of await listDueApplications(database.read, SWEPT)) {
    const [counter] = await listRows(database.read, 'event_counters', { aid })
    const upTo = counter?.swept ?? 0
    for (;;) {
      const n = await sweepSome(database, aid, upTo)
      swept += n
      if (n < BATCH_SIZE) break
    }
  }
  await sweepReplays(database, realTime)
  return swept
}

async function sweepSome(
  database: EnvironmentDatabase,
  aid: string,
  upTo: number,
): Promise<number> {
  const { rows } = await sql<{ endpoint: string; event_id: string }>`
    select endpoint, event_id from webhook_deliveries
    where aid = ${aid} and position <= ${upTo} limit ${BATCH_SIZE}`.execute(database.read)
  if (rows.length === 0) return 0
  const ids = [...new Set(rows.map(({ event_id }) => event_id))]
  await database.write(
    async (trx) => {
      for (const table of ['webhook_attempts', 'webhook_deliveries'] as const) {
        await trx
          .deleteFrom(table)
          .where('aid', '=', aid)
          .where('event_id', 'in', padList(ids))
          .execute()
      }
    },
    { batch: true },
  )
  return rows.length
}

async function sweepReplays(database: EnvironmentDatabase, realTime: Millis): Promise<void> {
  const isDue = sql<boolean>`finished <= ${realTime - REPLAYS_KEPT}`
  for (const aid of await listDueApplications(database.read, { table: 'webhook_replays', isDue })) {
    await database.write((trx) =>
      trx.deleteFrom('webhook_replays').where('aid', '=', aid).where(isDue).execute(),
    )
  }
}
